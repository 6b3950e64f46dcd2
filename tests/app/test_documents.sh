#!/bin/sh
# label: once
# What README.md and docs/ say about the program is so: the quick commands of README run as they stand, and what they
# write is ignored by git; the message in scene-format.md is the one that is printed; scripts.md or tools.md names every script.
# Arguments: the source tree, a folder to work in, the build folder.
set -eu
root=$1
work=$2
program=$3/catgut
rm -rf "$work"
mkdir -p "$work/tree/build"
failures=0

fail() {
    echo "failed: $*" >&2
    failures=$((failures + 1))
}

# Commands of README, with the paths they have; those that take long or serve are left to others.
ln -s "$3" "$work/tree/build/release"
sed -n 's/^\(build\/release\/catgut .*\)/\1/p' "$root/README.md" | sed 's/ *#.*//' >"$work/commands"
tried=0
while read -r command; do
    case $command in
    *' serve'* | *' bench'* | *' experiment all'*) continue ;;
    esac
    tried=$((tried + 1))
    (cd "$work/tree" && sh -c "$command") >"$work/words" 2>&1 </dev/null || {
        fail "of README.md: $command"
        cat "$work/words" >&2
    }
done <"$work/commands"
[ "$tried" -ge 6 ] || fail "only $tried commands of README.md were tried"
if git -C "$root" rev-parse --is-inside-work-tree >/dev/null 2>&1; then
    for file in "$work"/tree/* "$work/tree/recordings/a.cgr" "$work/tree/show.svg" "$work/tree/a/a_0001.vtp"; do
        name=${file#"$work/tree/"}
        [ "$name" = build ] || git -C "$root" check-ignore -q "$name" || fail "git does not ignore $name"
    done
fi

# The example of scene-format.md, and the mistake in it.
awk '/^```jsonc$/ { inside = 1; next } /^```$/ { if (inside) exit } inside' "$root/docs/scene-format.md" >"$work/good.json"
"$program" check "$work/good.json" >"$work/words" 2>&1 || fail "the example of scene-format.md: $(cat "$work/words")"
sed 's/"suture"/"sutur"/' "$work/good.json" >"$work/hanging.json"
said=$(cd "$work" && "$program" check hanging.json 2>&1) && fail "a misspelt field is taken"
grep -qF -e "    $said" "$root/docs/scene-format.md" || fail "scene-format.md does not have: $said"

for script in "$root"/scenes/scripts/*.script; do
    grep -qF -e "\`${script##*/}\`" "$root/docs/scripts.md" "$root/docs/tools.md" ||
        fail "neither scripts.md nor tools.md names ${script##*/}"
done

if [ "$failures" -ne 0 ]; then
    echo "$failures failed" >&2
    exit 1
fi

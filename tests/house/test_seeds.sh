#!/bin/sh
# label: once
# scripts/judge-seed: the seed of a commit is its first 8 hex digits, whatever name the commit has; the list of judged runs
# has for each commit its own seed, and a list that has another one is refused.
# Arguments: the source tree, a folder to work in.
set -eu
source=$1
work=$2
judge=$source/scripts/judge-seed
list=$source/docs/findings/seeds.md
failures=0
rm -rf "$work"
mkdir -p "$work/tree"

fail() {
    echo "failed: $*" >&2
    failures=$((failures + 1))
}

"$judge" --check "$list" || fail "the list of this tree"

# A commit with a name of its own. The number is made another way than the script does: digit by digit.
command -v git >/dev/null 2>&1 || exit 77
cd "$work/tree"
git init -q .
GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.org GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example.org \
    git commit -q --allow-empty -m "one"
hash=$(git rev-parse HEAD)
expected=$(printf '%s' "$hash" | awk '{
    for (i = 1; i <= 8; i++) n = 16 * n + index("0123456789abcdef", substr($0, i, 1)) - 1
    printf "%.0f\n", n
}')
for name in "$hash" "$(printf '%.9s' "$hash")" HEAD; do
    [ "$("$judge" "$name")" = "$expected" ] || fail "$name has the seed $("$judge" "$name"), expected $expected"
done
[ "$("$judge")" = "$expected" ] || fail "without a name HEAD is meant"
for words in "HEAD HEAD" no-such-commit --chek --check; do
    code=0
    # shellcheck disable=SC2086
    "$judge" $words >"$work/said" 2>&1 || code=$?
    [ "$code" -eq 2 ] || fail "\"$words\" ended with $code"
done

refuses() { # refuses WORDS LINE: the list with this line instead of its own
    printf '# x\n\n| deadbeef | below another heading | 1 | x |\n\n## Judged\n\n%s\n|---|---|---|---|\n%b\n' \
        '| commit | command | seed | result |' "$2" >"$work/list.md"
    if "$judge" --check "$work/list.md" >"$work/said" 2>&1; then
        fail "accepted: $2"
    elif ! grep -qF "$1" "$work/said"; then
        fail "\"$2\" is refused by: $(cat "$work/said")"
    fi
}
refuses "is judged by 1193791581, not by 22" '| `4727d05d` | x | 22 | fine |'
refuses "is not 8 or more hex digits" '| 4727d0 | x | 4663248 | fine |'
refuses "is not 8 or more hex digits" '| motion 12 | x | 12 | fine |'
refuses "what was run, or what came of it, is missing" '| 4727d05d | x | 1193791581 | |'
refuses "what was run, or what came of it, is missing" '| 4727d05d | | 1193791581 | fine |'
refuses "no line below" ''
refuses "is judged by 3735928559" '| 4727d05d | x | 1193791581 | fine |\n| deadbeef | x | 1193791581 | fine |'
printf '## Judged\n| 4727d05d9 | x | 1193791581 | fine |\n' >"$work/list.md"
"$judge" --check "$work/list.md" >"$work/said" || fail "refused a right list"

[ "$failures" -eq 0 ]

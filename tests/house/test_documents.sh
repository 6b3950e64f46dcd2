#!/bin/sh
# label: once
# scripts/check-documents and scripts/findings: this tree is in order, and a copy of it that is broken in one place is refused
# by name. A newer version of the motion makes every measured part an old one.
# Arguments: the source tree, a folder to work in.
set -eu
source=$1
work=$2
failures=0
rm -rf "$work"
mkdir -p "$work/tree/docs" "$work/tree/include/catgut"

fail() {
    echo "failed: $*" >&2
    failures=$((failures + 1))
}

"$source/scripts/check-documents" || fail "the documents of this tree"
"$source/scripts/findings" --check >/dev/null || fail "the findings of this tree"
echo "of an older motion version:"
"$source/scripts/findings" --old

tree=$work/tree
cp "$source"/*.md "$source/LICENSE" "$tree/"
cp "$source"/docs/*.md "$tree/docs/"
cp -r "$source/docs/findings" "$source/docs/evidence" "$tree/docs/"
cp -r "$source/scripts" "$tree/"
cp "$source/include/catgut/world.h" "$tree/include/catgut/"
for name in src tests lab scenes examples; do ln -s "$source/$name" "$tree/$name"; done
ln -s "$source/docs/pictures" "$tree/docs/pictures"
"$tree/scripts/check-documents" || fail "a copy"

refuses() { # refuses FILE WORDS: the copy as it is now; FILE is taken back afterwards
    if "$tree/scripts/check-documents" >"$work/said" 2>&1; then
        fail "accepted: $2"
    elif ! grep -qF -e "$2" "$work/said"; then
        fail "no '$2' in: $(cat "$work/said")"
    fi
    if [ -e "$source/$1" ]; then cp "$source/$1" "$tree/$1"; else rm "$tree/$1"; fi
}
for line in $(seq 61); do echo "$line"; done >"$tree/README.md"
refuses README.md 'README.md has 61 lines, at most 60'
page=docs/portability.md
missing=$((15360 - $(LC_ALL=C awk '{ size += length($0) + 1 } END { print size }' "$source/$page")))
LC_ALL=C awk -v count="$missing" 'BEGIN { while (count-- > 1) printf "x"; print "" }' >>"$tree/$page"
"$tree/scripts/check-documents" || fail "a page of 15 KB"
echo >>"$tree/$page"
refuses "$page" "$page has 15361 bytes, at most 15360"
echo 'See [there](no-such-page.md).' >>"$tree/docs/thread.md"
refuses docs/thread.md 'docs/no-such-page.md is not there'
echo 'See [there](contact.md#no-such-heading).' >>"$tree/docs/findings/thread.md"
refuses docs/findings/thread.md 'docs/findings/contact.md has no heading #no-such-heading'
echo 'See [there](#no-such-heading).' >>"$tree/docs/thread.md"
refuses docs/thread.md 'docs/thread.md has no heading #no-such-heading'
echo 'It trembled before motion version 12.' >>"$tree/docs/thread.md"
refuses docs/thread.md 'docs/thread.md: motion versions and commits are for docs/findings/'
log=docs/evidence/unknown-$$.log # a name that stands nowhere, not even here
echo 'log' >"$tree/$log"
refuses "$log" "$log: nothing refers to it"
sed 's/Delassus/Delasus/' "$source/docs/glossary.md" >"$tree/docs/glossary.md"
refuses docs/glossary.md 'docs/glossary.md does not have: Delassus operator'
"$tree/scripts/check-documents" || fail "the copy is not what it was"

# A part without its commit, a table that is in no list.
part() { # part FILE WORDS: as refuses, of scripts/findings --check
    if "$tree/scripts/findings" --check >"$work/said" 2>&1; then
        fail "findings accepted: $2"
    elif ! grep -qF -e "$2" "$work/said"; then
        fail "no '$2' in: $(cat "$work/said")"
    fi
    if [ -e "$source/$1" ]; then cp "$source/$1" "$tree/$1"; else rm "$tree/$1"; fi
}
printf '\n## Something new\n\nIt is fast.\n' >>"$tree/docs/findings/thread.md"
part docs/findings/thread.md '"Something new" has no commit and motion version'
printf '\n## Something new\n\n*Commit 4727d05d, motion version 999.*\n' >>"$tree/docs/findings/thread.md"
part docs/findings/thread.md 'motion version 999 is not yet'
printf '# loose\n\n*Commit 4727d05d, motion version 1.* `catgut list`\n' >"$tree/docs/findings/made/loose.md"
part docs/findings/made/loose.md 'loose.md is not in the list'
"$tree/scripts/findings" --check >/dev/null || fail "findings of the copy"

now=$(sed -n 's/^#define CG_MOTION_VERSION *\([0-9]*\).*/\1/p' "$source/include/catgut/world.h")
sed "s/^#define CG_MOTION_VERSION .*/#define CG_MOTION_VERSION $((now + 1))/" "$source/include/catgut/world.h" \
    >"$tree/include/catgut/world.h"
"$tree/scripts/findings" --old >"$work/old"
for file in "$tree"/docs/findings/made/*.md; do
    grep -q "made/$(basename "$file"): .*motion version" "$work/old" || fail "$file is not told to be old"
done
[ "$(wc -l <"$work/old")" -gt "$("$source/scripts/findings" --old | wc -l)" ] || fail "nothing became old"

[ "$failures" -eq 0 ]

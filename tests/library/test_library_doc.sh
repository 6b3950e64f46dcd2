#!/bin/sh
# The first program in docs/library.md is examples/first.c to the letter and about 30 lines long, what the document says
# it prints is what it prints, and the table of headers names all of them, as catgut.h includes all of them.
# Arguments: the source tree, a folder to work in, the build folder.
set -eu
document=$1/docs/library.md
work=$2
rm -rf "$work"
mkdir -p "$work"
failures=0

fail() {
    echo "failed: $*" >&2
    failures=$((failures + 1))
}

awk '/^```c$/ { inside = 1; next } /^```$/ { if (inside) exit } inside' "$document" >"$work/first.c"
if ! cmp -s "$work/first.c" "$1/examples/first.c"; then
    fail "the program of the document (<) and examples/first.c (>):"
    diff "$work/first.c" "$1/examples/first.c" >&2 || :
fi
lines=$(wc -l <"$work/first.c")
[ "$lines" -ge 20 ] && [ "$lines" -le 40 ] || fail "the first program has $lines lines"

printed=$("$3/examples/first")
grep -qF "It prints \`$printed\`" "$document" || fail "it prints: $printed"

for header in "$1"/include/catgut/*; do
    name=${header##*/}
    grep -q "^|.*\`$name\`" "$document" || fail "the table has no $name"
    case $name in
    catgut.h | api.h | *.def) ;;
    *) grep -q "^#include \"catgut/$name\"" "$1/include/catgut/catgut.h" || fail "catgut.h does not include $name" ;;
    esac
done
for example in "$1"/examples/*.c; do
    name=${example##*/}
    [ "$name" = first.c ] || grep -qF "\`$name\`" "$document" || fail "the document does not name $name"
done

if [ "$failures" -ne 0 ]; then
    echo "$failures failed" >&2
    exit 1
fi

#!/bin/sh
# label: once
# scripts/check-format accepts this tree and a formatted one, and refuses one unformatted file by name.
# Arguments: the source tree, a folder to work in.
set -eu
check=$1/scripts/check-format
work=$2

rm -rf "$work"
mkdir -p "$work/tree/src/base" "$work/tree/include/catgut"
cp "$1/.clang-format" "$work/tree/"
printf 'int f(int x)\n{\n    return x;\n}\n' >"$work/tree/src/base/good.c"

code=0
"$check" "$work/tree" || code=$?
if [ "$code" -ne 0 ]; then
    [ "$code" -eq 77 ] || echo "refused a formatted tree" >&2
    exit "$code"
fi

printf 'int g(int x) { return  x; }\n' >"$work/tree/include/catgut/bad.h"
if "$check" "$work/tree" >"$work/words" 2>&1; then
    echo "accepted an unformatted file" >&2
    exit 1
fi
if ! grep -q 'include/catgut/bad.h:1:' "$work/words" || grep -q 'good.c' "$work/words"; then
    echo "did not name exactly the unformatted file:" >&2
    cat "$work/words" >&2
    exit 1
fi

"$check" "$1"

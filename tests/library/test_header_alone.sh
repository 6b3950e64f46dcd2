#!/bin/sh
# label: once
# Every public header compiles alone, in C17 and in C++17, with all warnings on.
# Arguments: the source tree, a folder to work in.
set -eu
root=$1
work=$2
rm -rf "$work"
mkdir -p "$work"
warnings="-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror"
failures=0
tried=0

try() { # try LANGUAGE COMPILER OPTIONS...
    language=$1
    compiler=$2
    shift 2
    command -v "$compiler" >/dev/null 2>&1 || return 0
    for header in "$root"/include/catgut/*.h; do
        name=${header##*/}
        printf '#include "catgut/%s"\n#include "catgut/%s"\ntypedef int alone;\n' "$name" "$name" >"$work/alone.$language"
        # shellcheck disable=SC2086  # a list of words
        if ! "$compiler" $warnings "$@" -I"$root/include" -fsyntax-only "$work/alone.$language"; then
            echo "failed: $name alone with $compiler $*" >&2
            failures=$((failures + 1))
        fi
        tried=$((tried + 1))
    done
}

try c gcc -std=c17
try c clang -std=c17
try cpp g++ -std=c++17 -Wold-style-cast
try cpp clang++ -std=c++17
if [ "$tried" -eq 0 ]; then
    echo "no compiler was found" >&2
    exit 1
fi

# The check can fail: a header that leans on another one.
mkdir -p "$work/bad/include/catgut"
echo 'cg_vec3 cg_lost(void);' >"$work/bad/include/catgut/lost.h"
sound=$failures
root=$work/bad
if try c "${CC:-cc}" -std=c17 2>/dev/null && [ "$failures" -eq "$sound" ]; then
    echo "a header that does not compile alone was accepted" >&2
    exit 1
fi
[ "$sound" -eq 0 ]

#!/bin/sh
# Builds that would change bits: what was built holds no fused multiply-add, also when the user asks for a processor that
# has one, and flags that change arithmetic are refused with a sentence.
# Arguments: the source tree, a folder to work in, the build folder.
set -eu
root=$1
work=$2
build=$3
rm -rf "$work"
mkdir -p "$work"
failures=0

fail() {
    echo "failed: $*" >&2
    failures=$((failures + 1))
}
cached() { # cached NAME: a value of the build's cache
    sed -n "s/^$1:[A-Z]*=//p" "$build/CMakeCache.txt"
}
compiler=$(cached CMAKE_C_COMPILER)
objdump=$(cached CMAKE_OBJDUMP)
[ -x "$objdump" ] || exit 77

# Names of instructions that round once where two operations are written: of x86, ARM64, RISC-V and s390x.
fused='	(vfn?m(add|sub)|fn?m(add|sub)|fml[as]|fcmla|m[as][de]br?|w?vfn?m[as])[a-z0-9.]*[ 	]'
look() { # look FILE...: lines of fused instructions in objects or libraries
    "$objdump" -d --no-show-raw-insn "$@" | grep -E "$fused" | head -n 5
}
found=$(look "$build/libcatgut.a")
[ -z "$found" ] || fail "the library holds fused instructions:
$found"
# The search finds one where one is.
case $("$compiler" -dumpmachine) in
x86_64*)
    echo 'double f(double a, double b, double c) { return __builtin_fma(a, b, c); }' >"$work/fused.c"
    "$compiler" -O2 -march=x86-64-v3 -c "$work/fused.c" -o "$work/fused.o"
    [ -n "$(look "$work/fused.o")" ] || fail "the search misses a fused instruction"
    # As the build compiles it, with a processor of the user's in front: places where gcc 12 makes fused instructions.
    for source in src/rigid/motion.c src/collide/walk.c; do
        for processor in x86-64-v3 x86-64-v4; do
            command=$(sed -n "s#^ *\"command\": \"\(.*/$source\)\",*\$#\1#p" "$build/compile_commands.json" | head -n 1)
            object=$(printf '%s\n' "$command" | sed 's/.* -o \([^ ]*\) .*/\1/')
            command=$(printf '%s\n' "$command" | sed -e 's/\\"/"/g' -e "s# -o $object # -O3 -o $work/walk.o #" \
                -e "s#$compiler #$compiler -march=$processor #")
            (cd "$build" && eval "$command") || fail "$source is not compiled for $processor: $command"
            [ -z "$(look "$work/walk.o")" ] || fail "$source for $processor holds fused instructions"
        done
    done
    ;;
esac

refused() { # refused WORDS FLAG...: a file with src/base/exact.h does not compile, and the sentence says why
    words=$1
    shift
    echo '#include "base/exact.h"' >"$work/refused.c"
    # A flag that this compiler has not is no way to change bits.
    "$compiler" "$@" -fsyntax-only -x c /dev/null >"$work/words" 2>&1 || return 0
    if "$compiler" -std=c17 -I"$root/src" "$@" -fsyntax-only "$work/refused.c" >"$work/words" 2>&1; then
        fail "accepted with $*"
    elif ! grep -qF -e "$words" "$work/words"; then
        fail "no '$words' for $*:"
        cat "$work/words" >&2
    fi
}
echo '#include "base/exact.h"' >"$work/good.c"
"$compiler" -std=c17 -I"$root/src" -fsyntax-only "$work/good.c" || fail "refused without any flag"
for flag in -ffast-math -ffinite-math-only; do
    refused '-ffast-math' "$flag"
done
case $("$compiler" -dumpmachine) in
x86_64*)
    refused '-msse2 -mfpmath=sse' -m32 -mno-sse -mfpmath=387
    case $("$compiler" --version) in
    *clang*) ;;
    *)
        refused '-mno-fma' -march=x86-64-v3
        refused '-mno-avx512f' -march=x86-64-v4 -mno-fma
        refused '-mno-fma4' -march=bdver2 -mno-fma
        refused '-ffast-math' -funsafe-math-optimizations
        ;;
    esac
    ;;
esac
[ "$failures" -eq 0 ]

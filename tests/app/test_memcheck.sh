#!/bin/sh
# label: slow
# Nothing reads what was never written, in a run, its replay, and exports of it: the same bits everywhere rest on that,
# and no other test looks for it (sanitizers look for other faults).
# Arguments: the source tree, a folder to work in, the build folder.
set -eu
root=$1
work=$2
build=$3
program=$build/catgut
command -v valgrind >/dev/null 2>&1 || exit 77
! grep -q '^CATGUT_\(SANITIZE\|TSAN\):BOOL=ON' "$build/CMakeCache.txt" || exit 77
rm -rf "$work"
mkdir -p "$work"
failures=0

look() {
    if ! valgrind --quiet --error-exitcode=99 --leak-check=no "$program" "$@" >"$work/words" 2>&1; then
        echo "failed: catgut $*" >&2
        tail -n 40 "$work/words" >&2
        failures=$((failures + 1))
    fi
}

look run "$root/scenes/needle.json" --seconds 0.01 --record "$work/a.cgr"
look replay "$work/a.cgr"
look export "$work/a.cgr" "$work/a.csv" --tension
look export "$work/a.cgr" "$work/a.glb"
look export "$work/a.cgr" "$work/a.pvd" --cells

# The tool finds a fault where one is.
cat >"$work/fault.c" <<'EOF'
#include <stdio.h>
#include <stdlib.h>
int main(void) { int *p = malloc(8); if (p[1] > 3) puts("more"); free(p); return 0; }
EOF
if cc -O0 -o "$work/fault" "$work/fault.c" 2>/dev/null; then
    ! valgrind --quiet --error-exitcode=99 "$work/fault" >/dev/null 2>&1 ||
        { echo "failed: valgrind misses a read of what was never written" >&2; failures=$((failures + 1)); }
fi
[ "$failures" -eq 0 ]

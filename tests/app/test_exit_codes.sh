#!/bin/sh
# The program ends as "catgut help" says: 0 done, 1 it ran and the result is bad, 2 bad input.
# Arguments: the source tree, a folder to work in, the build folder.
set -eu
root=$1
work=$2
program=$3/catgut
rm -rf "$work"
mkdir -p "$work"
cd "$work"
failures=0

ends() { # ends CODE COMMAND...
    wanted=$1
    shift
    code=0
    "$program" "$@" >words 2>&1 || code=$?
    if [ "$code" -ne "$wanted" ]; then
        echo "failed: catgut $* ended with $code, expected $wanted:" >&2
        cat words >&2
        failures=$((failures + 1))
    fi
}
"$program" help | grep -qF 'Exit codes: 0 done, 1 it ran and the result is bad, 2 bad input' || {
    echo "failed: catgut help does not name the exit codes" >&2
    failures=1
}

ends 0 help
ends 0 --version
ends 0 -v
ends 0 list
ends 0 run hanging --seconds 0.1 --record a.cgr
ends 0 replay a.cgr
ends 0 knot a.cgr
ends 0 export a.cgr a.csv
ends 0 check hanging
ends 0 completion bash

# It ran, and the result is bad: a script that fails, a recording that was cut off, a disk that is full.
printf 'wait until force of right above 5 N, at most 0.05 s\n' >nothing.script
ends 1 run cord --script nothing.script
size=$(wc -c <a.cgr)
head -c "$((size - 40))" a.cgr >cut.cgr
ends 1 replay cut.cgr
if [ -c /dev/full ]; then
    code=0
    "$program" list materials >/dev/full 2>words || code=$?
    [ "$code" -eq 1 ] || {
        echo "failed: a full disk ended with $code, expected 1" >&2
        failures=$((failures + 1))
    }
    ends 1 run hanging --seconds 0.1 --record /dev/full
fi

ends 2
ends 2 nosuch
ends 2 run
ends 2 run nosuch
ends 2 run hanging --nosuch
ends 2 run hanging --seconds -1
ends 2 run hanging --record nowhere/a.cgr
ends 2 check "$root/README.md"
ends 2 replay "$root/README.md"
ends 2 export a.cgr a.nosuch
ends 2 export a.cgr a.cgr
ends 2 knot --make nosuch
ends 2 serve nosuch
ends 2 bench nosuch
ends 2 experiment nosuch
ends 2 completion nosuch

if [ "$failures" -ne 0 ]; then
    echo "$failures failed" >&2
    exit 1
fi

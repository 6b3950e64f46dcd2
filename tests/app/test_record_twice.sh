#!/bin/sh
# Two runs that record to one name at the same time: each is whole or refused, and the file is never destroyed.
# Arguments: the source tree, a folder to work in, the build folder.
set -eu
program=$3/catgut
work=$2
rm -rf "$work"
mkdir -p "$work"
cd "$work"

record() { # record NUMBER: its exit code goes to a file
    code=0
    "$program" run hanging --seconds 1 --frame-every 1 --record a.cgr >"out.$1" 2>"err.$1" || code=$?
    echo "$code" >"code.$1"
}
round=0
refused=0
while [ "$round" -lt 5 ]; do
    record 1 &
    record 2
    wait
    for number in 1 2; do
        read -r code <"code.$number"
        case $code in
        0) ;;
        2)
            refused=$((refused + 1))
            grep -q 'another run is writing it' "err.$number" || {
                echo "refused without its reason:" >&2
                cat "err.$number" >&2
                exit 1
            }
            ;;
        *)
            echo "run $number ended with $code:" >&2
            cat "err.$number" >&2
            exit 1
            ;;
        esac
    done
    "$program" replay a.cgr >replay 2>&1 || {
        echo "the recording is destroyed:" >&2
        cat replay >&2
        exit 1
    }
    [ ! -e a.cgr.part ] || {
        echo "a part is left" >&2
        exit 1
    }
    round=$((round + 1))
done
echo "$refused of 10 runs were refused"

#!/bin/sh
# A run that gets SIGINT or SIGTERM ends in good order: its recording is whole and replays.
# Arguments: the source tree, a folder to work in, the build folder.
set -eu
work=$2
program=$3/catgut
rm -rf "$work"
mkdir -p "$work"

if [ ! -x "$program" ]; then
    echo "the program was not built" >&2
    exit 77
fi
for signal in INT TERM; do
    file=$work/$signal.cgr
    "$program" run "$1/tests/record/golden.json" --seconds 1000000 --record "$file" --json >"$work/out" 2>"$work/err" &
    run=$!
    # It is under way once bytes arrive; the file is buffered, so this is after many steps.
    while [ ! -s "$file.part" ]; do
        kill -0 "$run" || {
            cat "$work/err" >&2
            echo "failed: the run ended by itself" >&2
            exit 1
        }
    done
    kill -"$signal" "$run"
    code=0
    wait "$run" || code=$?
    if [ "$code" -ne 0 ] || ! grep -q '"interrupted": true' "$work/out"; then
        cat "$work/out" "$work/err" >&2
        echo "failed: exit code $code after SIG$signal" >&2
        exit 1
    fi
    if [ -e "$file.part" ]; then
        echo "failed: $file.part is still there" >&2
        exit 1
    fi
    "$program" replay "$file"
    # What a dead run leaves is read up to there.
    head -c 4000 "$file" >"$work/cut.cgr"
    code=0
    "$program" replay "$work/cut.cgr" 2>"$work/err" || code=$?
    if [ "$code" -ne 1 ] || ! grep -q 'cut off' "$work/err"; then
        cat "$work/err" >&2
        echo "failed: exit code $code for a recording that was cut off" >&2
        exit 1
    fi
done

#!/bin/sh
# An attempt whose program is killed is interrupted, and those before it stay as they were.
# Arguments: the source tree, a folder to work in, the build folder.
set -eu
work=$2
program=$3/catgut
rm -rf "$work"
mkdir -p "$work"
cd "$1"
fail() {
    echo "failed: $*" >&2
    exit 1
}
progress() {
    "$program" progress --logbook "$work/book.db" "$@"
}

"$program" try point-and-touch --trainee ann --logbook "$work/book.db" >"$work/first" || fail "the first attempt"
"$program" try square-knot --trainee ann --logbook "$work/book.db" >"$work/second" 2>&1 &
child=$!
tries=0
until progress --json | grep -q '"state": "running"'; do # it has begun
    tries=$((tries + 1))
    [ $tries -lt 600 ] || fail "the attempt never began"
    sleep 0.1
done
kill -9 $child
wait $child 2>/dev/null || :
progress --json >"$work/json"
grep -q '"state": "interrupted"' "$work/json" || fail "it is not marked: $(cat "$work/json")"
grep -q '"state": "running"' "$work/json" && fail "it runs still"
grep -q '"points": 100, "most": 100, "passed": true' "$work/json" || fail "the first attempt is not intact"
rm -rf "$work"

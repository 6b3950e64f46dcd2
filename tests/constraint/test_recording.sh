#!/bin/sh
# label: slow
# needs: the program
# A scene with constraints is run, recorded, replayed to the bit and exported. Where the program was built without them
# it says so, at the place in the scene.
#
#     test_recording.sh SOURCE WORK BUILD
set -eu
root=$1
work=$2
program=$3/catgut

fail() {
    echo "test_recording: $*" >&2
    exit 1
}

rm -rf "$work"
mkdir -p "$work"

if "$program" run "$root/scenes/pendulum.json" --seconds 0.01 2>&1 | grep -q 'built without them'; then
    "$program" run "$root/scenes/pendulum.json" >"$work/said" 2>&1 && fail "ran without constraints"
    grep -q 'pendulum.json:[0-9]*:[0-9]*: constraints need SuiteSparse' "$work/said" || fail "no place: $(cat "$work/said")"
    exit 0
fi

long=1 stitch=1.3
case ${3##*/} in
sanitize | tsan) long=0.2 stitch=0.2 ;; # its states with a stitch are restored in constraint.structure
esac
for scene in pendulum linkage sewing; do
    seconds=$long
    [ $scene != sewing ] || seconds=$stitch
    "$program" run "$root/scenes/$scene.json" --seconds $seconds --record "$work/$scene.cgr" >"$work/run" 2>&1 ||
        fail "run $scene: $(cat "$work/run")"
    "$program" replay "$work/$scene.cgr" >"$work/replay" 2>&1 || fail "replay $scene: $(cat "$work/replay")"
done

"$program" export "$work/sewing.cgr" "$work/sewing.csv" >"$work/export" 2>&1 || fail "export: $(cat "$work/export")"
for name in needle cord sheet; do
    grep -q "$name" "$work/sewing.csv" || fail "the export has no $name"
done

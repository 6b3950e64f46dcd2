#!/bin/sh
# label: once
# scripts/golden: the list of this tree is in order, a list that is not is refused, and what the script says and writes
# when values differ, in a made-up tree with made-up tools.
# Arguments: the source tree, a folder to work in.
set -eu
source=$1
work=$2
failures=0

fail() {
    echo "failed: $*" >&2
    failures=$((failures + 1))
}

sh "$source/scripts/golden" --names || fail "the list of this tree"

# What is compared with a number of the code's own making is in the list, not in a test. Two tests hold values of other
# origin: a second implementation, and a published check value.
for file in $(grep -lE 'CHECK_HASH\(.*, 0x[0-9a-fA-F]+u?\)' "$source"/tests/*/test_*.c); do
    case $file in
    */base/test_hash.c | */server/test_lines.c) ;;
    *) fail "$file compares a hash with a number of its own: CHECK_GOLDEN" ;;
    esac
done
for file in $(grep -l 'CHECK_GOLDEN(' "$source"/tests/*/test_*.c "$source"/tests/*/*.h); do
    grep -q '^// label: *golden' "$file" || fail "$file needs the label golden"
done

# A tree whose tests are a file: "values" is what they note; "outcome" how they end; a recording replays when it says so.
tree=$work/tree
rm -rf "$work"
mkdir -p "$tree/scripts" "$tree/tests/room" "$tree/tests/record" "$tree/include/catgut" "$tree/build/release" "$work/bin"
cp "$source/scripts/golden" "$tree/scripts/golden"
printf '#!/bin/sh\nexit 0\n' >"$tree/scripts/build"
cat >"$work/bin/ctest" <<'END'
#!/bin/sh
cat values >"$CATGUT_GOLDEN_NOTES"
exit "$(cat outcome)"
END
cat >"$tree/build/release/catgut" <<'END'
#!/bin/sh
case $1 in
replay) grep -q replays "$2" || { echo "differs at step 3"; exit 1; } ;;
run) echo "replays" >"$4" ;;
esac
END
chmod +x "$tree/scripts/build" "$work/bin/ctest" "$tree/build/release/catgut"
echo '#define CG_MOTION_VERSION 7' >"$tree/include/catgut/world.h"
printf '// label: golden\nTEST(one)\nTEST(other)\n' >"$tree/tests/room/test_thing.c"
echo 'TEST(one)' >"$tree/tests/room/test_plain.c"
PATH=$work/bin:$PATH
export PATH

lay_out() { # the values of the list and what the tests note
    printf '# words\nchange 2026-01-01 00000000 motion 6: why\n\n%b' "$1" >"$tree/tests/golden.txt"
    printf '%b' "$2" >"$tree/values"
    echo 0 >"$tree/outcome"
    echo replays >"$tree/tests/record/golden.cgr"
}

run() { # run EXPECTED_CODE ARGUMENT...: what it says is in "said"
    expected=$1
    shift
    code=0
    sh "$tree/scripts/golden" "$@" >"$work/said" 2>&1 || code=$?
    [ "$code" -eq "$expected" ] || fail "golden $*: exit $code, expected $expected: $(cat "$work/said")"
}

said() {
    grep -qF -- "$1" "$work/said" || fail "not said: $1: $(cat "$work/said")"
}

one='room.thing.one.1 0x0000000000000001\n'
two='room.thing.one.2 0x0000000000000002\n'
three='room.thing.other.1 0x0000000000000003\n'

lay_out "$one$two" "$two$one"
run 0
said "2 values and all recordings agree"
lay_out "$one$two" "$one"'room.thing.one.2 0x0000000000000009\n'
run 1
said "room.thing.one.2: now 0x0000000000000009, was 0x0000000000000002"
lay_out "$one" "$one$three"
run 1
said "room.thing.other.1: now 0x0000000000000003, new"
lay_out "$one$three" "$one"
run 1
said "room.thing.other.1: was 0x0000000000000003, gone"
lay_out "$one" 'room.thing.other.7 0x0000000000000001\n'
run 1
said "room.thing.other.7: 0x0000000000000001, moved from room.thing.one.1"
lay_out "$one" "$one"
echo 8 >"$tree/outcome"
run 1
said "the values agree, but tests fail"
lay_out "$one" "$one"
echo "no" >"$tree/tests/record/golden.cgr"
run 1
said "golden.cgr: differs at step 3"

# Reasons are kept, one is added, and what is written is what the tests gave.
lay_out "$one$two" 'room.thing.one.1 0x000000000000000a\n'"$three"
echo "no" >"$tree/tests/record/golden.cgr"
run 0 --update "springs pull the other way"
grep -q '^change 2026-01-01 00000000 motion 6: why$' "$tree/tests/golden.txt" || fail "the reason of before is gone"
grep -qE '^change [0-9-]{10} [^ ]+ motion 7: 1 changed, 1 new, 0 moved, 1 gone, 1 recordings: springs pull the other way$' \
    "$tree/tests/golden.txt" || fail "the reason: $(cat "$tree/tests/golden.txt")"
run 0
run 0 --names
run 0 --update "and once more"
said "nothing differs, nothing written"
if grep -q "once more" "$tree/tests/golden.txt"; then fail "a reason without a change"; fi

# No reason, or tests that fail otherwise: nothing is written.
lay_out "$one" "$three"
run 2 --update
run 2 --update "because"
run 2 --update ""
run 2 --updat "a good reason"
echo 8 >"$tree/outcome"
run 1 --update "a good reason"
grep -q "one.1" "$tree/tests/golden.txt" || fail "written though tests fail"

# A list that does not belong to the tests.
for bad in 'room.thing.gone.1 0x0000000000000001' 'room.nothing.one.1 0x0000000000000001' \
    'room.thing.one 0x0000000000000001' 'room.thing.one.1 0x1' 'room.thing.one.1 0x0000000000000001 2' \
    'room.thing.one.1 0x0000000000000001\nroom.thing.one.1 0x0000000000000001' 'room.plain.one.1 0x0000000000000001'; do
    lay_out "$bad\n" ""
    run 1 --names
done

[ "$failures" -eq 0 ]

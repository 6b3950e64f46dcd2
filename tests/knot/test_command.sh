#!/bin/sh
# needs: the program
# `catgut knot` as a person or a script meets it: files in, words, JSON and exit codes out. Arguments: the source tree, a
# folder to work in, the build folder.
set -eu
work=$2
catgut=$3/catgut
failures=0
rm -rf "$work"
mkdir -p "$work"

fail() {
    echo "failed: $*" >&2
    failures=$((failures + 1))
}

if ! [ -x "$catgut" ]; then
    echo "the program is not built here" >&2
    exit 77
fi

# has FILE TEXT: a line of the file is exactly this, blanks at its start aside
has() {
    sed 's/^ *//' "$1" | grep -qxF -- "$2" || {
        fail "no line '$2' in:"
        cat "$1" >&2
    }
}

# names KNOT WORDS NAME COMMON NOTATION: makes a knot, names it as words and as JSON
names() {
    # shellcheck disable=SC2086  # a list of words
    "$catgut" knot --make $1 $2 >"$work/points.txt" || fail "--make $1 $2"
    "$catgut" knot "$work/points.txt" --json >"$work/out.json" || fail "knot $1 --json"
    has "$work/out.json" "\"name\": \"$3\","
    has "$work/out.json" "\"common\": \"$4\","
    has "$work/out.json" "\"notation\": \"$5\","
    has "$work/out.json" '"certain": true'
    "$catgut" knot "$work/points.txt" >"$work/out.txt" || fail "knot $1"
    if [ -n "$4" ]; then
        has "$work/out.txt" "$3 ($4)"
    else
        has "$work/out.txt" "$3"
    fi
}

names overhand "" m3_1 overhand 1
names figure-eight "" 4_1 figure-eight ""
names reef "" "3_1#m3_1" square 1=1
names granny "" "m3_1#m3_1" granny 1x1
names surgeon "" "3_1#m3_1#m5_1" "surgeon's" 2=1=1
names slip "" "3_1#m3_1" slip S=S
names reef "--threads 2" "3_1#m3_1" square 1=1
names thief "--threads 2" "3_1#m3_1" thief 1=1
names grief "--threads 2" "m3_1#m3_1" grief 1x1
names 6_1 "" 6_1 stevedore ""
names m8_20 "" m8_20 "" ""
names 8_18 "" 8_18 "" ""

# The ends that are pulled decide.
"$catgut" knot --make reef --threads 2 >"$work/reef.txt"
"$catgut" knot "$work/reef.txt" --pull fl --json >"$work/out.json"
has "$work/out.json" '"common": "thief",'

# A thread tied around a post, which is no part of the name: two turns and a half of a helix.
awk 'BEGIN { print 1, -10, -2; for (k = 0; k <= 60; k++) { t = 5 * 3.141592653589793 * k / 60; print cos(t), sin(t), k / 30 - 1 }
    print -1, -10, 2; print ""; print 0, 0, -20; print 0, 0, 20 }' >"$work/post.txt"
"$catgut" knot "$work/post.txt" --post thread_2 --json >"$work/out.json" || fail "--post"
has "$work/out.json" '{"wraps": 2, "sense": "right", "hitch": false}'

# Closed threads: a ring, and two rings through each other.
awk 'BEGIN { for (i = 0; i <= 40; i++) { t = i * 6.283185307179586 / 40; if (i == 40) t = 0; print cos(t), sin(t), 0 } }' \
    >"$work/ring.txt"
"$catgut" knot "$work/ring.txt" --json >"$work/out.json"
has "$work/out.json" '"name": "0_1",'
has "$work/out.json" '"certain": true'
awk 'BEGIN { print ""; for (i = 0; i <= 40; i++) { t = i * 6.283185307179586 / 40; if (i == 40) t = 0; print 1 + cos(t), 0, sin(t) } }' \
    >>"$work/ring.txt"
"$catgut" knot "$work/ring.txt" --json >"$work/out.json"
has "$work/out.json" '"name": "2^2_1",'
has "$work/out.json" '"common": "Hopf link",'

# A recording: the last shape, and when the name changed. A snapshot of the same run: the same name.
scene=$1/scenes/overhand.json
"$catgut" run "$scene" --seconds 0.05 --record "$work/run.cgr" --snapshot "$work/run.cgs" >/dev/null 2>&1 ||
    fail "run --record --snapshot"
for file in run.cgr run.cgs; do
    "$catgut" knot "$work/$file" --json >"$work/$file.json" || fail "knot of $file"
    has "$work/$file.json" '"name": "m3_1",'
    has "$work/$file.json" '"common": "overhand",'
    has "$work/$file.json" '"notation": "1",'
    has "$work/$file.json" '"certain": true,'
    grep -q '"changes": \[' "$work/$file.json" || fail "no changes in the JSON of $file"
done
"$catgut" replay "$work/run.cgs" >"$work/out.txt" || fail "replay of a snapshot"
grep -q 'agrees: 1 state hashes over 0 steps' "$work/out.txt" || fail "replay of a snapshot says: $(cat "$work/out.txt")"
code=0
"$catgut" run "$scene" --seconds 0.001 --snapshot "$work/missing/run.cgs" >/dev/null 2>"$work/err" || code=$?
[ "$code" -eq 2 ] || fail "a snapshot that cannot be written ended with $code"
grep -q 'cannot be written' "$work/err" || fail "a snapshot that cannot be written is not told"

# refuses TEXT WORDS...: exit code 2, the text among the words on standard error, nothing on standard output
refuses() {
    text=$1
    shift
    code=0
    "$catgut" knot "$@" >"$work/out" 2>"$work/err" || code=$?
    [ "$code" -eq 2 ] || fail "knot $* ended with $code"
    grep -qF -- "$text" "$work/err" || {
        fail "knot $* does not say '$text' but:"
        cat "$work/err" >&2
    }
    [ ! -s "$work/out" ] || fail "knot $* printed something"
}
printf '0 0 0\n1 nan 0\n' >"$work/nan.txt"
printf '0 0 0\n' >"$work/one.txt"
printf '%s\n' '-1 0 0' '1 0 0' '1 1 0' '0 1 0' '0 -1 0' >"$work/through.txt"
printf '0 0 0\n1 0 0\n\n0 1 0\n1 1 0\n\n0 2 0\n1 2 0\n' >"$work/three.txt"
awk 'BEGIN { for (i = 0; i < 20001; i++) print i, i % 7, i % 3 }' >"$work/long.txt"
head -c 700 "$work/run.cgs" >"$work/cut.cgs"
refuses "a FILE to read is needed"
refuses "nan.txt:2:3: found" "$work/nan.txt"
refuses "one.txt:1:1: found a thread of one point" "$work/one.txt"
refuses "touches itself" "$work/through.txt"
refuses "found 3 threads, expected one or two" "$work/three.txt"
refuses "more than 20000 points" "$work/long.txt"
refuses "found no shape in it" "$work/cut.cgs"
refuses "missing.txt" "$work/missing.txt"
refuses "expected ff, fl, lf or ll" "$work/reef.txt" --pull fx
refuses "there is no knot" --make 9_9
refuses "in 1 threads" --make thief
refuses "expected 1 or 2" --make reef --threads 3
refuses "found no thread" "$work/reef.txt" --thread nobody
refuses "found no thread" "$work/reef.txt" --post nobody
refuses "found a post alone" "$work/reef.txt" --thread thread_1 --post thread_1

if [ "$failures" -ne 0 ]; then
    echo "$failures failed" >&2
    exit 1
fi

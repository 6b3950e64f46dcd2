#!/bin/sh
# label: slow
# A sweep: the same table from one worker, two, and the ranks of MPI; a killed one goes on where it was, with no row lost;
# what is wrong is told before a run.
# Arguments: the source tree, a folder to work in, the build folder.
set -eu
work=$2
build=$3
program=$build/catgut
rm -rf "$work"
mkdir -p "$work"
cp -r "$1/scenes" "$work/scenes"
cd "$work"
fail() {
    echo "failed: $*" >&2
    exit 1
}

cat >design.json <<'END'
{
    "scene": "hanging", "seconds": "20 ms",
    "grid": {"/threads/0/vertices": [21, 41], "/gravity": [[0, 0, -9.81], [0, 0, -2]]},
    "random": {"count": 3, "seed": 7, "fields": {"/threads/0/damping_time": ["0.1 ms", "2 ms"]}, "log": {"/threads/0/drag": [0.1, 10]}}
}
END
"$program" sweep design.json -o one.csv --plain >told || fail "a sweep"
grep -qx 'one.csv: 12 runs' told || fail "it says $(cat told)"
[ "$(wc -l <one.csv)" -eq 13 ] || fail "rows of the table"
[ ! -e one.csv.rows ] || fail "the rows stay behind the table"
"$program" sweep design.json -o two.csv --plain --workers 2 >told || fail "a sweep of two workers"
cmp one.csv two.csv || fail "two workers give another table"

# Row 5 is 21 vertices, the second gravity, the third drawing: its run alone has the same state.
awk -F, 'NR == 7 { exit !($2 == 21 && /"\[0, 0, -2\]"/) }' one.csv || fail "row 5: $(sed -n 7p one.csv)"
hash=$(sed -n 's/.*,\(0x[0-9a-f]*\),.*/\1/p' one.csv | sed -n 6p)
drag=$(sed -n 7p one.csv | sed 's/.*ms""",\([^,]*\),.*/\1/')
damping=$(sed -n 7p one.csv | sed 's/.*"""\([^"]*\) ms""".*/\1/')
awk -v d="$drag" -v t="$damping" 'BEGIN { exit !(d >= 0.1 && d <= 10 && t >= 0.1 && t <= 2) }' || fail "drawn: $drag, $damping"
sed -e "s/\"title\"/\"gravity\": [0, 0, -2], \"title\"/" -e 's/"vertices": 101/"vertices": 21/' \
    -e "s/\"name\": \"thread\",/\"name\": \"thread\", \"drag\": $drag, \"damping_time\": \"$damping ms\",/" \
    -e '/^ *"drag": /d' -e '/^ *"damping_time": /d' scenes/hanging.json >alone.json
"$program" run alone.json --seconds 0.02 >told || fail "the run of row 5 alone: $(cat told)"
grep -q "state hash $hash" told || fail "row 5 has $hash, alone it is $(cat told)"

# Killed, and begun again, as often as it takes to see rows of before.
sed 's/20 ms/400 ms/' design.json >long.json
"$program" sweep long.json -o whole.csv --plain >/dev/null || fail "the long sweep"
"$program" sweep long.json -o killed.csv --plain >/dev/null 2>&1 &
child=$!
tries=0
while kill -0 $child 2>/dev/null && [ ! -s killed.csv.rows ]; do # it has a table
    tries=$((tries + 1))
    [ $tries -lt 600 ] || fail "the sweep never began"
    sleep 0.1
done
kill -9 $child 2>/dev/null || :
wait $child 2>/dev/null || :
"$program" sweep long.json -o killed.csv --plain --force >told 2>&1 || fail "to go on: $(cat told)"
cmp whole.csv killed.csv || fail "a killed sweep gives another table"

# The table of another design is left alone.
"$program" sweep design.json -o rows.db >/dev/null || fail "a table of SQLite"
"$program" sweep design.json -o rows.db >told 2>&1 || fail "a table that is done"
grep -q '12 of 12 runs are done already' told || fail "done already: $(cat told)"
if "$program" sweep long.json -o rows.db >told 2>&1; then
    fail "rows of another design"
fi
grep -q 'another design' told || fail "another design: $(cat told)"

refused() { # refused DESIGN WORDS: the design is refused with these words, before any run
    printf '%s\n' "$1" >bad.json
    if "$program" sweep bad.json -o bad.csv >told 2>&1; then
        fail "accepted: $1"
    fi
    grep -q "$2" told || fail "of $1: $(cat told)"
    [ ! -e bad.csv.rows ] || fail "a table of $1"
}
refused '{"scene": "hanging", "grid": {"/thread/0/drag": [1]}}' 'leads nowhere'
refused '{"scene": "hanging", "grid": {"/threads/0/drag": ["quick"]}}' 'expected a rate'
refused '{"scene": "hangng"}' 'did you mean'
refused '{"scene": "hanging", "random": {"fields": {"/threads/0/drag": [0, 1]}}}' 'count'
refused '{"scene": "hanging", "random": {"count": 2, "fields": {"/threads/0/drag": [2, 1]}}}' 'least, most'
refused '{"seconds": 1}' 'either a "scene" or a "task"'

# A task under seeds, scored.
printf '{"task": "point-and-touch", "seeds": {"from": 3, "to": 4}, "scripts": ["touch-all", "touch-four"]}\n' >task.json
"$program" sweep task.json -o task.csv --plain >/dev/null || fail "a sweep of a task"
passed=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "passed") p = i } NR > 1 { printf "%s", $p }' task.csv)
[ "$passed" = 1010 ] || fail "of four attempts passed: $passed"

"$program" sweep "it's.json" -o table.csv --slurm >job.sh || fail "--slurm"
bash -n job.sh || fail "the job file"
grep -qF "'it'\\''s.json' -o 'table.csv'" job.sh || fail "the words of the job: $(tail -1 job.sh)"

if command -v mpirun >/dev/null 2>&1 && [ -x "$build/catgut-sweep-mpi" ]; then
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM
    for ranks in 1 2; do
        mpirun --oversubscribe -n $ranks "$build/catgut-sweep-mpi" design.json -o mpi$ranks.csv --plain >told 2>&1 ||
            fail "$ranks ranks: $(cat told)"
        cmp one.csv mpi$ranks.csv || fail "$ranks ranks give another table"
    done
fi
cd /
rm -rf "$work"

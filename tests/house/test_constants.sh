#!/bin/sh
# label: once
# scripts/constants: keeps this tree within its limits, counts what a made-up room has, and refuses a copy of this tree with
# one number, one name of two values more, or without its asserts.
# Arguments: the source tree, a folder to work in.
set -eu
source=$1
work=$2
count=$source/scripts/constants
failures=0
rm -rf "$work"
mkdir -p "$work/small/src/laws" "$work/small/src/session"

fail() {
    echo "failed: $*" >&2
    failures=$((failures + 1))
}

"$count" "$source" >"$work/said" || fail "this tree: $(tail -1 "$work/said")"

# Six numbers: an array and what stands in two lines count once a name; kinds, texts, calls and comments do not count.
cat >"$work/small/src/laws/a.c" <<'END'
static const double NEAR = 0.1, FAR = 2; // [m], and = 3
static const double WEIGHTS[3] = {1, 2, 3};
static const double LONG =
    1.0 / 3;
#define MOST 12
#define TWICE(x) (2 * (x))
enum { SIZE = 7 };
static const char *const name = "a, b = 3";
// static const double GONE = 1;
static int f(int x)
{
    const double inside = 4;
    assert(x > inside);
    static_assert(SIZE == 7, "");
    return x;
}
END
echo 'static const int FAR = 3;' >"$work/small/src/laws/b.c"
echo 'static const double OTHER = 3;' >"$work/small/src/session/c.c"
code=0
MOST_NAMES=0 "$count" "$work/small" >"$work/said" || code=$?
[ "$code" -eq 1 ] || fail "a name with two values is accepted"
grep -qx 'src/laws 17 6 1 58.82' "$work/said" || fail "counted: $(cat "$work/said")"
grep -qx 'FAR has the values 2 3 in src/laws/a.c src/laws/b.c' "$work/said" || fail "names: $(cat "$work/said")"
grep -q 'constants: names with several values: 1, at most 0' "$work/said" || fail "reason: $(cat "$work/said")"
MOST_NAMES=1 MOST_NUMBERS=6 "$count" "$work/small" >/dev/null || fail "6 numbers, at most 6"
code=0
MOST_NAMES=1 MOST_NUMBERS=5 "$count" "$work/small" >/dev/null || code=$?
[ "$code" -eq 1 ] || fail "6 numbers, at most 5"
code=0
"$count" "$work" >/dev/null || code=$?
[ "$code" -eq 1 ] || fail "no rooms at all"

# What this tree has is the limit: one more, of a copy, is refused.
mkdir -p "$work/copy"
cp -r "$source/src" "$work/copy/"
total=$(sed -n 's/^all [0-9]* \([0-9]*\) .*/\1/p' "$work/said")
"$count" "$work/copy" >"$work/said" || fail "a copy of this tree"
total=$(sed -n 's/^all [0-9]* \([0-9]*\) .*/\1/p' "$work/said")
several=$(sed -n 's/^all .*; \([0-9]*\) names.*/\1/p' "$work/said")
refused() { # refused WORDS: with the copy as it is
    if MOST_NUMBERS=$total MOST_NAMES=$several "$count" "$work/copy" >"$work/said"; then
        fail "accepted: $1"
    elif ! grep -q "constants: $1" "$work/said"; then
        fail "$1: $(tail -1 "$work/said")"
    fi
}
printf 'static const double ONE_MORE_OF_THEM = 0.25;\n' >"$work/copy/src/world/extra.c"
refused "numbers: $((total + 1)), at most $total"
total=$((total + 1))
printf 'static const double ONE_MORE_OF_THEM = 0.25;\n#define ONE_MORE_OF_THEM 0.5\n' >"$work/copy/src/world/extra.c"
total=$((total + 1))
refused "names with several values: $((several + 1)), at most $several"
rm "$work/copy/src/world/extra.c"
for file in "$work"/copy/src/*/*.c; do
    if grep -q 'assert(' "$file"; then
        sed 's/assert(/(void)(/' "$file" >"$work/without" && cp "$work/without" "$file"
    fi
done
refused "too few asserts"

[ "$failures" -eq 0 ]

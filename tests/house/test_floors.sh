#!/bin/sh
# label: once
# scripts/check-floors accepts this tree and a made-up good one, and refuses made-up bad ones with place and rule.
# Arguments: the source tree, a folder to work in.
set -eu
check=$1/scripts/check-floors
work=$2
failures=0

rm -rf "$work"
mkdir -p "$work"

fail() {
    echo "failed: $*" >&2
    failures=$((failures + 1))
}

new_tree() {
    rm -rf "$work/tree"
    mkdir -p "$work/tree/src/base" "$work/tree/src/thread" "$work/tree/src/scene" "$work/tree/include/catgut" \
        "$work/tree/apps/catgut" "$work/tree/src/linalg" "$work/tree/scripts"
    echo '#include "base/vec3.h"' >"$work/tree/src/linalg/user.c"
    echo 'base/vec3.h src' >"$work/tree/scripts/interfaces"
    echo '#include <stdint.h>' >"$work/tree/include/catgut/world.h"
    echo '#include <math.h>' >"$work/tree/src/base/vec3.h"
}

accepts() { # accepts WHAT
    if ! "$check" "$work/tree" >"$work/words" 2>&1; then
        fail "refused $1"
        cat "$work/words" >&2
    fi
}

refuses() { # refuses FILE:LINE WORDS: exactly this place, and the rule says this
    if "$check" "$work/tree" >"$work/words" 2>&1; then
        fail "accepted what should be refused at $1"
    elif ! grep -qF "$1: " "$work/words" || ! grep -qF "$2" "$work/words"; then
        fail "no '$2' at $1 in:"
        cat "$work/words" >&2
    elif [ "$(grep -c ':[0-9]*: ' "$work/words")" -ne 1 ]; then
        fail "more than one complaint for $1:"
        cat "$work/words" >&2
    fi
}

"$check" "$1" || fail "this tree goes against its floors"

new_tree
cat >"$work/tree/src/thread/good.c" <<'END'
#include "base/vec3.h"
#include "catgut/world.h"
#include <catgut/world.h>
/* the angle is sin(x); pow(2, 3)
   and cos(x) is a word of this comment, as #include "world/world.h" is */
#include <math.h> // for sqrt, not for exp(x)
static const char *text = "time(NULL) and \" log(2)";
static char quote = '"'; // rand()
double cg_sin(double x);
double good(double x, struct world *w) { return cg_sin(x) + sqrt(fabs(x)) + w->clock() + w.time(); }
END
echo 'double f(double x) { return pow(x, 2.0); }' >"$work/tree/src/scene/number.c" # not in the physics
echo '#include "../../src/thread/good.h"' >"$work/tree/apps/catgut/main.c"         # nobody restricts the program
accepts "a good tree"

bad_line() { # bad_line FILE TEXT RULE: the text on the second line
    new_tree
    printf '\n%s\n' "$2" >"$work/tree/$1"
    refuses "$1:2" "$3"
}
bad_line src/base/bad.c '#include "thread/thread.h"' 'thread comes after base'
bad_line src/thread/bad.h '  #  include "world/world.h"' 'world comes after thread'
bad_line src/thread/bad.c '#include "apps/catgut/plot.h"' 'not of the library'
bad_line src/thread/bad.c '#include "tests/harness.h"' 'not of the library'
bad_line src/thread/bad.c '#include "bench/bench.h"' 'not of the library'
bad_line src/thread/bad.c '#include "../base/vec3.h"' 'without dots'
bad_line src/thread/bad.c '#include "harness.h"' 'is not in src/thread'
bad_line src/thread/bad.c '#include <unistd.h>' 'neither a header of standard C nor ours'
bad_line src/scene/bad.c '#include <sqlite3.h>' 'neither a header of standard C nor ours'
bad_line src/thread/bad.c '#include <suitesparse/klu.h>' 'neither a header of standard C nor ours'
bad_line src/scene/bad.c '#include "constraint/dae.h"' 'may be left out'
bad_line src/thread/bad.c '#include HEADER' 'must name its file'
bad_line include/catgut/bad.h '#include "base/vec3.h"' 'only public headers'
bad_line include/catgut/bad.h '#include <cblas.h>' 'neither a header of standard C nor ours'
for call in sin cos tan asin acos atan atan2 exp log pow fma hypot cbrt sinf fmal rand time clock; do
    bad_line src/thread/bad.c "double y = 2*$call (x);" "$call() is forbidden"
done
bad_line src/base/bad.h 'double y = __builtin_sin(x);' 'sin() is forbidden'
bad_line src/base/bad.h '/* a */ double y = x>exp(x); // b' 'exp() is forbidden'
bad_line include/catgut/bad.h 'static inline double f(double x) { return cos(x); }' 'cos() is forbidden'

new_tree
mkdir -p "$work/tree/src/cellar"
echo 'int x;' >"$work/tree/src/cellar/wine.c"
refuses src/cellar/wine.c:1 'has no floor'
new_tree
echo 'int x;' >"$work/tree/src/loose.c"
refuses src/loose.c:1 'lives in a folder'

# What is private to a room stays in it, unless it is listed, and the list has nothing that nobody uses.
bad_user() { # bad_user FILE TEXT RULE: the text on the second line; base/vec3.h is given to src alone
    new_tree
    mkdir -p "$work/tree/lab" "$work/tree/tests/thread"
    echo 'int b;' >"$work/tree/src/base/arena.h"
    printf '\n%s\n' "$2" >"$work/tree/$1"
    refuses "$1:2" "$3"
}
bad_user src/thread/bad.c '#include "base/arena.h"' 'private to src/base: scripts/interfaces does not give it to src'
bad_user apps/catgut/bad.c '#include "base/vec3.h"' 'does not give it to apps'
bad_user lab/bad.h '# include "base/vec3.h"' 'does not give it to lab'
new_tree
mkdir -p "$work/tree/tests/thread"
echo 'int b;' >"$work/tree/src/base/arena.h"
echo '#include "base/arena.h"' >"$work/tree/tests/thread/test_thing.c"
accepts "a test that looks inside"
refuses_list() { # refuses_list WORDS LINE...: the list with these lines
    words=$1
    shift
    new_tree
    printf '%s\n' "$@" >"$work/tree/scripts/interfaces"
    if "$check" "$work/tree" >"$work/words" 2>&1; then
        fail "accepted the list: $*"
    elif ! grep -qF "$words" "$work/words"; then
        fail "no '$words' in: $(cat "$work/words")"
    fi
}
new_tree
printf '%s\n' 'base/vec3.h src lab' 'base/trig.h src' >"$work/tree/scripts/interfaces"
accepts "a list that is too long"
for words in 'base/trig.h is used by nobody of src' 'base/vec3.h is used by nobody of lab'; do
    grep -qF "$words" "$work/words" || fail "no '$words' in: $(cat "$work/words")"
done
refuses_list 'base/vec3.h is given to src twice' 'base/vec3.h src src'
refuses_list 'base/vec3.h: to whom?' 'base/vec3.h'
refuses_list 'src/linalg/user.c:1: "base/vec3.h" is private' '# no list at all'
new_tree
"$(dirname "$check")/check-interfaces" --list "$work/tree" >"$work/list"
grep -qx 'base/vec3.h src' "$work/list" || fail "the list that is made: $(cat "$work/list")"

# What has grown too large is printed, and nothing is refused for it.
new_tree
{
    echo 'typedef struct wide {'
    for k in 1 2 3 4 5 6 7 8 9 10; do echo "    double a$k, *b$k[3]; // c, d;"; done
    printf '    struct {\n        int x, y;\n    } pairs[7];\n    void (*call)(int a, int b);\n    union {\n        int u;\n'
    printf '    };\n    enum { ONE, TWO } kind;\n} wide;\n'
} >"$work/tree/src/thread/wide.h"
printed() { # printed WHAT LINE: what is printed besides nothing
    accepts "$1"
    [ "$(cat "$work/words")" = "$2" ] || fail "$1: printed '$(cat "$work/words")', expected '$2'"
}
printed "25 fields" ''
sed 's/int u;/int u, v, w, p, q, r;/' "$work/tree/src/thread/wide.h" >"$work/wide" && cp "$work/wide" "$work/tree/src/thread/wide.h"
printed "30 fields" ''
sed 's/int u, v/int o, u, v/' "$work/tree/src/thread/wide.h" >"$work/wide" && cp "$work/wide" "$work/tree/src/thread/wide.h"
printed "31 fields" 'struct src/thread/wide.h:wide 31'
new_tree
lines() { awk -v count="$1" 'BEGIN { for (i = 1; i <= count; i++) print "    x++;" }'; }
{ echo 'void f(void)'; echo '{'; lines 63; echo '}'; } >"$work/tree/src/thread/f.c"
printed "a function of 65 lines" ''
{ echo 'void f(void)'; echo '{'; lines 64; echo '}'; } >"$work/tree/src/thread/f.c"
printed "a function of 66 lines" 'function src/thread/f.c:2 66'
lines 600 >"$work/tree/src/thread/f.c"
printed "a file of 600 lines" ''
lines 601 >"$work/tree/apps/catgut/f.c"
printed "a file of 601 lines" 'file apps/catgut/f.c 601'
rm "$work/tree/apps/catgut/f.c"
for k in 1 2 3 4 5 6 7 8 9 10; do lines 600 >"$work/tree/src/thread/f$k.c"; done
rm "$work/tree/src/thread/f.c"
printed "a room of 6000 lines" ''
echo >"$work/tree/src/thread/g.c"
printed "a room of 6001 lines" 'room src/thread 6001'

if [ "$failures" -ne 0 ]; then
    echo "$failures failed" >&2
    exit 1
fi

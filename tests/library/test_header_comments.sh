#!/bin/sh
# label: once
# scripts/check-headers accepts this tree and made-up good headers, and finds each made-up name without a comment, at its
# place, and no other. Arguments: the source tree, a folder to work in, the build folder.
set -eu
check=$1/scripts/check-headers
work=$2
failures=0
rm -rf "$work"
mkdir -p "$work/tree/include/catgut"
header=$work/tree/include/catgut/made_up.h

fail() {
    echo "failed: $*" >&2
    failures=$((failures + 1))
}

# finds WHAT...: the header of standard input gets exactly these complaints, "line kind name" each, in this order
finds() {
    cat >"$header"
    code=0
    "$check" "$work/tree" >"$work/words" 2>&1 || code=$?
    : >"$work/wanted"
    for wanted in "$@"; do
        echo "include/catgut/made_up.h:${wanted%% *}: ${wanted#* }" >>"$work/wanted"
    done
    grep '^include' "$work/words" >"$work/found" || :
    if ! cmp -s "$work/wanted" "$work/found"; then
        fail "wanted (-), found (+) in: $(head -n 4 "$header" | tr '\n' ' ')"
        diff "$work/wanted" "$work/found" >&2 || :
    fi
    if { [ $# -gt 0 ] && [ "$code" -ne 1 ]; } || { [ $# -eq 0 ] && [ "$code" -ne 0 ]; }; then
        fail "exit code $code with $# names to find"
        cat "$work/words" >&2
    fi
}

"$check" "$1" || fail "this tree has public names without comments"
# From here on with the reader that is built already.
HEADER_READER=$3/tests/library/fixture_headers
export HEADER_READER
"$check" "$1" || fail "this tree has public names without comments"

finds <<'END'
#ifndef CATGUT_MADE_UP_H
#define CATGUT_MADE_UP_H
#include "catgut/api.h"
CG_API_BEGIN

// A number.
#define CG_NUMBER (-1.0)
#define CG_OTHER 2 // beside
/* a block
   comment */
typedef struct cg_opaque cg_opaque;
typedef int cg_count; // beside

// A kind.
typedef enum cg_kind {
    CG_ONE = (1 << 2), // first
    // above
    CG_TWO,
    CG_THREE /* last */
} cg_kind;
// Both on a line.
typedef enum cg_side { CG_LEFT, CG_RIGHT } cg_side;

// A struct.
typedef struct cg_thing {
    double x, y; // [m]
    int list[CG_NUMBER]; // a long comment
                         // that goes on
    // A function: it takes (a, b).
    bool (*call)(void *context, int (*inner)(int a));
    struct {
        int inside; // in an inner struct
    } inner;        // the inner one
} cg_thing;

// A function
// with two lines.
const char *cg_do(int first, const char *text, void (*call)(int),
                  int last);
// A short one with a body.
static inline int cg_short(int x)
{
    int y = x; if (y) { return 1; }
    return y;
}
// A callback type.
typedef void (*cg_callback)(int x);
#define CG_LOCAL(name) name
#undef CG_LOCAL

CG_API_END
#endif
END

finds '3 function cg_bare has no comment' <<'END'
// The one above.
int cg_fine(void);
int cg_bare(int x, int y);
END
finds '3 function cg_far has no comment' <<'END'
// A blank line between.

int cg_far(void);
END
finds '3 field bare has no comment' '4 field first has no comment' '4 field second has no comment' <<'END'
// A struct.
typedef struct cg_thing {
    int bare;
    double first, *second;
    int fine; // fine
} cg_thing;
END
finds '5 field after has no comment' <<'END'
// A struct.
typedef struct cg_thing {
    int fine; // a comment that
              // goes on
    int after;
} cg_thing;
END
finds '3 field call has no comment' '5 field deep has no comment' <<'END'
// A struct.
typedef struct cg_thing {
    void (*call)(int a, int b);
    union { // what it is
        int deep;
    } as; // fine
} cg_thing;
END
finds '3 enumerator CG_BARE has no comment' '5 enumerator CG_LAST has no comment' <<'END'
// A kind.
enum cg_kind {
    CG_BARE = 3,
    CG_FINE, // fine
    CG_LAST
};
END
finds '1 type cg_bare has no comment' '2 type cg_count has no comment' '3 type cg_tag has no comment' <<'END'
typedef struct cg_bare cg_bare;
typedef unsigned cg_count;
struct cg_tag {
    int x; // fine
};
END
finds '1 macro CG_BARE has no comment' '2 variable cg_global has no comment' <<'END'
#define CG_BARE 1
extern int cg_global;
END
finds '2 function loose does not begin with cg_' <<'END'
// Fine words, another house.
int loose(void);
END
finds '4 function cg_in_c has no comment' <<'END'
#ifdef __cplusplus
extern "C" {
#endif
void cg_in_c(void);
#ifdef __cplusplus
}
#endif
END
rm "$header"
header=$work/tree/include/catgut/made_up.def
cat >"$header" <<'END'
CG_OPERATION(good, "what it does")
CG_FIELD(good, number, x, "m", "")
CG_OPERATION_END(good)
END
if "$check" "$work/tree" >"$work/words" 2>&1 || ! grep -qF 'made_up.def:2: entry CG_FIELD has no text' "$work/words"; then
    fail "an entry without a text"
    cat "$work/words" >&2
fi

if [ "$failures" -ne 0 ]; then
    echo "$failures failed" >&2
    exit 1
fi

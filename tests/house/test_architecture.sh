#!/bin/sh
# label: once
# The table of usual changes at the end of docs/architecture.md: every file is there, every function stands in the file
# before it, every case in the test before it; there are fifteen changes and more. A table that is wrong is refused.
# Arguments: the source tree, a folder to work in.
set -eu
source=$1
work=$2
failures=0
rm -rf "$work"
mkdir -p "$work"

fail() {
    echo "failed: $*" >&2
    failures=$((failures + 1))
}

# look DOCUMENT: what is wrong with its table, a line each; nothing when it is right.
look() {
    awk '/^## / { inside = $0 == "## Where to change what" } inside && /^\| / && !/^\| to change / { rows++; print }
         END { if (rows < 15) print "| only " rows + 0 " changes | - | - |" }' "$1" |
        while IFS='|' read -r before change files tests after; do
            case $change in *only*) echo "$change" ;; esac
            [ -z "$before$after" ] || echo "$change: not three cells"
            for cell in "file $files" "test $tests"; do
                kind=${cell%% *}
                file=
                count=0
                for word in $(printf '%s' "${cell#* }" | grep -oE '`[^`]+`' | tr -d '`'); do
                    case $word in
                    */*)
                        file=$word
                        count=$((count + 1))
                        [ -f "$source/$file" ] || echo "$change: $file is not there"
                        ;;
                    *)
                        pattern="(^|[^A-Za-z_0-9])$word\\("
                        [ "$kind" = file ] || pattern="^TEST\\($word\\)"
                        [ -f "$source/$file" ] && grep -qE "$pattern" "$source/$file" || echo "$change: $file has no $word"
                        ;;
                    esac
                done
                [ "$count" -gt 0 ] || echo "$change: no $kind"
            done
        done
}

look "$source/docs/architecture.md" >"$work/said"
[ ! -s "$work/said" ] || fail "$(cat "$work/said")"

refuses() { # refuses SED WORDS: the page changed so
    sed "$1" "$source/docs/architecture.md" >"$work/page.md"
    look "$work/page.md" >"$work/said"
    grep -qF -e "$2" "$work/said" || fail "with $1 no '$2' in: $(cat "$work/said")"
}
refuses 's|src/find/search.c|src/find/serch.c|' 'src/find/serch.c is not there'
refuses 's|touch_of_shape|touch_of_shapes|' 'src/find/search.c has no touch_of_shapes'
refuses 's|thread_slips_at_twice_mu_n|thread_slips|' 'tests/tool/test_jaws.c has no thread_slips'
refuses '/^| friction of a thread on tissue/d; /^| a new tool/d' 'only 14 changes'
refuses 's#`tests/scene/test_catalogue.c`#yes#' 'no test'

[ "$failures" -eq 0 ]

#!/bin/sh
# label: once
# Every file says its licence, and the page names what is inside it with the words of its licence.
# Arguments: the source tree, a folder to work in.
set -eu
root=$1
failures=0

fail() {
    echo "failed: $*" >&2
    failures=$((failures + 1))
}

cmp -s "$root/LICENSE" "$root/LICENSES/Apache-2.0.txt" || fail "LICENSE and LICENSES/Apache-2.0.txt differ"
grep -q '^Files: \*$' "$root/.reuse/dep5" || fail ".reuse/dep5 has no line for all files"
# It asks git which files there are.
if command -v reuse >/dev/null 2>&1 && command -v git >/dev/null 2>&1; then
    reuse --root "$root" lint >&2 || fail "reuse lint"
fi

# What the page needs to run is inside it. A page that was not built has nothing of others.
page=$root/web/dist
if [ -f "$page/index.html" ]; then
    inside=$(sed -n '/"dependencies": {/,/}/s/^ *"\([^"]*\)": "\([0-9.]*\)".*/\1 \2/p' "$root/web/package.json")
    [ -n "$inside" ] || fail "no package is read in web/package.json"
    printf '%s\n' "$inside" | while read -r name version; do
        grep -q "^$name $version (" "$page/licences.txt" || { echo "failed: the page does not name $name $version" >&2; exit 1; }
    done || failures=$((failures + 1))
    # as many licences as packages, each with its holder
    packages=$(grep -c '^[a-z@][^ ]* [0-9][0-9.]* (' "$page/licences.txt")
    holders=$(grep -c '^Copyright ' "$page/licences.txt")
    [ "$packages" -ge 2 ] && [ "$holders" -ge "$packages" ] || fail "$packages packages, $holders holders in the page's licences"
fi
[ "$failures" -eq 0 ]

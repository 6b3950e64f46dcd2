#!/bin/sh
# label: once
# What ./run builds is the whole program: where SuiteSparse is missing, both `scripts/setup run` and `test` ask for it,
# and where nothing is missing they do nothing. The machine is a folder of commands of which some are made to fail.
# Arguments: the source tree, a folder to work in.
set -eu
root=$1
work=$2
rm -rf "$work"
mkdir -p "$work/bin" "$work/tree/scripts"
cp "$root/scripts/setup" "$root/scripts/progress" "$work/tree/scripts/"
failures=0

fail() {
    echo "failed: $*" >&2
    failures=$((failures + 1))
}

# Everything that setup calls, but no apt-get and no sudo: it can only say what is missing.
for tool in sh cat sed grep find head mktemp rm id dirname expr tr date; do
    ln -s "$(command -v "$tool")" "$work/bin/$tool"
done
for tool in cmake ctest ninja node npm pkg-config chromium clang clang-format setarch; do
    printf '#!/bin/sh\ncase "$0 $*" in *cmake*) echo cmake version 3.25.1 ;; *) echo v20.0.0 ;; esac\n' >"$work/bin/$tool"
done
# A compiler that compiles all but what names the word in the file "lacks".
cat >"$work/bin/gcc" <<'EOF'
#!/bin/sh
read -r lacks <"${0%/*}/../lacks"
! grep -q "$lacks" "$1"
EOF
chmod +x "$work"/bin/*

asks() { # asks PURPOSE LACKS: what setup says then
    echo "$2" >"$work/lacks"
    (cd "$work/tree" && PATH="$work/bin" sh scripts/setup "$1" 2>&1) || true
}

for purpose in run test; do
    asks "$purpose" klu.h >"$work/said"
    grep -q "libsuitesparse-dev" "$work/said" || fail "setup $purpose does not ask for SuiteSparse: $(cat "$work/said")"
    asks "$purpose" sqlite3.h >"$work/said"
    grep -q "libsqlite3-dev" "$work/said" || fail "setup $purpose does not ask for SQLite"
    if grep -q "libsuitesparse-dev" "$work/said"; then
        fail "setup $purpose asks for SuiteSparse where it is"
    fi
done
said=$(asks run nothing-of-this-name)
[ -z "$said" ] || fail "setup run finds something missing where nothing is: $said"

[ "$failures" -eq 0 ]

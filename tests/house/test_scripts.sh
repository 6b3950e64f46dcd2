#!/bin/sh
# label: once
# The scripts a newcomer meets: what is missing is named with its remedy, what was not tested is not called passed, long
# work says how far it is. Each runs in a made-up tree, with stand-ins for the tools.
# Arguments: the source tree, a folder to work in, the build folder.
set -eu
root=$1
work=$2
rm -rf "$work"
mkdir -p "$work/bin" "$work/tree/web" "$work/tree/build"
cp -r "$root/scripts" "$work/tree/"
tree=$work/tree
failures=0

fail() {
    echo "failed: $*" >&2
    failures=$((failures + 1))
}

# A PATH with the plain tools alone: no compiler, no cmake, no node.
for tool in sh cat cksum cmp cp cut date dirname env find grep head id kill mkdir mktemp nproc printf rm sed sleep sort tail tee \
    touch tr uname; do
    ln -s "$(command -v "$tool")" "$work/bin/$tool" 2>/dev/null || :
done
stub() { # stub NAME: the words of standard input become that command
    { echo '#!/bin/sh'; cat; } >"$work/bin/$1"
    chmod +x "$work/bin/$1"
}
says() { # says CODE WORDS COMMAND...: in the bare PATH
    wanted=$1
    words=$2
    shift 2
    code=0
    (cd "$tree" && PATH=$work/bin "$@") >"$work/words" 2>&1 || code=$?
    if [ "$code" -ne "$wanted" ] || ! grep -qF -e "$words" "$work/words"; then
        fail "$* ended with $code, expected $wanted and '$words':"
        cat "$work/words" >&2
    fi
}

# Without tools.
says 1 'not installed: cmake ninja gcc' scripts/build release
says 1 '"scripts/setup run" installs what is missing' scripts/build release
says 1 '"./run"' scripts/build release:catgut_app
says 1 'not installed: cmake cc' scripts/build library
grep -q ninja "$work/words" && fail "the library alone is said to need ninja"
says 1 'this is not a Debian-like system' scripts/setup run
says 1 'pkg-config' scripts/setup run

# apt says how far it is at a descriptor of its own, and what it starts can write as always.
rm "$work/bin/id"
stub id <<'EOF'
echo 0
EOF
stub apt-get <<'EOF'
case $* in
*--assume-no*) printf '0 upgraded, 95 newly installed, 0 to remove\nNeed to get 107 MB of archives.\n' ;;
*Status-Fd=3*) echo "pmstatus:gcc:45.1:Installing" >&3 && echo "Setting up gcc" ;;
*) exit 1 ;;
esac
EOF
says 1 'still missing after the installation' scripts/setup run
says 1 'setup: 95 packages, 107 MB to fetch' scripts/setup run
rm "$work/bin/apt-get"

# A configuration that fails names the remedy too.
stub cmake <<'EOF'
echo "CMake Error: something is missing"
exit 1
EOF
stub ninja </dev/null
stub gcc </dev/null
says 1 '"scripts/setup run" installs what is missing' scripts/build release

# A library alone is said to be one, with what is left out; the steps of a long build are told.
stub cmake <<'EOF'
case $* in
--preset*) echo "-- left out: the program catgut, for want of zstd" ;;
*) echo "[1/2] one"; echo "[2/2] two" ;;
esac
EOF
says 0 'build: left out: the program catgut, for want of zstd' scripts/build release
(
    cd "$tree"
    # shellcheck source=/dev/null
    . scripts/progress
    progress_begin "building x"
    progress_started=$((progress_started - 100))
    progress_told=0
    printf 'noise\n[50/100] a\n[51/100] b\n' | progress_of_ninja
) >"$work/words" 2>&1
grep -q '^building x: 50 of 100 steps, about 10[0-9] s left$' "$work/words" || fail "progress says: $(cat "$work/words")"
[ "$(wc -l <"$work/words")" -eq 1 ] || fail "progress says too much: $(cat "$work/words")"

# The page without node, and without npm's registry.
says 0 'node and npm are not installed' scripts/build-page
grep -q 'the page could not be built' "$tree/build/page-missing.txt" || fail "no reason is left for ./run"
stub node </dev/null
stub npm <<'EOF'
echo "npm ERR! network" >&2
exit 1
EOF
says 0 "could not be fetched from npm's registry" scripts/build-page
grep -q "npm's registry" "$tree/build/page-missing.txt" || fail "no reason is left for ./run"

# The page is built once, and again when a file is another, whatever its time: copies of trees have any.
cp -r "$tree" "$work/copy"
(
    cd "$work/copy/web"
    mkdir -p src public ../scenes/scripts node_modules
    for file in index.html package-lock.json tsconfig.json vite.config.ts src/a.ts; do
        echo 1 >"$file"
    done
    cp package-lock.json node_modules/.installed-lock.json
)
stub npm <<'EOF'
mkdir -p dist
echo page >dist/index.html
EOF
builds() { # builds WORDS: what is said when the page of the copy is built
    (cd "$work/copy" && PATH=$work/bin scripts/build-page) >"$work/words" 2>&1
    [ "$(cat "$work/words")" = "$1" ] || fail "expected '$1' of the page, found '$(cat "$work/words")'"
}
builds 'building the page'
builds ''
echo 2 >"$work/copy/web/src/a.ts"
touch -d '2001-01-01' "$work/copy/web/src/a.ts"
builds 'building the page'
rm "$work/copy/web/src/a.ts"
builds 'building the page'

# The tests of the page: not tested is 77, and a unit that fails does not keep the browser from its tests.
says 77 'it was not tested' scripts/test-page
mkdir -p "$tree/web/node_modules"
stub npm <<'EOF'
[ "$3" != test ]
EOF
stub node <<'EOF'
echo "the browser was here"
EOF
says 1 'the browser was here' scripts/test-page
says 1 'page: failed: units' scripts/test-page
stub npm </dev/null
says 0 'the browser was here' scripts/test-page
stub node <<'EOF'
echo "no chromium here"
exit 77
EOF
says 78 'no chromium' scripts/test-page

# All tests: what was not tested is not among what passed.
for name in check-format check-floors build; do
    printf '#!/bin/sh\n' >"$tree/scripts/$name"
done
printf '#!/bin/sh\nexit 1\n' >"$tree/scripts/fuzz"
stub ctest <<'EOF'
echo "100% tests passed, 0 tests failed out of 3"
EOF
rm -rf "$tree/web/node_modules"
says 0 'NOT TESTED: page, fuzzing' scripts/test-all
grep '^passed' "$work/words" | grep -q page && fail "a page that was not tested is said to have passed"
grep -q '^all passed' "$work/words" && fail "all passed, though not all was tested"
for part in 'format' 'release: build' 'sanitize: tests' 'in all'; do
    grep -q "^ *[0-9]*  $part\$" "$work/words" || fail "$part: it is not said how long it took"
done
mkdir -p "$tree/web/node_modules"
says 0 'NOT TESTED: page in a browser' scripts/test-all
stub npm <<'EOF'
exit 1
EOF
says 1 'FAILED: page' scripts/test-all

# What comes next is built while the page is tested, and ended with it: the next build waits until all of it has ended.
for tool in setsid chrt; do
    ln -s "$(command -v "$tool")" "$work/bin/$tool" 2>/dev/null || :
done
if [ -x "$work/bin/setsid" ] && "$work/bin/chrt" --idle 0 sh -c : 2>/dev/null; then
    cat >"$work/slow" <<EOF
trap 'sleep 1; echo over >"$work/over"; exit' TERM
echo \$\$ >"$work/ahead"
while :; do sleep 0.1; done
EOF
    cat >"$tree/scripts/build" <<EOF
#!/bin/sh
case \$* in
"sanitize clang") sh "$work/slow" & wait ;;
sanitize) [ -s "$work/over" ] || echo both >"$work/met" ;;
esac
EOF
    stub npm <<EOF
tries=0
while ! [ -s "$work/ahead" ] && [ \$tries -lt 4000 ]; do
    sleep 0.1
    tries=\$((tries + 1))
done
EOF
    says 0 'NOT TESTED: page in a browser' scripts/test-all
    [ -s "$work/ahead" ] || fail "nothing is built beside the page"
    ! kill -0 "$(cat "$work/ahead")" 2>/dev/null || fail "what is built beside the page goes on after it"
    [ -e "$work/over" ] || fail "what is built beside the page was not ended in good order"
    ! [ -e "$work/met" ] || fail "the next build begins while the one beside the page still ends"
else
    echo "not tested: what is built beside the page; chrt --idle is not allowed here"
fi

if [ "$failures" -ne 0 ]; then
    echo "$failures failed" >&2
    exit 1
fi

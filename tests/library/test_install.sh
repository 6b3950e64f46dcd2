#!/bin/sh
# label: once
# What `cmake --install` puts down can be used by others: the examples are built out of tree by pkg-config in C and in
# C++, and by CMake, run, and say the same as when built in the tree; the shared library exports exactly what the public
# headers declare; the program runs from there and finds its scenes.
# Arguments: the source tree, a folder to work in, the build folder.
set -eu
root=$1
work=$2
build=$3
failures=0

fail() {
    echo "failed: $*" >&2
    failures=$((failures + 1))
}

cache() { # cache NAME: a value of the build's cache
    sed -n "s/^$1:[A-Z]*=//p" "$build/CMakeCache.txt"
}

if [ "$(cache CATGUT_SANITIZE)" = ON ]; then
    echo "a library with sanitizers is not installed"
    exit 77
fi
for tool in pkg-config nm; do
    if ! command -v "$tool" >/dev/null 2>&1; then
        echo "there is no $tool here"
        exit 77
    fi
done
cc=$(cache CMAKE_C_COMPILER)
case $cc in
*clang*) cxx=clang++ ;;
*) cxx=g++ ;;
esac

rm -rf "$work"
mkdir -p "$work"
cmake --install "$build" --prefix "$work/first" >"$work/install.log" 2>&1 || {
    cat "$work/install.log" >&2
    exit 1
}
# Everything in it must be found from where it lies now, not from where it was put first.
mv "$work/first" "$work/prefix"
prefix=$work/prefix
PKG_CONFIG_PATH=$(find "$prefix" -type d -name pkgconfig)
export PKG_CONFIG_PATH
library_folder=$(pkg-config --variable=libdir catgut)
# A program finds the shared library by itself.
unset LD_LIBRARY_PATH

for file in include/catgut/catgut.h include/catgut/operations.def include/catgut/version.h bin/catgut \
    include/catgut/workers.h \
    share/doc/catgut/README.md share/catgut/scenes/hanging.json share/catgut/scenes/scripts/square.script \
    share/man/man1/catgut.1 share/bash-completion/completions/catgut share/zsh/site-functions/_catgut \
    share/fish/vendor_completions.d/catgut.fish; do
    [ -e "$prefix/$file" ] || fail "$file is not installed"
done

# Below /usr and /usr/local the loader knows the place; nothing is told to programs. DESTDIR keeps this from the machine.
DESTDIR=$work/stage cmake --install "$build" --prefix /usr/local >"$work/install.log" 2>&1 || fail "an install into a stage"
grep -q rpath "$(find "$work/stage" -name catgut.pc)" && fail "a run path in /usr/local"
grep -q ldconfig "$work/install.log" && fail "ldconfig ran for a stage"

# The manual page says what the help says: every command, with its summary and its options.
page=$work/catgut.1
sed 's/\\-/-/g; s/\\&//g; s/\\e/\\/g' "$prefix/share/man/man1/catgut.1" >"$page"
"$prefix/bin/catgut" help | sed -n 's/^  \([a-z][a-z]*\)  *\(.*\)/\1 \2/p' >"$work/commands"
[ "$(wc -l <"$work/commands")" -ge 12 ] || fail "the help lists few commands"
while read -r command summary; do
    grep -qx "\.SS $command" "$page" || fail "the manual page has no $command"
    grep -qxF -e "$summary" "$page" || fail "the manual page has another summary of $command"
    "$prefix/bin/catgut" help "$command" | sed 1,3d >"$work/words"
    while IFS= read -r line; do
        [ -z "$line" ] || grep -qF -e "$line" "$page" || fail "the manual page of $command has no line: $line"
    done <"$work/words"
done <"$work/commands"
if command -v groff >/dev/null 2>&1; then
    groff -man -ww -Tascii "$prefix/share/man/man1/catgut.1" >/dev/null 2>"$work/words"
    [ ! -s "$work/words" ] || fail "groff complains: $(cat "$work/words")"
fi
if grep -rlF -e "$root" -e "$work/first" "$prefix/include" "$library_folder/pkgconfig" "$library_folder/cmake"; then
    fail "an installed file names the folder it came from"
fi

same_words() { # same_words EXAMPLE PROGRAM: it ends well and prints what the example built in the tree prints
    "$build/examples/$1" >"$work/wanted" 2>&1
    if ! "$2" >"$work/words" 2>&1; then
        fail "$2 ended badly:"
        cat "$work/words" >&2
    elif ! cmp -s "$work/wanted" "$work/words"; then
        fail "$2 says something else than $build/examples/$1:"
        diff "$work/wanted" "$work/words" >&2 || :
    fi
}

# By pkg-config. Warnings are errors for users too.
warnings="-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror"
flags=$(pkg-config --cflags catgut)
shared=$(pkg-config --libs catgut)
static="$library_folder/libcatgut.a -lm"
compile() { # compile PROGRAM COMPILER WORDS...
    program=$1
    shift
    if ! "$@" -o "$work/$program"; then
        fail "does not compile: $*"
    fi
}
tried=0
for source in "$prefix"/share/doc/catgut/examples/*.c; do
    name=$(basename "$source" .c)
    # shellcheck disable=SC2086  # lists of words
    {
        compile "$name.c" "$cc" -std=c17 $warnings $flags "$source" $shared
        compile "$name.static" "$cc" -std=c17 $warnings $flags "$source" $static
        compile "$name.cpp" "$cxx" -std=c++17 $warnings $flags -x c++ "$source" -x none $shared
    }
    for kind in c static cpp; do
        same_words "$name" "$work/$name.$kind"
        tried=$((tried + 1))
    done
done
[ "$tried" -ge 9 ] || fail "only $tried programs were tried"
if ! ldd "$work/first.c" | grep -q 'libcatgut\.so\.0\.1'; then
    fail "the program does not name the shared library by its version"
fi

# The commands of the document, as they stand.
"$root/scripts/try-library-document" "$prefix" "$work/document" >"$work/words" 2>&1 || {
    fail "what docs/library.md says:"
    cat "$work/words" >&2
}

# By CMake.
if cmake -S "$prefix/share/doc/catgut/examples" -B "$work/cmake" -DCMAKE_PREFIX_PATH="$prefix" \
    -DCMAKE_C_COMPILER="$cc" -DCMAKE_BUILD_TYPE=Release >"$work/cmake.log" 2>&1 &&
    cmake --build "$work/cmake" >>"$work/cmake.log" 2>&1; then
    for source in "$prefix"/share/doc/catgut/examples/*.c; do
        name=$(basename "$source" .c)
        same_words "$name" "$work/cmake/$name"
    done
    same_words first "$work/cmake/first_shared"
else
    fail "the CMake project of the examples"
    cat "$work/cmake.log" >&2
fi

# Exactly the public names leave the shared library.
"$build/tests/library/fixture_headers" --functions "$root"/include/catgut/*.h | LC_ALL=C sort >"$work/declared"
nm -D --defined-only "$library_folder/libcatgut.so" | sed 's/.* //; s/@.*//' | LC_ALL=C sort >"$work/exported"
[ "$(wc -l <"$work/declared")" -ge 40 ] || fail "too few public functions were found"
if ! cmp -s "$work/declared" "$work/exported"; then
    fail "declared in the headers (<), exported by the shared library (>):"
    diff "$work/declared" "$work/exported" >&2 || :
fi

# The program, from a folder where nothing of the source tree is near.
mkdir -p "$work/elsewhere"
version=$(cd "$work/elsewhere" && "$prefix/bin/catgut" --version)
[ "${version%%,*}" = "catgut $(pkg-config --modversion catgut)" ] || fail "the program is $version, the library another"
cd "$work/elsewhere"
program=$prefix/bin/catgut
"$program" list scenes >"$work/list" 2>&1 || fail "catgut list scenes"
scenes=0
for scene in "$prefix"/share/catgut/scenes/*.json; do
    name=$(basename "$scene" .json)
    grep -q "^  $name " "$work/list" || fail "catgut list has no $name"
    "$program" check "$scene" >"$work/words" 2>&1 || {
        fail "the installed scene $name is not good:"
        cat "$work/words" >&2
    }
    scenes=$((scenes + 1))
done
[ "$scenes" -ge 1 ] || fail "no scene is installed"
"$program" run hanging --seconds 0.01 >"$work/words" 2>&1 || fail "run hanging: $(cat "$work/words")"
"$program" run cord --script square --seconds 0.01 >"$work/words" 2>&1 || fail "run cord: $(cat "$work/words")"
ln -s "$program" "$work/elsewhere/alias"
./alias run pad --seconds 0.01 >"$work/words" 2>&1 || fail "run pad through a link: $(cat "$work/words")"
scene=hanging
if ! { "$program" run "$scene" --seconds 0.05 --record run.cgr && "$program" replay run.cgr &&
    "$program" export run.cgr run.glb && "$program" export run.cgr run.pvd --tension; } >"$work/words" 2>&1 ||
    ! [ -s run.glb ] || ! [ -s run/run_0003.vtp ]; then
    fail "run, replay and export of the installed program:"
    cat "$work/words" >&2
fi

if [ "$failures" -ne 0 ]; then
    echo "$failures failed" >&2
    exit 1
fi

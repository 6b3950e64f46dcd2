#!/bin/sh
# label: once
# label: slow
# The library is built where nothing but a compiler and cmake is: by default when zstd, libwebsockets and SQLite are
# missing, and when asked for. What is left out is said, with the remedy.
# Arguments: the source tree, a folder to work in, the build folder.
set -eu
root=$1
work=$2
rm -rf "$work"
mkdir -p "$work"
failures=0

fail() {
    echo "failed: $*" >&2
    cat "$work/log" >&2
    failures=$((failures + 1))
}
# No prefix is looked into, as if nothing were installed.
configure() { # configure FOLDER OPTION...
    folder=$work/$1
    shift
    cmake -S "$root" -B "$folder" -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG=-O0 "-DCMAKE_IGNORE_PREFIX_PATH=/usr;/usr/local;/" \
        -DCATGUT_TESTS=OFF "$@" >"$work/log" 2>&1
}

configure auto || fail "the library alone is not configured"
grep -q 'left out: the program catgut.*libwebsockets.*zstd.*SQLite.*"scripts/setup run"' "$work/log" || fail "what is left out is not said"
if configure on -DCATGUT_PROGRAM=ON; then
    fail "a program without its libraries is configured"
fi
tr -s '\n ' ' ' <"$work/log" | grep -q 'needs libwebsockets.*zstd.*SQLite.*"scripts/setup run".*CATGUT_PROGRAM=OFF' ||
    fail "the remedy is not named"
# With its tests, which leave out what the program is needed for.
configure tests -DCATGUT_PROGRAM=OFF -DCATGUT_TESTS=ON || fail "the library alone is not configured with its tests"
cmake --build "$work/auto" --target product --parallel 2 >"$work/log" 2>&1 || fail "the library alone is not built"
cmake --install "$work/auto" --prefix "$work/prefix" >"$work/log" 2>&1 || fail "the library alone is not installed"
[ ! -e "$work/prefix/bin/catgut" ] || fail "there is a program"
cc "$root/examples/first.c" -I"$work/prefix/include" "$work/prefix/lib/libcatgut.a" -lm -o "$work/first" >"$work/log" 2>&1 ||
    fail "a program cannot use it"
"$work/first" >"$work/log" 2>&1 || fail "a program with it does not run"
grep -q 'below the hand' "$work/log" || fail "a program with it says something else"

# Inside of another project.
mkdir -p "$work/yours"
cat >"$work/yours/CMakeLists.txt" <<EOF
cmake_minimum_required(VERSION 3.25)
project(yours LANGUAGES C)
set(CATGUT_PROGRAM OFF)
set(CATGUT_TESTS OFF)
set(CATGUT_SHARED OFF)
add_subdirectory($root catgut)
add_executable(yours $root/examples/first.c)
target_link_libraries(yours PRIVATE catgut::catgut)
EOF
if cmake -S "$work/yours" -B "$work/yours/build" -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG=-O0 >"$work/log" 2>&1 &&
    cmake --build "$work/yours/build" --target yours --parallel 2 >"$work/log" 2>&1; then
    "$work/yours/build/yours" | grep -q 'below the hand' || fail "a project with the library inside says something else"
else
    fail "a project that takes the library in is not built"
fi

if [ "$failures" -ne 0 ]; then
    echo "$failures failed" >&2
    exit 1
fi

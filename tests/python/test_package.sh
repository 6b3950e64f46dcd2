#!/bin/sh
# label: once
# label: slow
# needs: the program
# The Python package: built with the libraries of this build, then its own tests.
# Arguments: the source tree, a folder to work in, the build folder.
set -eu
root=$1
work=$2
build=$3
"$root/scripts/build-python" "$work" "$build" >&2
cd "$work"
CATGUT_PROGRAM=$build/catgut PYTHONPATH=$work/lib PYTHONDONTWRITEBYTECODE=1 \
    /usr/bin/python3 -W error::RuntimeWarning -m unittest discover -s "$root/python/tests" >&2

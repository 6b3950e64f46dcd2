# Daily work. The build itself is CMake's; see CONTRIBUTING.md.

.PHONY: build library python install quick test test-page test-full cross rough bench format check-format check-floors clean

# Where `make install` puts things; DESTDIR goes before it.
PREFIX ?= /usr/local

# The program and the library, without the tests.
build:
	scripts/build release:product

# The library alone, which needs a C compiler, cmake and nothing else: build/library/libcatgut.a and libcatgut.so.
library:
	scripts/build library

# The Python package, in place: PYTHONPATH=python /usr/bin/python3 -c "import catgut". "scripts/setup python" installs
# what it needs.
python:
	scripts/build-python

install: build
	scripts/install "$(PREFIX)"

# The tests of a minute.
quick:
	scripts/build release
	ctest --preset release --parallel $$(nproc) --label-exclude slow

# What ./test runs, without installing anything.
test:
	scripts/test-all

# The page alone: types, units, and a real browser.
test-page: build
	scripts/test-page

# The large counts; hours allowed. Writes a log to docs/evidence/.
test-full:
	scripts/test-full

# Five hundred random worlds under rough hands, and what must hold; an hour on two cores.
rough: build
	build/release/catgut experiment rough --long

# The library for other machines, run by emulators: the same hashes everywhere. "scripts/setup cross" installs what it
# needs. Writes a log to docs/evidence/ and the table of docs/portability.md.
cross:
	scripts/cross

bench: build
	build/release/catgut bench

format:
	scripts/format

check-format:
	scripts/check-format

check-floors:
	scripts/check-floors

clean:
	rm -rf build

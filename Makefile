# Daily work. The build itself is CMake's; see CONTRIBUTING.md.

.PHONY: build quick test test-page test-full bench format check-format check-floors clean

build:
	scripts/build release

# The tests of a minute.
quick: build
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

"""Makes the extension module catgut._native: the library, the pool of workers and python/native.c in one file.

The libraries come from the folder that CATGUT_LIBRARY_DIR names (libcatgut.a, libcatgut_pool.a); without it cmake
builds them in build/python of the source tree, with the flags that keep the bits (docs/portability.md).
"""

import os
import subprocess

import cffi

import declarations

ROOT = declarations.ROOT
SOURCES = [os.path.join(ROOT, name) for name in
           ("python/native.c", "apps/catgut/support/scene_files.c", "apps/catgut/support/zstd_codec.c",
            "apps/catgut/sweep/text.c")]
# For all that is compiled and linked here: -fsanitize=address, where the library has it.
FLAGS = os.environ.get("CATGUT_CFLAGS", "").split()


def library_folder():
    """Where libcatgut.a and libcatgut_pool.a are; builds them where nobody says."""
    folder = os.environ.get("CATGUT_LIBRARY_DIR")
    if folder:
        return os.path.abspath(folder)
    folder = os.path.join(ROOT, "build", "python")
    options = ["-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_C_FLAGS_RELEASE=-O3 -DNDEBUG", "-DCATGUT_PROGRAM=OFF",
               "-DCATGUT_TESTS=OFF", "-DCATGUT_CONSTRAINT=OFF", "-DCATGUT_LAPACK=OFF", "-DCATGUT_SHARED=OFF"]
    subprocess.run(["cmake", "-S", ROOT, "-B", folder] + options, check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--build", folder, "--parallel", str(os.cpu_count() or 1), "--target", "catgut_core",
                    "catgut_pool"], check=True)
    return folder


def make_ffi():
    """What setup.py hands to cffi."""
    ffi = cffi.FFI()
    ffi.cdef(declarations.declarations())
    # The one function of the library's kind that is written in Python: catgut/_batch.py.
    ffi.cdef('extern "Python" cg_status cg_py_make_scene(void *, int, uint64_t, cg_scene **);')
    libraries = [os.path.join(library_folder(), name) for name in ("libcatgut.a", "libcatgut_pool.a")]
    ffi.set_source("catgut._native", declarations.TEXT, sources=SOURCES,
                   include_dirs=declarations.INCLUDES + [os.path.join(ROOT, "apps", "catgut"), os.path.join(ROOT, "src")],
                   extra_objects=libraries, libraries=["zstd", "m", "pthread"], depends=libraries + [os.path.join(ROOT, "python", "native.h")],
                   extra_compile_args=["-std=c17", "-ffp-contract=off", "-Wno-incompatible-pointer-types"] + FLAGS,
                   extra_link_args=FLAGS)
    return ffi

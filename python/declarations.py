"""What cffi is told of the library: its public headers, run through the preprocessor of the C compiler.

Nothing is listed here by hand. The headers go in as they are, with empty headers of the C library, since cffi knows
those types by itself; macros that are plain numbers become constants.
"""

import os
import re
import shlex
import subprocess
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
INCLUDES = [os.path.join(ROOT, "include"), os.path.join(ROOT, "pool", "include"), HERE]
TEXT = '#include "native.h"\n#include "catgut/workers_batch.h"\n'
STANDARD = ["stdbool.h", "stddef.h", "stdint.h"]


def _preprocess(options):
    compiler = shlex.split(os.environ.get("CC", "cc"))
    with tempfile.TemporaryDirectory() as empty:
        for name in STANDARD:
            open(os.path.join(empty, name), "w").close()
        command = compiler + ["-E", "-P", "-nostdinc", "-undef", "-U__GNUC__", "-I", empty]
        for folder in INCLUDES:
            command += ["-I", folder]
        return subprocess.run(command + options + ["-x", "c", "-"], input=TEXT, capture_output=True, text=True,
                              check=True).stdout


def constants():
    """Macros of the headers that are plain whole numbers."""
    found = re.findall(r"^#define (CG_[A-Z0-9_]+) +\(?(-?\d+)\)?$", _preprocess(["-dM"]), re.MULTILINE)
    return sorted(name for name, _ in found)


def declarations():
    """The text for ffi.cdef."""
    lines = [f"#define {name} ..." for name in constants()]
    # cffi 1.15 writes C that is none for a field that points to constant arrays.
    text = re.sub(r"\bconst (\w+) \(\*(\w+)\)\[", r"\1 (*\2)[", _preprocess([]))
    return text + "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(declarations())

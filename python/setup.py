"""Builds the Python package: `make python` in place, or a wheel by pip install --no-index --no-build-isolation."""

import os
import re
import shutil
import sys

from setuptools import setup
from setuptools.command.build_py import build_py

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
sys.path.insert(0, HERE)  # for the files beside this one, which pip does not find otherwise


def version():
    """The version stands in one place."""
    with open(os.path.join(ROOT, "include", "catgut", "version.h"), encoding="utf-8") as file:
        return re.search(r'#define CG_VERSION "([^"]+)"', file.read()).group(1)


class build_with_scenes(build_py):
    """The package takes the scenes along, so that it works outside of the source tree."""

    def run(self):
        super().run()
        if not self.editable_mode:
            to = os.path.join(self.build_lib, "catgut", "scenes")
            shutil.copytree(os.path.join(ROOT, "scenes"), to, dirs_exist_ok=True)


setup(
    name="catgut",
    version=version(),
    description="A simulator of surgical suturing: threads that knot, needles that pierce, scores",
    license="Apache-2.0",
    python_requires=">=3.9",
    install_requires=["cffi", "numpy"],
    packages=["catgut"],
    package_data={"catgut": ["py.typed"]},
    cffi_modules=["build_native.py:make_ffi"],
    cmdclass={"build_py": build_with_scenes},
    zip_safe=False,
)

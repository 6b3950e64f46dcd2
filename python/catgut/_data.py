"""Structs of the library as Python objects and numpy types, read off the declarations: no field is listed here."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from ._native import ffi

_NUMBERS = {"double": np.float64, "float": np.float32, "_Bool": np.bool_, "char": np.int8}
_VECTORS = tuple(ffi.typeof(name) for name in ("cg_vec3", "cg_quat"))
_dtypes: dict = {}


def dtype_of(type_) -> np.dtype:
    """The numpy type with the memory layout of a C type."""
    type_ = ffi.typeof(type_) if isinstance(type_, str) else type_
    if type_ not in _dtypes:
        _dtypes[type_] = _make_dtype(type_)
    return _dtypes[type_]


def _make_dtype(type_) -> np.dtype:
    if type_.kind == "array":
        return np.dtype((dtype_of(type_.item), (type_.length,)))
    if type_.kind == "struct" and type_ in _VECTORS:
        return np.dtype((np.float64, (len(type_.fields),)))
    if type_.kind == "struct":
        names = [name for name, _ in type_.fields]
        return np.dtype({"names": names, "formats": [dtype_of(field.type) for _, field in type_.fields],
                         "offsets": [field.offset for _, field in type_.fields], "itemsize": ffi.sizeof(type_)})
    if type_.cname in _NUMBERS:
        return np.dtype(_NUMBERS[type_.cname])
    if type_.kind == "enum":
        return np.dtype(f"u{ffi.sizeof(type_)}")
    if type_.kind == "pointer":
        return np.dtype(np.uintp)
    sign = "i" if int(ffi.cast(type_, -1)) < 0 else "u"
    return np.dtype(f"{sign}{ffi.sizeof(type_)}")


class Record(SimpleNamespace):
    """What a struct of the library said at that moment; `vars(record)` is a dict of it."""

    def __repr__(self) -> str:
        inside = ", ".join(f"{name}={value!r}" for name, value in vars(self).items())
        return f"Record({inside})"


def plain(value, type_=None) -> Any:
    """A C value as Python has it: structs as Record, texts as str, vectors and numbers in a row as numpy arrays,
    enumerators by the word that tells them apart."""
    type_ = type_ or ffi.typeof(value)
    if type_.kind == "struct":
        if type_ in _VECTORS:
            return np.array([getattr(value, name) for name, _ in type_.fields])
        return Record(**{name: plain(getattr(value, name), field.type) for name, field in type_.fields})
    if type_.kind == "array":
        if type_.item.cname == "char":
            return ffi.string(value).decode("utf-8", "replace")
        items = [plain(item, type_.item) for item in value]
        return np.array(items) if type_.item.kind == "primitive" else items
    if type_.kind == "enum":
        return enum_word(type_, value)
    if type_.kind == "pointer":
        is_text = type_.item.cname == "char"
        return (ffi.string(value).decode("utf-8", "replace") if value else None) if is_text else bool(value)
    return value


_words: dict = {}


def enum_word(type_, value: int) -> str:
    """CG_SCRIPT_RUNNING of cg_script_phase is "running": what all enumerators have in common is left out."""
    if type_ not in _words:
        names = [name for name in type_.elements.values()]
        prefix = _common_words(names)
        _words[type_] = {number: name[prefix:].lower() for number, name in type_.elements.items()}
    return _words[type_].get(value, str(value))


def enum_value(type_, word) -> int:
    """The other way round; numbers go through."""
    if not isinstance(word, str):
        return int(word)
    enum_word(type_, 0)
    for number, name in _words[type_].items():
        if name == word.lower():
            return number
    known = ", ".join(sorted(_words[type_].values()))
    raise ValueError(f"found {word!r}; expected one of: {known}")


def _common_words(names: list) -> int:
    shared = names[0]
    for name in names:
        while not name.startswith(shared):
            shared = shared[:-1]
    return shared.rfind("_") + 1


def fill(target, type_, value) -> None:
    """Writes a Python value into a struct of the library: numbers in a row into vectors, mappings into structs."""
    items = value if isinstance(value, dict) else dict(zip((name for name, _ in type_.fields), value))
    for name, item in items.items():
        setattr(target, name, item)

"""Errors of the library as exceptions. Each has the library's own sentence."""

from __future__ import annotations

from ._native import ffi, lib


class Error(Exception):
    """Something went wrong in catgut; all its exceptions are of this class."""


class BadInput(Error, ValueError):
    """A value is missing, not finite or out of range."""


class BadHandle(Error, LookupError):
    """What was named is not in this world, or not any more."""


class OutOfMemory(Error, MemoryError):
    """There is no memory left."""


class Full(Error):
    """A place of fixed size has no room left."""


class Mismatch(Error):
    """A state or recording belongs to another world or another version."""


class SceneError(BadInput):
    """A text (scene, task, script, inputs) is wrong: `file`, `line` and `column` say where."""

    def __init__(self, sentence: str, file: str = "", line: int = 0, column: int = 0):
        super().__init__(sentence)
        self.file, self.line, self.column = file, line, column


class Closed(Error):
    """The world (or recording, or batch) was closed."""


class Busy(Error):
    """Another thread is using this world at this moment: give each thread worlds of its own, or take turns."""


_BY_CODE = {lib.CG_BAD_INPUT: BadInput, lib.CG_BAD_HANDLE: BadHandle, lib.CG_OUT_OF_MEMORY: OutOfMemory,
            lib.CG_FULL: Full, lib.CG_MISMATCH: Mismatch}


def text(chars) -> str:
    """A text of the library."""
    return ffi.string(chars).decode("utf-8", "replace")


def check(status) -> None:
    """Raises what a cg_status says, unless all went well."""
    if status.code != lib.CG_OK:
        raise _BY_CODE.get(status.code, Error)(text(status.message))


def scene_error(error) -> SceneError:
    """The exception for a cg_scene_error."""
    room = ffi.new("char[640]")
    lib.cg_scene_error_say(error, room, 640)
    return SceneError(text(room), text(error.file), error.line, error.column)


def check_text(status, error) -> None:
    """As check; where a text is to blame the exception says where."""
    if status.code != lib.CG_OK and error.message[0] != b"\0":
        raise scene_error(error)
    check(status)

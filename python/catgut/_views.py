"""Arrays that show the memory of a world."""

from __future__ import annotations

import numpy as np

from ._native import ffi

_DOUBLE = np.dtype(np.float64)
_buffer, _gc, _frombuffer = ffi.buffer, ffi.gc, np.frombuffer


class View(np.ndarray):
    """A read-only numpy array over the memory of a world, without a copy.

    It is good until the world's next step: `stale` says when that has been made (or the world went to another state,
    or was closed). A stale view still may be read, and shows what happens to lie there. Take `view.copy()` of what is
    to be kept. A view, and every slice of it, keeps its world alive.
    """

    @property
    def stale(self) -> bool:
        """Whether the world has gone on since; a copy never is stale."""
        array = self
        while isinstance(array, np.ndarray):
            if "_world" in getattr(array, "__dict__", ()):
                return array._world._epoch != array._epoch
            array = array.base
        return False

    def __reduce__(self):  # a pickle has a copy
        return np.array(self).__reduce__()


def view_of(world, pointer, count: int, width: int) -> View:
    """A view of `count` rows of doubles at `pointer`, in memory of the world that was pinned for it."""
    shape = (count, width) if width > 1 else (count,)
    if not pointer:
        return np.zeros(shape).view(View)
    memory = memoryview(_buffer(_gc(pointer, world._unpin), count * width * 8)).toreadonly()
    view = View(shape, _DOUBLE, _frombuffer(memory))  # by way of an array, which nobody can make writable
    view._world, view._epoch = world, world._epoch
    return view

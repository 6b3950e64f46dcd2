"""Many worlds of one scene or task, stepped together on all cores."""

from __future__ import annotations

import os
import threading
import weakref
from typing import Callable, Dict, List, Optional, Sequence, Tuple, Union

import numpy as np

from ._data import dtype_of
from ._errors import Busy, Closed, Error, check, text
from ._native import ffi, lib
from ._scene import Measures, Scene, Task

_NULL = ffi.NULL
_makers: "weakref.WeakValueDictionary[int, Batch]" = weakref.WeakValueDictionary()


def observables() -> List[str]:
    """What Batch can observe, by name."""
    return [text(lib.cg_observable_name(i)) for i in range(lib.CG_OBSERVE_COUNT)]


@ffi.def_extern()
def cg_py_make_scene(context, _world, seed, scene):
    """Makes the scene of a seed for a batch; called by its threads."""
    batch = _makers[int(ffi.cast("uintptr_t", context))]
    status = ffi.new("cg_status *")
    try:
        made = batch._make_scene(int(seed))
        ffi.gc(made._scene, None)  # the batch frees it
        scene[0] = made._scene
    except Exception as error:  # there is nobody above to catch it
        status.code = lib.CG_BAD_INPUT
        told = f"{type(error).__name__}: {error}".encode()[:183]
        ffi.memmove(status.message, told, len(told))
    return status[0]


class State:
    """A state of a world of a batch, with its attempt: Batch.keep makes it, Batch.restore and rollout take it."""

    def __init__(self, batch: "Batch", state):
        self._batch, self._state = batch, ffi.gc(state, lib.cg_worlds_state_free)


class Batch:
    """Many worlds, with a row of numbers for what each is told and for what is seen of it.

    >>> batch = catgut.Batch("handover", 64, steps=10, observe=[("hand_pose", "left"), ("body_pose", 0)])
    >>> observations = batch.reset(seeds=range(64))
    >>> observations, outcomes = batch.step(actions)

    `scene` is a scene as of World, a Task, or a function that makes a Scene for a seed. `observe` lists what is seen:
    a name of catgut.observables(), alone or with the part and how many points: ("thread_points", "thread", 16);
    of a wound ("wound", tissue, point, along, depth). An action has ten numbers a hand: position [m], the first two
    columns of its rotation, opening. `threads` (default: all cores) work on it; bits do not depend on how many.
    """

    def __init__(self, scene: Union[str, dict, Scene, Task, Callable[[int], Scene]], count: int, *, steps: int = 1,
                 observe: Sequence = (), task: Optional[Task] = None, threads: Optional[int] = None):
        self.count, self.steps, self._batch, self._turn = count, steps, None, threading.Lock()
        self.task = scene if isinstance(scene, Task) else task
        self._make_scene = scene if callable(scene) and not isinstance(scene, (Scene, Task)) else None
        if isinstance(scene, Task) and scene.varies():
            self._make_scene = scene.scene
        first = self._make_scene(0) if self._make_scene else scene.scene() if isinstance(scene, Task) else scene
        self.scene = first if isinstance(first, Scene) else Scene(first)
        self.hands = self.scene.names("hand")
        self._key = id(self)
        self._make(observe, threads)
        self.action_width = lib.cg_worlds_action_width(self._batch)
        self.observation_width = lib.cg_worlds_observation_width(self._batch)
        self._under_way = set()

    def _make(self, observe: Sequence, threads: Optional[int]) -> None:
        definition = ffi.new("cg_worlds_def *", lib.cg_worlds_def_default())
        self._observed = ffi.new("cg_observed[]", [self._read(item) for item in observe] or 0)
        self.slices = self._find_slices(observe)
        definition.observed, definition.observed_count = self._observed, len(observe)
        definition.world_count, definition.steps = self.count, self.steps
        if self._make_scene:
            definition.make_scene = lib.cg_py_make_scene
            definition.scene_context = ffi.cast("void *", self._key)
            _makers[self._key] = self
        else:
            definition.scene = self.scene._scene
        if self.task is not None:
            self._name = ffi.new("char[]", self.task.name.encode())
            definition.task, definition.task_name = self.task._task, self._name
        self._start_workers((os.cpu_count() or 1) if threads is None else threads)
        definition.runner = lib.cg_workers_batch_runner(self._runs)
        pointer = ffi.new("cg_worlds **")
        try:
            check(lib.cg_worlds_create(definition, pointer))
        except Error:
            self._stop_workers()
            _makers.pop(self._key, None)
            raise
        self._batch = pointer[0]

    def _start_workers(self, threads: int) -> None:
        workers, runs = ffi.new("cg_workers **"), ffi.new("cg_workers_batch **")
        if threads < 1 or not lib.cg_workers_create(threads - 1, workers):
            raise ValueError(f"found {threads} threads; expected 1 to 1024 that the system allows")
        if not lib.cg_workers_batch_create(workers[0], self.count, runs):
            lib.cg_workers_destroy(workers[0])
            raise MemoryError("no memory for the work of a batch")
        self._workers, self._runs, self._process = workers[0], runs[0], os.getpid()

    def _stop_workers(self) -> None:
        lib.cg_workers_batch_destroy(self._runs)
        lib.cg_workers_destroy(self._workers)

    # What is observed

    def _read(self, item):
        name, *words = (item,) if isinstance(item, str) else item
        known = observables()
        if name not in known:
            raise ValueError(f"there is no observable {name!r}; expected one of: {', '.join(known)}")
        observed = {"what": known.index(name), "place": 0, "count": 0}
        if name == "wound":
            tissue, point, along, depth = words
            observed.update(place=self._place("tissue", tissue), point=tuple(point), along=tuple(along), depth=depth)
        elif name == "targets":
            observed["count"] = words[0]
        elif words:
            kind = next((kind for kind in ("hand", "thread", "body", "tissue") if name.startswith(kind)), None)
            kind = kind or {"needle_inside": "body", "anchors": "thread"}.get(name)
            observed["place"] = self._place(kind, words[0])
            observed["count"] = words[1] if len(words) > 1 else 0
        return observed

    def _place(self, kind: str, word: Union[str, int]) -> int:
        names = self.scene.names(kind)
        place = names.index(word) if isinstance(word, str) and word in names else word
        if not isinstance(place, int) or not 0 <= place < len(names):
            raise ValueError(f"there is no {kind} {word!r}; expected one of: {', '.join(names)}")
        return place

    def _find_slices(self, observe: Sequence) -> Dict[str, slice]:
        slices, at = {}, 0
        for i, item in enumerate(observe):
            width = lib.cg_observed_width(self._observed + i)
            words = [item] if isinstance(item, str) else [str(word) for word in item[:2]]
            slices[" ".join(words)] = slice(at, at + width)
            at += width
        return slices

    # Whose turn it is

    def _enter(self) -> None:
        if not self._turn.acquire(False):
            raise Busy("another thread is using this batch now")
        problem = None
        if self._batch is None:
            problem = Closed("this batch was closed; make a new one")
        elif os.getpid() != self._process:
            problem = Error("this batch was made before a fork, and its threads are not in this process; make a new one")
        if problem:
            self._turn.release()
            raise problem

    def _rows(self, array, count: int, width: int, what: str):
        rows = np.ascontiguousarray(array, dtype=np.float64)
        if rows.shape != (count, width):
            raise ValueError(f"found {what} of the shape {rows.shape}; expected {(count, width)}")
        return rows

    def _mask(self, mask):
        if mask is None:
            return None, _NULL
        rows = np.ascontiguousarray(mask, dtype=np.bool_)
        if rows.shape != (self.count,):
            raise ValueError(f"found a mask of the shape {rows.shape}; expected {(self.count,)}")
        return rows, ffi.from_buffer("_Bool[]", rows)

    # Steps

    def reset(self, seeds=None, mask=None) -> np.ndarray:
        """Begins the worlds of `mask` (default: all) anew, under `seeds` (default: theirs); a row of what is seen each.

        Rows of worlds that go on are zero.
        """
        kept, pointer = self._mask(mask)
        told = None if seeds is None else np.ascontiguousarray(list(seeds), dtype=np.uint64)
        if told is not None and told.shape != (self.count,):
            raise ValueError(f"found {told.size} seeds; expected {self.count}")
        seen = np.zeros((self.count, self.observation_width))
        self._enter()
        try:
            given = _NULL if told is None else ffi.from_buffer("uint64_t[]", told)
            check(lib.cg_worlds_reset(self._batch, pointer, given, ffi.from_buffer("double[]", seen)))
        finally:
            self._turn.release()
        return seen

    def step(self, actions=None, mask=None) -> Tuple[np.ndarray, np.ndarray]:
        """Makes a step of all worlds (or those of `mask`): what is seen, and how each fares (a structured array)."""
        kept, pointer = self._mask(mask)
        rows = None if actions is None else self._rows(actions, self.count, self.action_width, "actions")
        seen, fare = np.zeros((self.count, self.observation_width)), np.zeros(self.count, dtype_of("cg_worlds_outcome"))
        self._enter()
        try:
            told = _NULL if rows is None else ffi.from_buffer("double[]", rows)
            check(lib.cg_worlds_step(self._batch, pointer, told, ffi.from_buffer("double[]", seen),
                                    ffi.from_buffer("cg_worlds_outcome[]", fare)))
        finally:
            self._turn.release()
        return seen, fare

    def send(self, actions, worlds: Sequence[int]) -> None:
        """Hands actions to some worlds, which step while Python goes on; `receive` takes what is done."""
        worlds = list(worlds)
        rows = self._rows(actions, len(worlds), self.action_width, "actions")
        self._enter()
        try:
            check(lib.cg_worlds_send(self._batch, ffi.new("int[]", worlds or 1), len(worlds),
                                    ffi.from_buffer("double[]", rows)))
        finally:
            self._turn.release()

    def receive(self, count: int) -> Tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Waits until `count` of the worlds that were sent are done: their numbers, what is seen, how they fare."""
        worlds = np.zeros(count, np.int32)
        seen, fare = np.zeros((count, self.observation_width)), np.zeros(count, dtype_of("cg_worlds_outcome"))
        self._enter()
        try:
            got = lib.cg_worlds_receive(self._batch, count, ffi.from_buffer("int[]", worlds),
                                       ffi.from_buffer("double[]", seen), ffi.from_buffer("cg_worlds_outcome[]", fare))
        finally:
            self._turn.release()
        return worlds[:got], seen[:got], fare[:got]

    def rollout(self, states: Sequence[State], actions) -> Tuple[np.ndarray, np.ndarray]:
        """Plays `actions` (state, step, number) from kept states: what is seen and how it fares, after every step."""
        told = np.ascontiguousarray(actions, dtype=np.float64)
        if told.ndim != 3 or told.shape[0] != len(states) or told.shape[2] != self.action_width:
            raise ValueError(f"found actions of the shape {told.shape}; expected ({len(states)}, steps, {self.action_width})")
        length = told.shape[1]
        seen = np.zeros((len(states), length, self.observation_width))
        fare = np.zeros((len(states), length), dtype_of("cg_worlds_outcome"))
        self._enter()
        try:
            pointers = ffi.new("cg_worlds_state *[]", [self._own(state) for state in states])
            check(lib.cg_worlds_rollout(self._batch, ffi.cast("const cg_worlds_state *const *", pointers), len(states),
                                       ffi.from_buffer("double[]", told), length, ffi.from_buffer("double[]", seen),
                                       ffi.from_buffer("cg_worlds_outcome[]", fare)))
        finally:
            self._turn.release()
        return seen, fare

    # States and measures

    def _own(self, state: State):
        if not isinstance(state, State) or state._batch is not self:
            raise ValueError("this state is of another batch")
        return state._state

    def keep(self, world: int) -> State:
        """The state of a world, with its attempt and seed, for any world of this batch."""
        self._enter()
        try:
            pointer = ffi.new("cg_worlds_state **")
            check(lib.cg_worlds_keep(self._batch, world, pointer))
            return State(self, pointer[0])
        finally:
            self._turn.release()

    def restore(self, world: int, state: State) -> None:
        """Brings a world to a kept state."""
        self._enter()
        try:
            check(lib.cg_worlds_return(self._batch, world, self._own(state)))
        finally:
            self._turn.release()

    def hash(self, world: int) -> int:
        """The state hash of a world."""
        self._enter()
        try:
            session = lib.cg_worlds_session(self._batch, world)
            if not session:
                raise IndexError(f"found world {world}; there are {self.count}")
            return lib.cg_world_state_hash(lib.cg_session_world(session))
        finally:
            self._turn.release()

    def measure(self, world: int) -> Measures:
        """Measures the attempt of a world as it is now."""
        measures = ffi.new("cg_measures *")
        self._enter()
        try:
            check(lib.cg_worlds_measure(self._batch, world, measures))
        finally:
            self._turn.release()
        return Measures(measures)

    def points(self, world: int) -> Tuple[float, float]:
        """Points of the attempt as it is now, and those of what has to be reached, which grow while it is done."""
        numbers = ffi.new("double[3]")
        self._enter()
        try:
            check(lib.cg_py_points(self._batch, self.task._task, world, numbers, numbers + 1, numbers + 2))
        finally:
            self._turn.release()
        return numbers[0], numbers[2]

    def close(self) -> None:
        """Ends all worlds."""
        if self._batch is None:
            return
        batch, self._batch = self._batch, None
        _makers.pop(self._key, None)
        if os.getpid() == self._process:  # a forked child has no threads to wait for
            lib.cg_worlds_destroy(batch)
            self._stop_workers()

    def __enter__(self) -> "Batch":
        return self

    def __exit__(self, *_what) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_batch", None) is not None:
            self.close()

"""A world that is stepped, with its hands, threads, tissues and bodies."""

from __future__ import annotations

import os
import threading
import weakref
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence, Union

import numpy as np

from . import _files
from ._data import Record, dtype_of, enum_value, fill, plain
from ._errors import Busy, Closed, Error, OutOfMemory, check, check_text, text
from ._native import ffi, lib
from ._recording import Recording
from ._scene import Scene, Task
from ._views import View, view_of

_NULL = ffi.NULL
_OPERATION = ffi.typeof("cg_operation")
_KINDS = {name[len("CG_OPERATION_"):]: number for number, name in ffi.typeof("cg_operation_kind").elements.items()}
_UNION = dict(dict(_OPERATION.fields)["as"].type.fields)
_PLACES = {f"cg_field_{what}": what for what in ("thread", "shape", "hand", "tissue")}


class StateHash(int):
    """A number made of all state that can influence the future; printed as `catgut run` prints it."""

    def __repr__(self) -> str:
        return f"0x{int(self):016x}"

    __str__ = __repr__


class Knot(Record):
    """What knot is in a thread: `name`, `common`, `throws_text`, `certain` and the rest of cg_knot_report."""

    def __str__(self) -> str:
        common = f" ({self.common})" if self.common else ""
        throws = f", throws {self.throws_text}" if self.throws_text else ""
        return self.name + common + throws


def exclusive(method):
    """Only one thread at a time uses a world; another one gets an exception."""

    def guarded(self, *words, **named):
        self._enter()
        try:
            return method(self, *words, **named)
        finally:
            self._turn.release()

    guarded.__name__, guarded.__doc__ = method.__name__, method.__doc__
    guarded.__qualname__, guarded.__wrapped__ = method.__qualname__, method
    return guarded


class World:
    """A scene that is stepped.

    >>> import catgut
    >>> world = catgut.World("overhand")
    >>> world.step(1000)
    >>> print(world.knot(), world.hash())

    `scene` is a name (catgut.names()), a path, a dict, a Scene, or a Task; with a Task `seed` puts what varies in its
    place, and the attempt is watched (`attempt`). `inputs` is a text of timed operations (docs/inputs.md), `script`
    the name or text of a script for the hands (docs/scripts.md). All is in SI units.

    Arrays that show the world (positions, velocities) are views without a copy: see View. One thread of Python at a
    time uses a world, others get Busy; different worlds may be stepped by different threads at once, since a step lets
    go of the interpreter.
    """

    def __init__(self, scene: Union[str, dict, Scene, Task, "os.PathLike[str]"], *, seed: int = 1,
                 inputs: Optional[str] = None, script: Optional[str] = None, skip_inputs: bool = False,
                 record: bool = False):
        self._turn, self._epoch, self._session, self._attempt = threading.Lock(), 0, None, None
        self._states, self._bytes, self._count = weakref.WeakSet(), None, ffi.new("int *")
        self.task = scene if isinstance(scene, Task) else None
        self.seed = seed
        self.scene = scene.scene(seed) if isinstance(scene, Task) else scene if isinstance(scene, Scene) else Scene(scene)
        self._memory = lib.cg_py_memory_create()
        if not self._memory:
            raise OutOfMemory("no memory for a world")
        self._make_session(inputs, skip_inputs)
        self._world = lib.cg_session_world(self._session)
        if record:
            self.record()
        if self.task is not None:
            pointer = ffi.new("cg_attempt **")
            check(lib.cg_attempt_create(self.task._task, self.task.name.encode(), seed, self._session, _NULL, pointer))
            self._attempt = pointer[0]
        self._names = {kind: self.scene.names(kind.__name__.lower()) for kind in (Thread, Hand, Tissue, Body, Shape)}
        if script is not None:
            self.run_script(script)

    def _make_session(self, inputs: Optional[str], skip_inputs: bool) -> None:
        definition = ffi.new("cg_session_def *", lib.cg_session_def_default())
        body = None if inputs is None else inputs.encode()
        if body is not None:
            kept = ffi.from_buffer("char[]", body)
            definition.inputs, definition.inputs_size = kept, len(body)
        definition.skip_scene_inputs = skip_inputs
        allocator = ffi.addressof(definition, "allocator")
        lib.cg_py_memory_use(self._memory, allocator)
        pointer, error = ffi.new("cg_session **"), ffi.new("cg_scene_error *")
        check_text(lib.cg_session_create(definition, self.scene._scene, pointer, error), error)
        self._session = pointer[0]

    threads = property(lambda self: Parts(self, Thread), doc="Its threads, by name or number.")
    hands = property(lambda self: Parts(self, Hand), doc="Its hands.")
    tissues = property(lambda self: Parts(self, Tissue), doc="Its tissues.")
    bodies = property(lambda self: Parts(self, Body), doc="Its rigid bodies: needles, mostly.")
    shapes = property(lambda self: Parts(self, Shape), doc="Its rigid shapes.")

    # Whose turn it is

    def _enter(self) -> None:
        if not self._turn.acquire(False):
            raise Busy("another thread is using this world now; give each thread worlds of its own, or take turns")
        if self._session is None:
            self._turn.release()
            raise Closed("this world was closed; make a new one")

    def _unpin(self, _pointer) -> None:
        lib.cg_py_memory_unpin(self._memory)

    # Time

    def step(self, n: int = 1) -> None:
        """Makes n steps. Other threads of Python run meanwhile."""
        if n < 0:
            raise ValueError(f"found {n} steps; expected 0 or more")
        self._enter()
        try:
            self._epoch += 1
            if self._attempt is None:
                lib.cg_py_step(self._session, n)
            else:
                lib.cg_py_step_attempt(self._session, self._attempt, n)
        finally:
            self._turn.release()

    @property
    @exclusive
    def time(self) -> float:
        """[s] simulated so far."""
        return lib.cg_world_time(self._world)

    @property
    @exclusive
    def time_step(self) -> float:
        """[s] of a step."""
        return lib.cg_session_time_step(self._session)

    @property
    @exclusive
    def steps(self) -> int:
        """Steps made so far."""
        return lib.cg_session_get_stats(self._session).steps

    # What it is like

    @exclusive
    def hash(self) -> StateHash:
        """A number of all state: equal hashes mean equal futures."""
        return StateHash(lib.cg_world_state_hash(self._world))

    @exclusive
    def stats(self) -> Record:
        """Statistics of the last step and since the start."""
        return plain(lib.cg_world_get_stats(self._world))

    @exclusive
    def knot(self, *threads: Union[str, int]) -> Knot:
        """Names the knot in a thread or two; without words in the first, or in both where there are two."""
        chosen = [self.threads._place(word) for word in threads] or list(range(min(2, len(self.threads))))
        if not 1 <= len(chosen) <= lib.CG_KNOT_MAX_THREADS:
            raise ValueError(f"found {len(chosen)} threads; expected one or two")
        ids = ffi.new("cg_thread_id[]", [lib.cg_session_thread(self._session, place) for place in chosen])
        report = ffi.new("cg_knot_report *")
        check(lib.cg_py_knot(self._world, ids, len(chosen), report))
        return Knot(**vars(plain(report[0])))

    @exclusive
    def contacts(self) -> np.ndarray:
        """All places where something touches, with points, normals, gaps and forces: a structured array, yours."""
        count = lib.cg_world_contact_count(self._world)
        return self._filled("cg_contact_info", lib.cg_py_contacts, count)

    @exclusive
    def anchors(self) -> np.ndarray:
        """Where threads go through tissue, with tensions and forces: a structured array, yours."""
        return self._filled("cg_anchor", lib.cg_py_anchors, lib.cg_world_anchor_count(self._world))

    def _filled(self, struct: str, fill_with, count: int) -> np.ndarray:
        array = np.zeros(count, dtype_of(struct))
        fill_with(self._world, ffi.from_buffer(f"{struct}[]", array, require_writable=True), count)
        return array

    # What happens in it

    @exclusive
    def move_hands(self, poses, time: float = 0.0, hands: Optional[Sequence[Union[str, int]]] = None) -> None:
        """Sends hands to poses: an array with a row x y z qx qy qz qw a hand, in the order of the scene or of `hands`.

        They arrive evenly `time` seconds from now; 0: at the end of the next step.
        """
        rows = np.ascontiguousarray(poses, dtype=np.float64)
        places = range(len(self.hands)) if hands is None else [self.hands._place(word) for word in hands]
        if rows.shape != (len(places), 7):
            raise ValueError(f"found poses of the shape {rows.shape}; expected {(len(places), 7)}")
        self._epoch += 1
        check(lib.cg_py_move_hands(self._session, ffi.new("int[]", list(places)),
                                   ffi.from_buffer("double[]", rows), len(places), time))

    @exclusive
    def apply(self, operation: str, **fields) -> None:
        """Does an operation now, before the next step: world.apply("close_hand", hand="left").

        catgut.operations() lists them with their fields. Hands, threads, tissues and shapes go by name or number,
        vectors and rotations (x y z w) as numbers in a row. It is recorded, as all that is done to a world.
        """
        made = self._operation(operation, fields)
        self._epoch += 1
        check(lib.cg_session_apply(self._session, made))

    def _operation(self, operation: str, fields: Dict[str, Any]):
        if operation not in _UNION:
            raise ValueError(f"there is no operation {operation!r}; catgut.operations() lists them")
        made = ffi.new("cg_operation *", {"kind": _KINDS[operation]})
        target = getattr(getattr(made, "as"), operation)
        for name, field in _UNION[operation].type.fields:
            if name not in fields:
                raise TypeError(f"{operation} needs {name}=")
            self._set_field(target, name, field.type, fields.pop(name))
        if fields:
            raise TypeError(f"{operation} has no {sorted(fields)[0]!r}")
        return made

    def _set_field(self, target, name: str, type_, value) -> None:
        if type_.kind == "struct":
            fill(getattr(target, name), type_, np.asarray(value, dtype=np.float64).tolist())
        elif type_.kind == "enum":
            setattr(target, name, enum_value(type_, value))
        elif name in ("thread", "shape", "hand", "tissue"):
            setattr(target, name, getattr(self, name + "s")._place(value))
        else:
            setattr(target, name, value)

    @exclusive
    def run_script(self, script: str) -> None:
        """Starts a script (its name, a file, or its text) with the next step; `script` says how it fares."""
        is_text = "\n" in script or " " in script
        if not is_text:
            with open(_files.find(script, "script"), encoding="utf-8") as file:
                script, name = file.read(), script
        body, error = script.encode(), ffi.new("cg_scene_error *")
        shown = b"script" if is_text else os.fsencode(name)
        check_text(lib.cg_session_run_script(self._session, body, len(body), shown, error), error)

    @property
    @exclusive
    def script(self) -> Record:
        """Where the script is: `phase` is "none", "running", "done", "stopped" or "failed"."""
        return plain(lib.cg_session_get_script(self._session))

    def finish_script(self, most: int = 10_000_000) -> None:
        """Steps until the script is over; raises with its sentence when it failed."""
        self._enter()
        try:
            self._epoch += 1
            lib.cg_py_step_script(self._session, self._attempt or _NULL, most)
            state = lib.cg_session_get_script(self._session)
        finally:
            self._turn.release()
        if state.phase == lib.CG_SCRIPT_FAILED:
            raise Error(f"{text(state.error.file)}:{state.error.line}: {text(state.error.message)}")

    @property
    @exclusive
    def attempt(self) -> Optional[Record]:
        """How the attempt at the task fares: `over`, `reached`, `time`, ...; None for a world without a task."""
        return None if self._attempt is None else plain(lib.cg_attempt_look(self._attempt))

    @exclusive
    def pull_test(self, thread: Union[str, int, None] = None) -> Record:
        """Loads a knot on a copy of it until it slips, breaks or holds; the world stays as it is."""
        result = ffi.new("cg_pull_result *")
        place = -1 if thread is None else self.threads._place(thread)
        check(lib.cg_session_pull_test(self._session, place, result))
        return plain(result[0])

    # States

    @exclusive
    def snapshot(self) -> "Snapshot":
        """The present state, kept in memory to go back to: world, inputs under way, operations that wait."""
        pointer = ffi.new("cg_session_state **")
        check(lib.cg_session_keep(self._session, pointer))
        return Snapshot(self, pointer[0])

    @exclusive
    def restore(self, snapshot: "Snapshot") -> None:
        """Goes back to a state of this world. A script is no part of it and runs on as it is."""
        if not isinstance(snapshot, Snapshot) or snapshot._world() is not self:
            raise BadSnapshot("this snapshot is of another world; use state() and load() to carry states between worlds")
        if self._attempt is not None:
            raise Error("a world with a task does not go back: its attempt would not know; make a new world, or a batch")
        self._epoch += 1
        check(lib.cg_session_return(self._session, snapshot._state))

    @exclusive
    def state(self) -> bytes:
        """The whole state of the world as bytes, for another world of the same scene."""
        size = lib.cg_world_snapshot_size(self._world)
        room = bytearray(size)
        check(lib.cg_world_snapshot(self._world, ffi.from_buffer(room), size))
        return bytes(room)

    @exclusive
    def load(self, state: bytes) -> None:
        """Takes a state of a world of the same scene. Not while recording or with inputs."""
        self._epoch += 1
        check(lib.cg_session_restore(self._session, ffi.from_buffer(state), len(state)))

    # Recordings

    @exclusive
    def _record(self, every: Dict[str, int]) -> None:
        definition = ffi.new("cg_recorder_def *", lib.cg_recorder_def_default())
        to = ffi.gc(ffi.new("cg_py_bytes *"), lib.cg_py_bytes_free)
        definition.write, definition.context = ffi.addressof(lib, "cg_py_bytes_add"), to
        codec = ffi.gc(ffi.new("cg_codec *", lib.cg_zstd_create()), lib.cg_zstd_free)
        definition.codec = codec[0]
        program = ffi.new("char[]", b"catgut python")
        definition.program = program
        for name, value in every.items():
            if not hasattr(definition, name + "_every") or value < 1:
                raise ValueError(f"found {name}={value}; expected frame=, hash= or key= steps, 1 or more")
            setattr(definition, name + "_every", value)
        check(lib.cg_session_record(self._session, definition))
        self._bytes, self._codec = to, codec  # not before: a recording that is under way has its own

    def record(self, **every: int) -> None:
        """Records from now on, in memory: record(frame=16, hash=64, key=4096) are steps from one to the next."""
        if self._session is None:
            raise Closed("this world was closed; make a new one")
        self._record(every)

    @exclusive
    def end_recording(self) -> Recording:
        """Ends the recording that is under way and returns it; Recording.save writes a file."""
        if self._bytes is None:
            raise Error("nothing is recorded: call record() before, or World(..., record=True)")
        status = lib.cg_session_end_recording(self._session)
        body = bytes(ffi.buffer(self._bytes.bytes, self._bytes.size))
        self._bytes = None
        check(status)
        return Recording(body)

    @exclusive
    def note(self, sentence: str) -> None:
        """Notes in the recording that something happened."""
        lib.cg_session_note(self._session, sentence.encode())

    # The end

    def close(self) -> None:
        """Ends the world. What numpy still shows of it stays readable, and is stale."""
        if self._session is None:
            return
        if not self._turn.acquire(False):
            raise Busy("another thread is using this world now, so it cannot be closed")
        session, self._session = self._session, None
        self._epoch += 1
        for state in list(self._states):
            state._free()
        lib.cg_attempt_destroy(self._attempt or _NULL)
        lib.cg_session_destroy(session)
        self._attempt = self._world = None
        self._turn.release()

    def __enter__(self) -> "World":
        return self

    def __exit__(self, *_what) -> None:
        self.close()

    def __del__(self) -> None:
        memory = getattr(self, "_memory", None)
        if memory:
            if self._session is not None and self._turn.acquire(False):
                self._turn.release()
                self.close()
            lib.cg_py_memory_leave(memory)

    def __repr__(self) -> str:
        return f"<catgut.World {self.scene.name}>" if self._session else "<catgut.World, closed>"


from ._errors import Mismatch  # noqa: E402


class BadSnapshot(Mismatch):
    """A snapshot of another world."""


class Snapshot:
    """A state of a world, made by World.snapshot and taken back by World.restore."""

    def __init__(self, world: World, state):
        self._world, self._holder = weakref.ref(world), [state]
        world._states.add(self)

    @property
    def _state(self):
        if not self._holder:
            raise Closed("the world of this snapshot was closed")
        return self._holder[0]

    def _free(self) -> None:
        try:
            lib.cg_session_state_free(self._holder.pop())
        except IndexError:
            pass

    def __del__(self) -> None:
        # Once the world has ended its states have been given back; before, it is there to take them.
        if getattr(self, "_holder", None):
            self._free()


class Parts(Mapping):
    """Parts of a world by name, in the order of the scene: world.hands["left"], world.hands[0], for hand in ..."""

    __slots__ = ("_world", "_kind", "_names")

    def __init__(self, world: World, kind):
        self._world, self._kind, self._names = world, kind, world._names[kind]

    def _place(self, word: Union[str, int]) -> int:
        if isinstance(word, str):
            if word not in self._names:
                raise KeyError(f"there is no {self._kind.__name__.lower()} {word!r}; expected one of: "
                               f"{', '.join(self._names) or 'none is there'}")
            return self._names.index(word)
        if not -len(self._names) <= word < len(self._names):
            raise IndexError(f"found number {word}; there are {len(self._names)}")
        return int(word) % len(self._names)

    def __getitem__(self, word: Union[str, int]):
        place = self._place(word)
        return self._kind(self._world, place, self._names[place])

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __repr__(self) -> str:
        return f"{self._kind.__name__}s: {', '.join(self._names)}"


class _Part:
    __slots__ = ("_of", "place", "name")

    def __init__(self, world: World, place: int, name: str):
        self._of, self.place, self.name = world, place, name

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name}>"

    def _look(self, call, *more):
        """What a function of the library says about this part, as Python has it."""
        world = self._of
        world._enter()
        try:
            return plain(call(world._world, self._id(), *more))
        finally:
            world._turn.release()

    def _shown(self, what: int, width: int = 3) -> View:
        """A view of an array that the library shows."""
        world = self._of
        world._enter()
        try:
            count = world._count
            pointer = self._show(world._memory, world._session, self.place, what, count)
            return view_of(world, pointer, count[0], width)
        finally:
            world._turn.release()

    def _computed(self, call, count: int) -> np.ndarray:
        values = np.empty(count)
        check(call(self._of._world, self._id(), ffi.from_buffer("double[]", values), count))
        return values


class Thread(_Part):
    """A thread of a world."""

    __slots__ = ()
    _show = lib.cg_py_show_thread

    def _id(self):
        return lib.cg_session_thread(self._of._session, self.place)

    @property
    def positions(self) -> View:
        """[m] of all vertices, one a row: a view, good until the next step."""
        return self._shown(lib.CG_PY_POSITIONS)

    @property
    def velocities(self) -> View:
        """[m/s] of all vertices, one a row: a view."""
        return self._shown(lib.CG_PY_VELOCITIES)

    @property
    def arcs(self) -> View:
        """[m] of all vertices along the thread at rest: a view."""
        return self._shown(lib.CG_PY_ARCS, 1)

    @property
    def rest_lengths(self) -> View:
        """[m] of all segments: a view."""
        return self._shown(lib.CG_PY_REST_LENGTHS, 1)

    @property
    def tensions(self) -> np.ndarray:
        """[N] pull in each segment, negative when pushed."""
        count = len(self.rest_lengths)
        return self._guarded(lib.cg_thread_tensions, count)

    @property
    def torques(self) -> np.ndarray:
        """[N m] twisting moment at each vertex."""
        return self._guarded(lib.cg_thread_torques, len(self.arcs))

    def _guarded(self, call, count: int) -> np.ndarray:
        self._of._enter()
        try:
            return self._computed(call, count)
        finally:
            self._of._turn.release()

    @property
    def summary(self) -> Record:
        """Lengths, largest stretch and loads."""
        return self._look(lib.cg_thread_get_summary)

    @property
    def energy(self) -> Record:
        """[J] by kind."""
        return self._look(lib.cg_thread_get_energy)

    @property
    def friction(self) -> float:
        """Its coefficient of friction; may be set."""
        return self._look(lib.cg_thread_get_friction)

    @friction.setter
    def friction(self, value: float) -> None:
        self._of.apply("set_friction", thread=self.place, friction=float(value))

    def at(self, arcs) -> np.ndarray:
        """[m] points at arc lengths at rest [m], between vertices too: a shape of fixed size whatever the vertices."""
        own, places = self.arcs, self.positions
        return np.stack([np.interp(arcs, own, places[:, axis]) for axis in range(3)], axis=-1)


class Hand(_Part):
    """A hand of a world; World.move_hands and World.apply command it."""

    __slots__ = ()

    def _id(self):
        return lib.cg_session_hand(self._of._session, self.place)

    @property
    def state(self) -> Record:
        """What it does: pose, force, opening, what it holds, ..."""
        return self._look(lib.cg_hand_get_state)

    @property
    def pose(self) -> np.ndarray:
        """x y z [m] and the rotation x y z w."""
        pose = self.state.pose
        return np.concatenate([pose.position, pose.rotation])

    def move(self, position, rotation=(0, 0, 0, 1), time: float = 0.0) -> None:
        """Sends it to a pose, where it is `time` seconds from now."""
        self._of.apply("move_hand", hand=self.place, position=position, rotation=rotation, time=time)

    def close(self) -> None:
        """Closes it around what is in its reach."""
        self._of.apply("close_hand", hand=self.place)

    def open(self) -> None:
        """Opens it; what it held is free."""
        self._of.apply("open_hand", hand=self.place)

    def set_jaws(self, opening: float, force: float = 0.0) -> None:
        """Opens or closes the jaws of its tool, 0 to 1, up to a force [N] (0: its grip)."""
        self._of.apply("set_jaws", hand=self.place, opening=opening, force=force)


class Tissue(_Part):
    """A tissue of a world."""

    __slots__ = ()
    _show = lib.cg_py_show_tissue

    def _id(self):
        return lib.cg_session_tissue(self._of._session, self.place)

    @property
    def positions(self) -> View:
        """[m] of all nodes: a view."""
        return self._shown(lib.CG_PY_POSITIONS)

    @property
    def velocities(self) -> View:
        """[m/s] of all nodes: a view."""
        return self._shown(lib.CG_PY_VELOCITIES)

    @property
    def homes(self) -> View:
        """[m] where the nodes were made: a view."""
        return self._shown(lib.CG_PY_HOMES)

    @property
    def triangles(self) -> np.ndarray:
        """Three nodes of each triangle of the surface."""
        return self._surface()[0]

    @property
    def sides(self) -> np.ndarray:
        """The part of the surface that each triangle belongs to, as a number."""
        return self._surface()[1]

    def _surface(self):
        world = self._of
        world._enter()
        try:
            count = lib.cg_tissue_triangle_count(world._world, self._id())
            corners, sides = np.zeros((count, 3), np.int32), np.zeros(count, np.int32)
            lib.cg_py_triangles(world._world, self._id(), ffi.from_buffer("int[]", corners),
                                ffi.from_buffer("int[]", sides), count)
            return corners, sides
        finally:
            world._turn.release()

    @property
    def summary(self) -> Record:
        """What it is like as a whole."""
        return self._look(lib.cg_tissue_get_summary)

    def wound_gap(self, point, along, depth: float = 2e-3) -> Record:
        """How far its wound gapes in the plane through `point` across `along`, down to `depth` [m]."""
        vectors = [ffi.new("cg_vec3 *", tuple(float(x) for x in row))[0] for row in (point, along)]
        return self._look(lib.cg_tissue_wound_gap, *vectors, depth)


class Body(_Part):
    """A rigid body of a world: a needle, mostly."""

    __slots__ = ()

    def _id(self):
        return lib.cg_py_body(self._of._world, self.place)

    @property
    def pose(self) -> np.ndarray:
        """x y z [m] and the rotation x y z w."""
        pose = self._look(lib.cg_rigid_get_pose)
        return np.concatenate([pose.position, pose.rotation])

    def _told(self, call, struct: str) -> Optional[Record]:
        told, world = ffi.new(struct + " *"), self._of
        world._enter()
        try:
            return plain(told[0]) if call(world._world, self._id(), told) else None
        finally:
            world._turn.release()

    @property
    def info(self) -> Optional[Record]:
        """How it moves, and what touched it."""
        return self._told(lib.cg_rigid_get_info, "cg_rigid_info")

    @property
    def piercing(self) -> Optional[Record]:
        """How a needle is in tissue; None for what is no needle."""
        return self._told(lib.cg_rigid_get_piercing, "cg_piercing")


class Shape(_Part):
    """A rigid shape of a world."""

    __slots__ = ()

    def _id(self):
        return lib.cg_session_shape(self._of._session, self.place)

    @property
    def pose(self) -> np.ndarray:
        """x y z [m] and the rotation x y z w."""
        pose = self._look(lib.cg_shape_get_pose)
        return np.concatenate([pose.position, pose.rotation])


def operations() -> Dict[str, List[str]]:
    """What World.apply can do, by name, with the fields of each."""
    return {name: [field for field, _ in type_.type.fields] for name, type_ in _UNION.items()}

"""Recordings: read, replayed to the bit, measured and scored."""

from __future__ import annotations

import os
from typing import List, Optional, Tuple, Union

import numpy as np

from ._data import Record, plain
from ._errors import Mismatch, check, check_text, text
from ._native import ffi, lib
from ._scene import Measures, Scene, Score, Task


class Recording:
    """What went into a world and what came out: a file of `catgut run --record`, or what World.end_recording gives.

    >>> recording = catgut.Recording("tied.cgr")
    >>> len(recording), recording.step_count
    >>> recording.frame(0).threads[0]        # x y z of each vertex [m]
    """

    def __init__(self, source: Union[bytes, str, "os.PathLike[str]"]):
        if not isinstance(source, (bytes, bytearray, memoryview)):
            with open(source, "rb") as file:
                source = file.read()
        self.bytes = bytes(source)
        self._kept = ffi.from_buffer(self.bytes)
        pointer, codec = ffi.new("cg_recording **"), ffi.new("cg_codec *", lib.cg_zstd_reader())
        check(lib.cg_recording_open(self._kept, len(self.bytes), codec, ffi.NULL, pointer))
        self._recording = ffi.gc(pointer[0], lib.cg_recording_close)

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes a file that the program reads."""
        with open(path, "wb") as file:
            file.write(self.bytes)

    @property
    def info(self) -> Record:
        """What its head says."""
        return plain(lib.cg_recording_get_info(self._recording))

    @property
    def damage(self) -> str:
        """What is wrong with it; empty when it is whole."""
        return text(lib.cg_recording_damage(self._recording))

    @property
    def step_count(self) -> int:
        """Steps that it covers."""
        return lib.cg_recording_step_count(self._recording)

    def __len__(self) -> int:
        """Frames in it."""
        return lib.cg_recording_frame_count(self._recording)

    def frame(self, index: int) -> Record:
        """One of its frames: `step`, `time`, `threads` and `tissues` (x y z a row [m]), `hands`, `bodies`. Copies."""
        index = range(len(self))[index]
        frame = ffi.new("cg_recorded_frame *")
        check(lib.cg_recording_frame(self._recording, index, frame))
        return Record(step=frame.step, time=frame.time,
                      threads=_points(frame.vertices, frame.vertex_counts, frame.thread_count),
                      tissues=_points(frame.nodes, frame.node_counts, frame.tissue_count),
                      hands=[plain(frame.hands[i]) for i in range(max(0, frame.hand_count))],
                      bodies=[plain(frame.bodies[i]) for i in range(max(0, frame.body_count))])

    @property
    def events(self) -> List[Tuple[int, str]]:
        """What happened, with the step."""
        step, said = ffi.new("uint64_t *"), ffi.new("char **")
        count = lib.cg_recording_event_count(self._recording)
        lines = []
        for i in range(count):
            lib.cg_recording_event(self._recording, i, step, said)
            lines.append((step[0], text(said[0])))
        return lines

    def scene(self) -> Scene:
        """The scene inside."""
        pointer, error = ffi.new("cg_scene **"), ffi.new("cg_scene_error *")
        check_text(lib.cg_recording_scene(self._recording, ffi.NULL, pointer, error), error)
        return Scene._taken(pointer[0], "scene of a recording")

    def replay(self) -> int:
        """Runs it anew and compares all state hashes; returns how many there were, or raises at the first that differs."""
        from ._world import World

        check(lib.cg_recording_check_versions(self._recording))
        wrong = ffi.new("uint64_t *")
        with World(self.scene(), skip_inputs=True) as world:
            agreed = lib.cg_py_replay(world._session, self._recording, wrong)
        if wrong[0] != 2**64 - 1:
            raise Mismatch(f"the replay differs at step {wrong[0]}")
        return agreed

    def measure(self, task: Optional[Task] = None) -> Measures:
        """Measures what was done."""
        measures = ffi.new("cg_measures *")
        pointer = ffi.NULL if task is None else task._task
        check(lib.cg_measure_recording(self._recording, pointer, ffi.NULL, measures))
        return Measures(measures)

    def score(self, task: Task) -> Score:
        """Measures what was done, and scores it by the rubric of a task."""
        return task.score(self.measure(task))


def _points(rows, counts, number: int) -> List[np.ndarray]:
    return [np.frombuffer(ffi.buffer(rows[i], 12 * counts[i]), np.float32).reshape(-1, 3).copy()
            if counts[i] else np.zeros((0, 3), np.float32) for i in range(number)]

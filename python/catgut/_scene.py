"""Scenes and tasks: texts that say what is in a world, and what is to be done in it."""

from __future__ import annotations

import json
import os
from typing import List, Optional, Union

import numpy as np

from . import _files
from ._data import Record, plain
from ._errors import check_text, scene_error, text
from ._native import ffi, lib


class Scene:
    """A scene that was read and found good: a name ("overhand"), a path, or a dict with the members of a scene file.

    Worlds made of it share it. What a dict includes lies in `folder` (default: that of the scenes here). `set` puts
    other values into it by JSON pointers: Scene("hanging", set={"/threads/0/friction": 0.3, "/gravity": [0, 0, -1]}).
    """

    def __init__(self, scene: Union[str, dict, "os.PathLike[str]"], *, folder: Optional[str] = None, moves: str = "",
                 set: Optional[dict] = None):
        pointer, error = ffi.new("cg_scene **"), ffi.new("cg_scene_error *")
        if isinstance(scene, dict):
            self.name, body, base = "scene", json.dumps(scene).encode(), folder or _files.scene_folder()
        else:
            self.name = _files.find(os.fspath(scene), "scene")
            base = os.path.dirname(os.path.abspath(self.name))
            with open(self.name, "rb") as file:
                body = file.read()
        if set:
            body = _set_json(body, self.name, set)
        good = lib.cg_scene_load_text(body, len(body), os.fsencode(self.name), os.fsencode(base), moves.encode(),
                                      pointer, error)
        if not good:
            raise scene_error(error)
        self._scene = ffi.gc(pointer[0], lib.cg_scene_free)

    @classmethod
    def _taken(cls, pointer, name: str) -> "Scene":
        scene = cls.__new__(cls)
        scene.name, scene._scene = name, ffi.gc(pointer, lib.cg_scene_free)
        return scene

    @property
    def title(self) -> str:
        """One line about what it shows."""
        return text(lib.cg_scene_title(self._scene))

    @property
    def duration(self) -> float:
        """[s] how long a run of it is meant to last."""
        return lib.cg_scene_duration(self._scene)

    def names(self, what: str) -> List[str]:
        """Names of its parts in their order: what is "thread", "hand", "tissue", "shape" or "body"."""
        count = getattr(lib, f"cg_scene_{what}_count")(self._scene)
        name = getattr(lib, f"cg_scene_{what}_name")
        return [text(name(self._scene, i)) for i in range(count)]

    def __repr__(self) -> str:
        return f"<catgut.Scene {self.name}>"


def _set_json(body: bytes, name: str, values: dict) -> bytes:
    """A text of a scene with other values, by JSON pointers."""
    pointers = [ffi.new("char[]", pointer.encode()) for pointer in values]
    told = [ffi.new("char[]", json.dumps(value).encode()) for value in values.values()]
    size, error = ffi.new("size_t *"), ffi.new("cg_scene_error *")
    changed = lib.cg_py_set_json(body, len(body), os.fsencode(name), pointers, told, len(told), size, error)
    if not changed:
        raise scene_error(error)
    changed = ffi.gc(changed, lib.cg_py_free)
    return bytes(ffi.buffer(changed, size[0]))


class Task:
    """A task of training: its scene, its rubric, its expert. See docs/training.md.

    >>> task = catgut.Task("needle-marks")
    >>> world = catgut.World(task, seed=3)
    """

    def __init__(self, task: Union[str, "os.PathLike[str]"]):
        self.path = _files.find(os.fspath(task), "task")
        self.name = os.path.splitext(os.path.basename(self.path))[0]
        with open(self.path, "rb") as file:
            body = file.read()
        pointer, error = ffi.new("cg_task **"), ffi.new("cg_scene_error *")
        check_text(lib.cg_task_read(body, len(body), os.fsencode(self.path), ffi.NULL, pointer, error), error)
        self._task = ffi.gc(pointer[0], lib.cg_task_free)

    title = property(lambda self: text(lib.cg_task_title(self._task)), doc="One line about it.")
    time_limit = property(lambda self: lib.cg_task_time_limit(self._task), doc="[s] after which an attempt is over.")

    @property
    def instructions(self) -> List[str]:
        """The sentences of the briefing."""
        lines, i = [], 0
        while lib.cg_task_instruction(self._task, i):
            lines.append(text(lib.cg_task_instruction(self._task, i)))
            i += 1
        return lines

    @property
    def expert(self) -> Optional[str]:
        """The text of the script that does it well; None where there is none."""
        name = lib.cg_task_expert(self._task)
        if not name:
            return None
        with open(_files.script_of_task(self.path, text(name)), encoding="utf-8") as file:
            return file.read()

    def varies(self) -> bool:
        """Whether seeds make other scenes; else only its targets are elsewhere."""
        return lib.cg_task_write_moves(self._task, 1, ffi.NULL, 0) > 0

    def scene(self, seed: int = 1, set: Optional[dict] = None) -> Scene:
        """Its scene, with all that varies where the seed puts it, and other values `set` by JSON pointers."""
        room = lib.cg_task_write_moves(self._task, seed, ffi.NULL, 0) + 1
        moves = ffi.new("char[]", room)
        lib.cg_task_write_moves(self._task, seed, moves, room)
        return Scene(text(lib.cg_task_scene(self._task)), moves=text(moves), set=set)

    def targets(self, seed: int = 1) -> np.ndarray:
        """[m] the places that the task chooses under a seed, one a row; no rows for a task without targets."""
        places = ffi.new("cg_vec3[]", lib.CG_TASK_MOST_TARGETS)
        count = lib.cg_task_targets(self._task, seed, places)
        return np.array([[places[i].x, places[i].y, places[i].z] for i in range(count)]).reshape(count, 3)

    def marks(self, seed: int = 1) -> Record:
        """What it shows of its goal under a seed."""
        return plain(lib.cg_task_get_marks(self._task, seed))

    def score(self, measures) -> "Score":
        """Scores what Recording.measure returned."""
        return Score(lib.cg_task_score(self._task, measures._measures))

    def __repr__(self) -> str:
        return f"<catgut.Task {self.name}: {self.title}>"


class Measures:
    """All measures of an attempt, by name: measures["path_length"] is a number, None where it is not known."""

    def __init__(self, measures):
        self._measures = measures

    def __getitem__(self, name: str) -> Optional[float]:
        which = lib.cg_measure_find(name.encode())
        if which < 0:
            raise KeyError(f"there is no measure {name!r}; list(measures) has them all")
        got = self._measures[0].of[which]
        return got.value if got.known else None

    def __iter__(self):
        return (text(lib.cg_measure_get_info(i).name) for i in range(lib.CG_MEASURE_COUNT))

    def __len__(self) -> int:
        return lib.CG_MEASURE_COUNT

    def keys(self):
        """Names of all measures."""
        return iter(self)

    @property
    def over(self) -> bool:
        """The task came to its end."""
        return self._measures[0].is_over

    def __repr__(self) -> str:
        return "Measures(" + ", ".join(f"{name}={self[name]:.4g}" for name in self if self[name] is not None) + ")"


class Score:
    """Points by the rubric of a task: `points` of `most`, `passed`, `lines`, and the one `advice`."""

    def __init__(self, score):
        self.points, self.most, self.passed = score.points, score.most, score.passed
        self.pass_points = score.pass_points
        self.lines = [plain(score.lines[i]) for i in range(score.line_count)]
        for line in self.lines:
            line.measure = text(lib.cg_measure_get_info(line.measure).name)
        room, holder = ffi.new("char[512]"), ffi.new("cg_score *", score)
        lib.cg_score_advice(holder, room, 512)
        self.advice = text(room)

    def __repr__(self) -> str:
        return f"<Score {self.points:.1f} of {self.most:.0f}, {'passed' if self.passed else 'not passed'}>"

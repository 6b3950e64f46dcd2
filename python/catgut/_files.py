"""Where scenes, tasks and scripts are, by their names."""

from __future__ import annotations

import difflib
import os
from typing import List

_HERE = os.path.dirname(os.path.abspath(__file__))
_KINDS = {"scene": ("", ".json"), "script": ("scripts", ".script"), "task": ("tasks", ".json")}


def scene_folder() -> str:
    """The folder of the scenes that come with catgut: of the package, or of the source tree it was built in."""
    for folder in (os.path.join(_HERE, "scenes"), os.path.join(_HERE, "..", "..", "scenes")):
        if os.path.isdir(folder):
            return os.path.normpath(folder)
    raise FileNotFoundError("the scenes that come with catgut are missing: build the package anew")


def names(kind: str = "scene") -> List[str]:
    """The names of what comes with catgut: names("scene"), names("script"), names("task")."""
    folder, ending = _KINDS[kind]
    files = os.listdir(os.path.join(scene_folder(), folder))
    return sorted(name[: -len(ending)] for name in files if name.endswith(ending))


def find(word: str, kind: str) -> str:
    """The file that a name or path means."""
    if os.path.isfile(word):
        return word
    folder, ending = _KINDS[kind]
    path = os.path.join(scene_folder(), folder, word + ending)
    if os.path.isfile(path):
        return path
    near = difflib.get_close_matches(word, names(kind), 1)
    advice = f"did you mean {near[0]!r}?" if near else f'catgut.names("{kind}") lists those that are here'
    raise FileNotFoundError(f"there is no {kind} {word!r}, as a file or by name; {advice}")


def script_of_task(task_path: str, script: str) -> str:
    """The file of a script that a task names: beside the task, or one of those that come with catgut."""
    beside = os.path.join(os.path.dirname(task_path), script + ".script")
    return beside if os.path.isfile(beside) else find(script, "script")

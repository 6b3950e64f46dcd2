"""catgut: a simulator of surgical suturing.

A world is made from a scene and stepped; what is in it is read as numpy arrays; hands are told where to go.

>>> import catgut
>>> world = catgut.World("overhand")           # a name of catgut.names(), a path, or a dict
>>> world.step(1000)                           # a second
>>> print(world.knot(), world.hash())          # what knot it is, and a number of all state
>>> world.threads[0].positions                 # [m], a view without a copy, good until the next step
>>> before = world.snapshot(); world.step(); world.restore(before)

Tying with a script, recorded and read back:

>>> world = catgut.World("cord", script="square", record=True)
>>> world.finish_script()
>>> recording = world.end_recording()
>>> recording.replay()                         # the same bits again

A task and its score:

>>> task = catgut.Task("point-and-touch")
>>> world = catgut.World(task, seed=2, script=task.expert, record=True)
>>> world.finish_script()
>>> world.end_recording().score(task)

All is in SI units. What goes wrong is an exception (catgut.Error) with a sentence that says what to do.
"""

from ._batch import Batch, State, observables
from ._errors import BadHandle, BadInput, Busy, Closed, Error, Full, Mismatch, OutOfMemory, SceneError, text as _text
from ._files import names, scene_folder
from ._native import lib as _lib
from ._recording import Recording
from ._scene import Measures, Scene, Score, Task
from ._views import View
from ._world import Body, Hand, Knot, Shape, Snapshot, StateHash, Thread, Tissue, World, operations

__version__ = _text(_lib.cg_version())
MOTION_VERSION = _lib.CG_MOTION_VERSION
"""What a step does: states and operations of the same number lead to the same future."""

from .envs import SutureEnv, SutureVectorEnv, environments, expert, make, make_vec  # noqa: E402

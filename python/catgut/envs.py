"""Environments for learning, by the conventions of Gymnasium.

>>> env = catgut.make("needle-marks")
>>> observation, info = env.reset(seed=1)
>>> observation, reward, terminated, truncated, info = env.step(env.action_space.sample())
>>> many = catgut.make_vec("square-knot", 64)

**Actions** have ten numbers a hand, from -1 to 1: where it goes (the workspace of the environment is from -1 to 1), the
first two columns of its rotation (they need not be of unit length or at right angles; what says no rotation says none),
and its opening (-1 closed, 1 open). It gets there in a step of the environment.

**Observations** are poses of hands, what they hold and feel, the thread at even arc lengths, bodies, and what the task
is about; `env.slices` says where each is.

**Rewards.** Dense: the points gained in this step; when it is over the rest, so that the sum is the points of the task
(100 at most, scaled). Sparse: 1 in the step in which the task is reached. `info["is_success"]` is what the task says.

An episode is `terminated` when the task is reached and `truncated` when its time is over.
"""

from __future__ import annotations

import os
from typing import Any, Callable, Dict, List, Optional, Tuple

import numpy as np

from . import _files
from ._batch import Batch
from ._native import ffi, lib
from ._scene import Scene, Task
from ._spaces import AutoresetMode, Box, Env, VectorEnv
from ._world import World

_HAND = 10
_MOST = 100.0


# What is to be done


class _TaskGoal:
    """What a task of training says."""

    def __init__(self, name: str, every: int):
        self.task, self.every = Task(name), every

    def scene(self, seed: int, change: Optional[dict]) -> Scene:
        return self.task.scene(seed, set=change)

    def progress(self, batch: Batch, world: int, seen: np.ndarray, slices: dict) -> float:
        return _MOST * batch.points(world)[1] / self._most()

    def final(self, batch: Batch, world: int, seen: np.ndarray, slices: dict) -> float:
        return _MOST * batch.points(world)[0] / self._most()

    def _most(self) -> float:
        if not hasattr(self, "most"):
            empty = ffi.new("cg_measures *")
            self.most = lib.cg_task_score(self.task._task, empty).most
        return self.most

    def reached(self, batch: Batch, world: int, fare, seen: np.ndarray, slices: dict) -> bool:
        return bool(fare["reached"])

    def over(self, fare) -> bool:
        return bool(fare["over"])

    @property
    def time_limit(self) -> float:
        return self.task.time_limit

    def expert_script(self) -> str:
        return self.task.expert


class _SceneGoal:
    """A scene in which something is to be seen."""

    task = None
    every = 1

    def __init__(self, scene: str, script: str, time_limit: float, vary: Callable[[np.random.Generator], dict]):
        self.name, self.script, self.time_limit, self._vary = scene, script, time_limit, vary

    def scene(self, seed: int, change: Optional[dict]) -> Scene:
        values = dict(self._vary(np.random.default_rng(seed)))
        values.update(change or {})
        return Scene(self.name, set=values)

    def final(self, batch: Batch, world: int, seen: np.ndarray, slices: dict) -> float:
        return self.progress(batch, world, seen, slices)

    def over(self, fare) -> bool:
        return False

    def expert_script(self) -> str:
        with open(_files.find(self.script, "script"), encoding="utf-8") as file:
            return file.read()


class _NeedleGoal(_SceneGoal):
    """A needle is held by one hand alone, so far above the table."""

    def __init__(self, hand: str, other: str, height: float, **named):
        super().__init__("handover", "handover", 12.0, _needle_anywhere)
        self.hand, self.other, self.height = hand, other, height

    def _parts(self, seen: np.ndarray, slices: dict):
        needle = seen[slices["body_pose needle"]][:3]
        hand = seen[slices[f"hand_pose {self.hand}"]][:3]
        held, also = seen[slices[f"hand_holds {self.hand}"]][2], seen[slices[f"hand_holds {self.other}"]][2]
        return needle, hand, held, also

    def progress(self, batch: Batch, world: int, seen: np.ndarray, slices: dict) -> float:
        needle, hand, held, also = self._parts(seen, slices)
        near = max(0.0, 1 - np.linalg.norm(needle - hand) / 0.06)
        lifted = min(1.0, max(0.0, needle[2] / self.height))
        reached = held and not also and needle[2] >= self.height
        return _MOST if reached else 20 * near + 30 * held + 40 * held * lifted

    def reached(self, batch: Batch, world: int, fare, seen: np.ndarray, slices: dict) -> bool:
        needle, _, held, also = self._parts(seen, slices)
        return bool(held and not also and needle[2] >= self.height)


class _KnotGoal(_SceneGoal):
    """A knot is in the first thread; it is looked at ten times a second."""

    every = 10

    def __init__(self, scene: str, script: str, common: str, time_limit: float, vary):
        super().__init__(scene, script, time_limit, vary)
        self.common = common

    def progress(self, batch: Batch, world: int, seen: np.ndarray, slices: dict) -> float:
        return _MOST * self._is_tied(batch, world)

    def _is_tied(self, batch: Batch, world: int) -> bool:
        report = ffi.new("cg_knot_report *")
        session = lib.cg_worlds_session(batch._batch, world)
        ids = ffi.new("cg_thread_id[]", [lib.cg_session_thread(session, 0)])
        status = lib.cg_py_knot(lib.cg_session_world(session), ids, 1, report)
        return status.code == lib.CG_OK and ffi.string(report.common).decode() == self.common

    def reached(self, batch: Batch, world: int, fare, seen: np.ndarray, slices: dict) -> bool:
        return fare["steps"] % (self.every * batch.steps) == 0 and self._is_tied(batch, world)


def _needle_anywhere(random: np.random.Generator) -> dict:
    x, y = random.uniform(-0.006, 0.006, 2)
    return {"/bodies/0/position": [x, y, 0.0003]}


def _cord_anywhere(random: np.random.Generator) -> dict:
    return {"/threads/0/friction": random.uniform(0.18, 0.22)}


# The environments


class Spec:
    """What makes an environment: its goal, the steps of its world in one of its own, where hands work, what is seen."""

    def __init__(self, goal: Callable[[], Any], steps: int, low, high, observe: List):
        self.goal, self.steps, self.observe = goal, steps, observe
        self.low, self.high = np.array(low, float), np.array(high, float)


_NEEDLE = [("needle_inside", 0), ("body_pose", "needle"), ("body_motion", "needle")]

SPECS: Dict[str, Spec] = {
    "needle-pick-up": Spec(lambda: _NeedleGoal("right", "left", 0.015), 10, (-0.08, -0.06, 0.0), (0.08, 0.06, 0.1), _NEEDLE),
    "handover": Spec(lambda: _NeedleGoal("left", "right", 0.015), 10, (-0.08, -0.06, 0.0), (0.08, 0.06, 0.1), _NEEDLE),
    "needle-marks": Spec(lambda: _TaskGoal("needle-marks", 10), 10, (-0.08, -0.08, -0.03), (0.08, 0.08, 0.1),
                         _NEEDLE + [("targets", 2)]),
    "one-stitch": Spec(lambda: _TaskGoal("simple-stitch", 20), 10, (-0.2, -0.2, -0.05), (0.2, 0.2, 0.2),
                       _NEEDLE + [("thread_points", 0, 24), ("anchors", 0), ("targets", 2),
                                  ("wound", 0, (0, 0, 0), (1, 0, 0), 0.002)]),
    "throw-on-a-post": Spec(lambda: _KnotGoal("cord", "overhand", "overhand", 30.0, _cord_anywhere), 10,
                            (-0.2, -0.2, -0.15), (0.2, 0.2, 0.15), [("thread_points", 0, 32)]),
    "square-knot": Spec(lambda: _TaskGoal("square-knot", 20), 10, (-0.2, -0.2, -0.15), (0.2, 0.2, 0.15),
                        [("thread_points", 0, 32)]),
    "grasp-and-pluck": Spec(lambda: _TaskGoal("grasp-and-pluck", 20), 10, (-0.15, -0.15, -0.02), (0.15, 0.15, 0.15),
                            [("thread_points", 0, 4), ("thread_points", 1, 4), ("thread_points", 2, 4), ("targets", 1)]),
}


def environments() -> List[str]:
    """The names that make and make_vec know."""
    return sorted(SPECS)


class _Core:
    """Some worlds of an environment: what single and vector environments have in common."""

    def __init__(self, name: str, count: int, dense: bool, change: Optional[dict], threads: Optional[int],
                 time_limit: Optional[float]):
        if name not in SPECS:
            raise ValueError(f"there is no environment {name!r}; expected one of: {', '.join(environments())}")
        self.spec, self.dense, self.change = SPECS[name], dense, change
        self.goal = self.spec.goal()
        hands = self.goal.scene(0, change).names("hand")
        seen = [(what, hand) for hand in hands for what in ("hand_pose", "hand_opening", "hand_force", "hand_holds")]
        varies = not (self.goal.task and not self.goal.task.varies() and not change)
        scene = (lambda seed: self.goal.scene(seed, self.change)) if varies else self.goal.scene(0, change)
        self.batch = Batch(scene, count, steps=self.spec.steps, observe=seen + self.spec.observe + ["time"],
                           task=self.goal.task, threads=threads)
        self.slices = dict(self.batch.slices)
        self.middle, self.half = 0.5 * (self.spec.low + self.spec.high), 0.5 * (self.spec.high - self.spec.low)
        self.told, self.steps = np.zeros(count), np.zeros(count, np.int64)
        limit = self.goal.time_limit if time_limit is None else time_limit
        session = lib.cg_worlds_session(self.batch._batch, 0)
        self.most_steps = max(1, int(round(limit / (lib.cg_session_time_step(session) * self.spec.steps))))

    def spaces(self) -> Tuple[Box, Box]:
        wide = np.inf
        return (Box(-wide, wide, (self.batch.observation_width,), np.float64),
                Box(-1.0, 1.0, (self.batch.action_width,), np.float64))

    def commands(self, actions: np.ndarray) -> np.ndarray:
        """Actions of the environment as those of the batch."""
        told = np.array(actions, dtype=np.float64).reshape(len(actions), -1, _HAND)
        if not np.all(np.isfinite(told)):
            raise ValueError("found an action that is not finite; expected numbers from -1 to 1")
        told = np.clip(told, -1, 1)
        told[:, :, :3] = self.middle + self.half * told[:, :, :3]
        told[:, :, 9] = 0.5 * (told[:, :, 9] + 1)
        x, y = told[:, :, 3:6], told[:, :, 6:9]
        across = np.linalg.norm(np.cross(x, y), axis=-1)
        says_none = (across < 1e-6) | (np.linalg.norm(x, axis=-1) < 1e-3) | (np.linalg.norm(y, axis=-1) < 1e-3)
        told[says_none, 3:9] = (1, 0, 0, 0, 1, 0)
        return told.reshape(len(actions), -1)

    def begin(self, seeds: np.ndarray, mask: np.ndarray) -> np.ndarray:
        """Begins worlds anew. Rows of the others are zero."""
        seen = self.batch.reset(seeds, mask)
        self.told[mask], self.steps[mask] = 0, 0
        return seen

    def advance(self, actions: np.ndarray):
        """A step of all worlds: observations, rewards, terminated, truncated, infos as a list."""
        seen, fare = self.batch.step(self.commands(actions))
        self.steps += 1
        count = self.batch.count
        rewards, done, late = np.zeros(count), np.zeros(count, bool), np.zeros(count, bool)
        infos = []
        for i in range(count):
            rewards[i], done[i], late[i] = self._judge(i, fare[i], seen[i])
            infos.append({"is_success": bool(done[i]), "time": float(fare["time"][i]), "points": float(self.told[i])})
        return seen, rewards, done, late, infos

    def _judge(self, world: int, fare, seen: np.ndarray) -> Tuple[float, bool, bool]:
        reached = self.goal.reached(self.batch, world, fare, seen, self.slices)
        late = not reached and (self.goal.over(fare) or self.steps[world] >= self.most_steps)
        points = self.told[world]
        if reached or late:
            points = self.goal.final(self.batch, world, seen, self.slices)
        elif self.steps[world] % self.goal.every == 0:
            points = self.goal.progress(self.batch, world, seen, self.slices)
        gained, self.told[world] = points - self.told[world], points
        return (float(gained) if self.dense else float(reached)), bool(reached), bool(late)


class SutureEnv(Env):
    """One world of an environment; catgut.make makes it."""

    metadata = {"render_modes": []}

    def __init__(self, name: str, *, dense: bool = True, change: Optional[dict] = None,
                 time_limit: Optional[float] = None, render_mode: Optional[str] = None):
        if render_mode is not None:
            raise ValueError(f"found the render mode {render_mode!r}; there is none yet: expected None")
        self.name, self.render_mode = name, render_mode
        self._core = _Core(name, 1, dense, change, 1, time_limit)
        self.observation_space, self.action_space = self._core.spaces()
        self.slices, self._is_open = self._core.slices, False

    def reset(self, *, seed: Optional[int] = None, options: Optional[dict] = None):
        """Begins anew. `options={"world_seed": n}` says which world; else the seed draws it. Returns what is seen."""
        super().reset(seed=seed)
        world = (options or {}).get("world_seed")
        self.world_seed = int(self.np_random.integers(0, 2**31)) if world is None else int(world)
        seen = self._core.begin(np.array([self.world_seed]), np.array([True]))
        self._is_open = True
        return seen[0], {"is_success": False, "time": 0.0, "points": 0.0, "world_seed": self.world_seed}

    def step(self, action):
        """Makes a step: what is seen, reward, terminated, truncated, info."""
        if not self._is_open:
            raise RuntimeError("the episode is over, or none was begun; call reset()")
        rows = np.asarray(action, dtype=np.float64)
        if rows.shape != self.action_space.shape:
            raise ValueError(f"found an action of the shape {rows.shape}; expected {self.action_space.shape}")
        seen, rewards, done, late, infos = self._core.advance(rows[None])
        self._is_open = not (done[0] or late[0])
        return seen[0], float(rewards[0]), bool(done[0]), bool(late[0]), infos[0]

    def keep(self):
        """A state to go back to: the world, its attempt and what was rewarded."""
        return (self._core.batch.keep(0), self._core.told.copy(), self._core.steps.copy(), self._is_open)

    def restore(self, state) -> None:
        """Goes back to a state of keep: the same actions then lead to the same future, to the bit."""
        kept, told, steps, self._is_open = state
        self._core.batch.restore(0, kept)
        self._core.told[:], self._core.steps[:] = told, steps

    def hash(self) -> int:
        """The state hash of its world."""
        return self._core.batch.hash(0)

    def render(self):
        """There is no picture yet."""

    def close(self) -> None:
        """Ends its world."""
        self._core.batch.close()
        self._is_open = False


class SutureVectorEnv(VectorEnv):
    """Many worlds of an environment on all cores; catgut.make_vec makes it.

    A world that is over begins anew in the same step: what it showed last is info["final_obs"], a copy, and what was
    told of it info["final_info"]; its row of the observations is the first of the new episode.
    """

    metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.SAME_STEP}

    def __init__(self, name: str, count: int, *, dense: bool = True, change: Optional[dict] = None,
                 time_limit: Optional[float] = None, threads: Optional[int] = None):
        self.name, self.num_envs = name, count
        self._core = _Core(name, count, dense, change, threads, time_limit)
        self.single_observation_space, self.single_action_space = self._core.spaces()
        rows = (count,) + self.single_observation_space.shape
        self.observation_space = Box(-np.inf, np.inf, rows, np.float64)
        self.action_space = Box(-1.0, 1.0, (count,) + self.single_action_space.shape, np.float64)
        self.slices, self._randoms = self._core.slices, None

    def reset(self, *, seed=None, options: Optional[dict] = None):
        """Begins all worlds anew; a whole number as seed gives world i the seed + i, a list each its own."""
        if seed is not None or self._randoms is None:
            seeds = [None] * self.num_envs if seed is None else seed
            seeds = [seed + i for i in range(self.num_envs)] if isinstance(seed, (int, np.integer)) else seeds
            self._randoms = [np.random.default_rng(one) for one in seeds]
        seen = self._core.begin(self._draw(np.ones(self.num_envs, bool)), np.ones(self.num_envs, bool))
        return seen, {"world_seed": self.world_seeds.copy()}

    def _draw(self, mask: np.ndarray) -> np.ndarray:
        if not hasattr(self, "world_seeds"):
            self.world_seeds = np.zeros(self.num_envs, np.int64)
        for i in np.flatnonzero(mask):
            self.world_seeds[i] = self._randoms[i].integers(0, 2**31)
        return self.world_seeds

    def step(self, actions):
        """Makes a step of all worlds."""
        if self._randoms is None:
            raise RuntimeError("no episode was begun; call reset()")
        rows = np.asarray(actions, dtype=np.float64)
        if rows.shape != self.action_space.shape:
            raise ValueError(f"found actions of the shape {rows.shape}; expected {self.action_space.shape}")
        seen, rewards, done, late, infos = self._core.advance(rows)
        over = done | late
        info: Dict[str, Any] = {name: np.array([one[name] for one in infos]) for name in infos[0]}
        if over.any():
            last = np.empty(self.num_envs, object)
            for i in np.flatnonzero(over):
                last[i] = seen[i].copy()
            info["final_obs"], info["_final_obs"] = last, over.copy()
            info["final_info"] = {name: value.copy() for name, value in info.items() if name in infos[0]}
            first = self._core.begin(self._draw(over), over)
            seen = np.where(over[:, None], first, seen)
        return seen, rewards, done, late, info

    def hash(self, world: int) -> int:
        """The state hash of a world."""
        return self._core.batch.hash(world)

    def close(self, **_named) -> None:
        """Ends all worlds."""
        self._core.batch.close()


def make(name: str, **named) -> SutureEnv:
    """An environment by its name (catgut.environments()).

    `dense=False` gives the sparse reward; `change` puts other values into its scene by JSON pointers, for randomising
    friction, stiffness, radius or tissue ({"/threads/0/friction": 0.3}); `time_limit` [s] ends episodes earlier.
    """
    return SutureEnv(name, **named)


def make_vec(name: str, count: int, **named) -> SutureVectorEnv:
    """Many of an environment, as make; `threads` says how many cores work on them."""
    return SutureVectorEnv(name, count, **named)


def expert(name: str, world_seed: int, change: Optional[dict] = None) -> np.ndarray:
    """What the expert's script does in an environment under a seed of its worlds, as actions of it, one a row."""
    spec = SPECS[name]
    goal = spec.goal()
    middle, half = 0.5 * (spec.low + spec.high), 0.5 * (spec.high - spec.low)
    where = goal.task if goal.task and not change else goal.scene(world_seed, change)
    rows = []
    with World(where, seed=world_seed, skip_inputs=True, script=goal.expert_script()) as world:
        while world.script.phase == "running":
            world.step(spec.steps)
            row = []
            for hand in world.hands.values():
                state = hand.state
                turn = _columns(state.command.rotation)
                opening = state.opening_told if state.has_jaws else float(not state.closed)
                row.append(np.concatenate([(state.command.position - middle) / half, turn, [2 * opening - 1]]))
            rows.append(np.concatenate(row))
    return np.array(rows)


def _columns(q: np.ndarray) -> np.ndarray:
    """The first two columns of a rotation x y z w."""
    x, y, z, w = q
    return np.array([1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w),
                     2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)])

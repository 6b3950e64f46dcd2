"""gymnasium where it is installed, and what environments need of it where it is not."""

from __future__ import annotations

import numpy as np

try:
    from gymnasium import Env
    from gymnasium.spaces import Box
    from gymnasium.vector import AutoresetMode, VectorEnv

    HAS_GYMNASIUM = True
except ImportError:
    HAS_GYMNASIUM = False

    class Box:
        """All arrays of a shape between two bounds, as gymnasium.spaces.Box."""

        def __init__(self, low, high, shape=None, dtype=np.float32, seed=None):
            shape = np.shape(low) if shape is None else tuple(shape)
            self.dtype, self.shape = np.dtype(dtype), shape
            self.low = np.broadcast_to(np.asarray(low, dtype), shape).copy()
            self.high = np.broadcast_to(np.asarray(high, dtype), shape).copy()
            self._random = np.random.default_rng(seed)

        def seed(self, seed=None):
            """Begins the samples anew."""
            self._random = np.random.default_rng(seed)
            return [seed]

        def sample(self) -> np.ndarray:
            """An array of it: even between finite bounds, normal where there are none."""
            low, high = np.where(np.isfinite(self.low), self.low, -1), np.where(np.isfinite(self.high), self.high, 1)
            even = self._random.uniform(low, high)
            bounded = np.isfinite(self.low) & np.isfinite(self.high)
            return np.where(bounded, even, self._random.normal(size=self.shape)).astype(self.dtype)

        def contains(self, x) -> bool:
            """Whether it is one of these arrays."""
            fits = isinstance(x, np.ndarray) and x.shape == self.shape and np.can_cast(x.dtype, self.dtype)
            return bool(fits and np.all(x >= self.low) and np.all(x <= self.high))

        __contains__ = contains

        def __eq__(self, other) -> bool:
            return (isinstance(other, Box) and self.shape == other.shape and self.dtype == other.dtype
                    and np.array_equal(self.low, other.low) and np.array_equal(self.high, other.high))

        def __repr__(self) -> str:
            return f"Box({self.low.min()}, {self.high.max()}, {self.shape}, {self.dtype})"

    class Env:
        """The frame of an environment, as gymnasium.Env."""

        metadata: dict = {"render_modes": []}
        render_mode = None
        spec = None
        _np_random = None

        @property
        def unwrapped(self):
            """Itself: nothing is around it."""
            return self

        @property
        def np_random(self) -> np.random.Generator:
            """Its random numbers, of the seed of the last reset that had one."""
            if self._np_random is None:
                self._np_random = np.random.default_rng()
            return self._np_random

        @np_random.setter
        def np_random(self, generator: np.random.Generator) -> None:
            self._np_random = generator

        def reset(self, *, seed=None, options=None):
            """Takes the seed, where there is one."""
            if seed is not None:
                self._np_random = np.random.default_rng(seed)

        def close(self) -> None:
            """Ends it."""

        def __enter__(self):
            return self

        def __exit__(self, *_what):
            self.close()
            return False

    class VectorEnv(Env):
        """The frame of many environments, as gymnasium.vector.VectorEnv."""

        num_envs = 0

    class AutoresetMode:
        """When an environment that is over begins anew."""

        SAME_STEP = "SameStep"

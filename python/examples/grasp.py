"""Trains a small controller that picks a needle up, by the cross-entropy method in numpy.

The controller has eight numbers: where beside the needle it grasps, how that depends on where the needle lies, how the
jaws are turned, how deep they go. At first it knows nothing of that. A round tries a crowd of controllers on a few
places each, all at once; the best of them make the next crowd.

    PYTHONPATH=python /usr/bin/python3 python/examples/grasp.py
"""

import argparse
import time

import numpy as np

import catgut
from plot import plot

NAMES = ["x", "y", "x by x", "x by y", "y by x", "y by y", "turn", "depth"]
# Where a search begins, and how widely: above the middle of the workspace, jaws across, too high.
FIRST = np.array([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.5])
SPREAD = np.array([6.0, 6.0, 0.7, 0.7, 0.7, 0.7, 0.5, 0.35])
DOWN, CLOSED, LIFTED, LENGTH = 45, 60, 95, 130  # steps of the environment
HIDDEN = 10_000  # world seeds from here on are places that nobody trained on


class Pick:
    """The environment "needle-pick-up" for a crowd of controllers."""

    def __init__(self, count: int, threads=None):
        self.env = catgut.make_vec("needle-pick-up", count, time_limit=(LENGTH + 5) * 0.01, threads=threads)
        self.count, self.core = count, self.env._core
        self.env.reset(seed=0)

    def play(self, controllers: np.ndarray, places: np.ndarray):
        """Plays an episode of each controller at the place of its row: returns and successes."""
        seen = self.core.begin(np.asarray(places), np.ones(self.count, bool))
        needle = seen[:, self.env.slices["body_pose needle"]][:, :2] * 1e3  # [mm], as it lies at first
        left = seen[:, self.env.slices["hand_pose left"]]
        total, done, over = np.zeros(self.count), np.zeros(self.count, bool), np.zeros(self.count, bool)
        for step in range(LENGTH):
            _, rewards, reached, late, _ = self.core.advance(self.actions(controllers, needle, left, step))
            total += np.where(over, 0, rewards)
            done |= reached & ~over
            over |= reached | late
            if over.all():
                break
        return total, done

    def actions(self, controllers: np.ndarray, needle: np.ndarray, left: np.ndarray, step: int) -> np.ndarray:
        """What the hands are told: the left one stays, the right one goes down, closes and lifts."""
        told = np.zeros((self.count, 2, 10))
        told[:, 0, :3], told[:, 0, 3:9], told[:, 0, 9] = self.scaled(left[:, :3]), left[:, 3:9], 1
        gain = controllers[:, 2:6].reshape(-1, 2, 2)
        place = (controllers[:, :2] + np.einsum("nij,nj->ni", gain, needle)) * 1e-3
        depth = 0.0035 + 0.012 * np.clip(controllers[:, 7], 0, 1)  # [m] of the jaws above the table
        share = np.clip(step / DOWN, 0, 1) if step < CLOSED else 1 - np.clip((step - CLOSED) / (LIFTED - CLOSED), 0, 1)
        height = depth + (0.03 - depth) * (1 - share)
        told[:, 1, :3] = self.scaled(np.column_stack([place, height]))
        turn = controllers[:, 6]
        told[:, 1, 3:5] = np.column_stack([np.cos(turn), np.sin(turn)])
        told[:, 1, 6:8] = np.column_stack([-np.sin(turn), np.cos(turn)])
        told[:, 1, 9] = 1 if step < DOWN + 3 else -1
        return told.reshape(self.count, -1)

    def scaled(self, places: np.ndarray) -> np.ndarray:
        return (places - self.core.middle) / self.core.half


def train(seed: int, rounds: int, crowd: int, tries: int, threads) -> tuple:
    """The cross-entropy method: the best quarter of a crowd says where the next one is drawn."""
    random = np.random.default_rng(seed)
    middle, spread = FIRST.copy(), SPREAD.copy()
    pick, story = Pick(crowd * tries, threads), []
    for number in range(rounds):
        controllers = middle + spread * random.standard_normal((crowd, len(middle)))
        places = np.tile(random.integers(0, HIDDEN, tries), crowd)  # the same for all: they are compared
        total, done = pick.play(np.repeat(controllers, tries, axis=0), places)
        score = total.reshape(crowd, tries).mean(axis=1)
        best = controllers[np.argsort(-score)[: max(2, crowd // 4)]]
        middle = best.mean(axis=0)
        spread = best.std(axis=0) + 0.15 * SPREAD * (1 - number / rounds) ** 2
        story.append((float(score.mean()), float(done.mean())))
        print(f"  round {number + 1}: mean return {score.mean():.1f}, picked up {100 * done.mean():.0f} %", flush=True)
    pick.env.close()
    return middle, story


def judge(controller: np.ndarray, places: int, threads) -> float:
    """The share of places, none of them trained on, where the needle is picked up."""
    pick = Pick(places, threads)
    _, done = pick.play(np.tile(controller, (places, 1)), HIDDEN + np.arange(places))
    pick.env.close()
    return float(done.mean())


def main() -> int:
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("--seeds", type=int, default=3, help="starting seeds")
    words.add_argument("--rounds", type=int, default=10)
    words.add_argument("--crowd", type=int, default=32, help="controllers in a round")
    words.add_argument("--tries", type=int, default=3, help="places that each is tried at")
    words.add_argument("--places", type=int, default=50, help="places that it is judged at")
    words.add_argument("--threads", type=int, default=None)
    words.add_argument("--plot", default="grasp.svg", help="where the plot goes")
    options = words.parse_args()
    begun, lines, good = time.perf_counter(), [], True
    before = judge(FIRST, options.places, options.threads)
    print(f"untrained: {100 * before:.0f} % of {options.places} places")
    for seed in range(1, options.seeds + 1):
        controller, story = train(seed, options.rounds, options.crowd, options.tries, options.threads)
        share = judge(controller, options.places, options.threads)
        good = good and share >= 0.8
        told = ", ".join(f"{name} {value:.2f}" for name, value in zip(NAMES, controller))
        print(f"seed {seed}: {100 * share:.0f} % of {options.places} places that it was not trained on ({told})", flush=True)
        lines.append((f"seed {seed}", list(range(1, len(story) + 1)), [100 * done for _, done in story], False))
    plot(options.plot, "A needle picked up: controllers of each round", "round", "picked up [%]", lines)
    print(f"{time.perf_counter() - begun:.0f} s; plot in {options.plot}")
    return 0 if good and before < 0.2 else 1


if __name__ == "__main__":
    raise SystemExit(main())

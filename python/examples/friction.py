"""Finds the friction of a thread on a post from recorded pulls, by a search over 200 runs.

A hand draws a thread with a bead over a post. What the hand felt was recorded, with noise; the same pull is simulated
under 200 coefficients at once, and the one that fits best is the answer.

    PYTHONPATH=python /usr/bin/python3 python/examples/friction.py
"""

import argparse

import numpy as np

import catgut
from plot import plot

STEPS, ROUNDS, NOISE = 16, 40, 0.02  # steps from look to look, looks, and noise as a share of the force
LOW, HIGH = 0.05, 0.45
START = [-0.0048, 0.0, -0.020]


def scene(friction: float) -> catgut.Scene:
    """The scene "post", with a hand at the start of the thread; thread and post have the same coefficient."""
    return catgut.Scene("post", set={
        "/threads/0/friction": friction, "/shapes/0/friction": friction, "/threads/0/start": "free", "/inputs": [],
        "/hands": [{"name": "hand", "position": START}]})


def way(look: int) -> list:
    """Where the hand is told to be at a look: it draws the thread down, 25 mm in all."""
    return [START[0], START[1], START[2] - 0.025 * (look + 1) / ROUNDS]


def record(friction: float, seed: int) -> np.ndarray:
    """A pull by an unknown coefficient as a recording tells it: the force on the hand [N], with noise."""
    with catgut.World(scene(friction), record=True, skip_inputs=True) as world:
        world.apply("close_hand", hand="hand")
        for look in range(ROUNDS):
            world.move_hands([way(look) + [0, 0, 0, 1]], time=STEPS * world.time_step)
            world.step(STEPS)
        recording = world.end_recording()
    forces = [np.linalg.norm(recording.frame(i).hands[0].state.force) for i in range(1, ROUNDS + 1)]
    return np.array(forces) * (1 + NOISE * np.random.default_rng(seed).standard_normal(ROUNDS))


def simulate(frictions: np.ndarray) -> np.ndarray:
    """The same pull under many coefficients: a row of forces for each."""
    batch = catgut.Batch(lambda seed: scene(frictions[seed]), len(frictions), steps=STEPS, observe=[("hand_force", "hand")])
    batch.reset(seeds=range(len(frictions)))
    forces = np.zeros((len(frictions), ROUNDS))
    for look in range(ROUNDS):
        told = np.tile(way(look) + [1, 0, 0, 0, 1, 0, 0.0], (len(frictions), 1))
        seen, _ = batch.step(told)
        forces[:, look] = np.linalg.norm(seen, axis=1)
    batch.close()
    return forces


def fit(told: np.ndarray, frictions: np.ndarray, forces: np.ndarray):
    """The coefficient that fits best, between runs by a parabola through the best three, and the misfit of all."""
    wrong = np.mean((forces / told - 1) ** 2, axis=1)
    best = int(np.clip(np.argmin(wrong), 3, len(frictions) - 4))
    near = slice(best - 3, best + 4)
    a, b, _ = np.polyfit(frictions[near] - frictions[best], wrong[near], 2)
    found = frictions[best] - b / (2 * a) if a > 0 else frictions[best]
    return float(np.clip(found, frictions[best - 3], frictions[best + 3])), wrong


def main() -> int:
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("--pulls", type=int, default=10, help="recorded pulls to explain")
    words.add_argument("--runs", type=int, default=200, help="runs of the search")
    words.add_argument("--plot", default="friction.svg", help="where the plot goes")
    options = words.parse_args()
    frictions = np.linspace(LOW, HIGH, options.runs)
    forces = simulate(frictions)
    truths = np.random.default_rng(2026).uniform(0.1, 0.4, options.pulls)
    good = 0
    for pull, truth in enumerate(truths):
        told = record(truth, pull)
        found, wrong = fit(told, frictions, forces)
        off = abs(found / truth - 1)
        good += off <= 0.05
        print(f"pull {pull}: friction {truth:.4f}, found {found:.4f}, off by {100 * off:.2f} %")
    time = [STEPS * 1e-3 * (look + 1) for look in range(ROUNDS)]
    best = int(np.argmin(wrong))
    plot(options.plot, "A recorded pull, and the run that fits it best", "time [s]", "force on the hand [N]",
         [("recorded, with noise", time, told.tolist(), True), ("best run", time, forces[best].tolist(), False),
          ("least friction", time, forces[0].tolist(), False), ("most friction", time, forces[-1].tolist(), False)])
    print(f"{good} of {options.pulls} within 5 %; plot in {options.plot}")
    return 0 if good == options.pulls else 1


if __name__ == "__main__":
    raise SystemExit(main())

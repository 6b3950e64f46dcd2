"""Calls at random, right and wrong ones, with views that are kept, worlds that are closed, and threads: the interpreter
lives, and what is wrong is an exception. CATGUT_LONG=1 makes a hundred times as many; with the library under
AddressSanitizer (docs/python.md) it finds what is read after it was given back."""

import gc
import os
import random
import threading
import unittest

import numpy as np

import catgut

LONG = bool(os.environ.get("CATGUT_LONG"))
SCENES = ["hanging", "handover", "overhand", "needle"]
ALLOWED = (catgut.Error, ValueError, TypeError, KeyError, IndexError, OverflowError, FileNotFoundError)
ODD = [None, -1, 0, 1, 7, 10**9, 2**70, 0.5, float("nan"), float("inf"), "left", "nobody", "", b"x", [], [1, 2, 3],
       (0, 0, 0, 1), np.zeros(3), np.zeros((2, 7)), np.full((2, 7), np.nan), {}, True]


class Player:
    """One thread's share of calls, on worlds that all threads know."""

    def __init__(self, seed: int, worlds: list, kept: list):
        self.random, self.worlds, self.kept, self.raised = random.Random(seed), worlds, kept, 0

    def odd(self):
        return self.random.choice(ODD)

    def call(self):
        world = self.random.choice(self.worlds)
        actions = [self.make, lambda: world.step(self.random.choice([0, 1, 2, self.odd_steps()])), world.hash, world.close,
                   lambda: self.keep(self.part(world.threads).positions), lambda: self.keep(self.part(world.threads).arcs),
                   lambda: self.keep(world.contacts()), lambda: self.keep(world.snapshot()),
                   lambda: world.restore(self.random.choice(self.kept or [None])), lambda: world.load(self.blob()),
                   lambda: self.keep(world.state()), world.stats, world.knot, lambda: world.knot(self.odd()),
                   lambda: world.apply(self.random.choice(list(catgut.operations())), **self.fields()),
                   lambda: world.move_hands(self.odd(), time=self.odd()), self.forget, self.read,
                   lambda: self.part(world.hands).state, lambda: self.part(world.bodies).info, world.record,
                   lambda: self.keep(world.end_recording()), lambda: world.run_script(str(self.odd())),
                   lambda: self.part(world.hands).move(self.odd(), self.odd(), time=self.odd())]
        try:
            self.random.choice(actions)()
        except ALLOWED:
            self.raised += 1

    def odd_steps(self):
        # Many steps would only take long.
        value = self.odd()
        return 3 if isinstance(value, int) and abs(value) > 100 and not isinstance(value, bool) and value < 2**63 else value

    def blob(self) -> bytes:
        blobs = [thing for thing in self.kept if isinstance(thing, bytes)]
        blob = bytearray(self.random.choice(blobs)) if blobs else bytearray(100)
        if self.random.random() < 0.5 and blob:
            blob[self.random.randrange(len(blob))] ^= 1 << self.random.randrange(8)
        return bytes(blob[: self.random.choice([len(blob), len(blob) // 2])])

    def fields(self) -> dict:
        names = {name for fields in catgut.operations().values() for name in fields}
        operation = self.random.choice(list(catgut.operations().values()))
        chosen = operation if self.random.random() < 0.8 else self.random.sample(sorted(names), 2)
        return {name: self.random.choice([0, 1, 0.01, (0, 0, 0.01), (0, 0, 0, 1), self.odd()]) for name in chosen}

    def part(self, parts):
        return parts[self.random.choice([0, 0, 0, -1, self.odd()])]

    def make(self):
        if len(self.worlds) > 6:
            self.worlds.pop(0)
        self.worlds.append(catgut.World(self.random.choice(SCENES), skip_inputs=self.random.random() < 0.5))

    def keep(self, thing):
        if len(self.kept) > 20:
            self.kept.pop(self.random.randrange(len(self.kept)))
        self.kept.append(thing)

    def forget(self):
        if self.kept:
            self.kept.pop()
        gc.collect(0)

    def read(self):
        # What is kept can be read, whatever happened to its world; the sum touches every byte.
        for thing in list(self.kept):
            if isinstance(thing, catgut.View):
                float(np.sum(thing))
                bool(thing.stale)
                thing[1:].copy()


class Calls(unittest.TestCase):
    def play(self, seed: int, threads: int, calls: int) -> None:
        worlds, kept = [catgut.World(name) for name in SCENES[:2]], []
        players = [Player(seed + i, worlds, kept) for i in range(threads)]
        wrong = []

        def run(player: Player) -> None:
            try:
                for _ in range(calls):
                    player.call()
            except BaseException as error:  # told below: a thread of its own would hide it
                wrong.append(error)

        running = [threading.Thread(target=run, args=(player,)) for player in players]
        for thread in running:
            thread.start()
        for thread in running:
            thread.join()
        if wrong:
            raise wrong[0]
        self.assertGreater(sum(player.raised for player in players), 0)

    def test_calls_of_one_thread(self):
        for seed in range(2):
            self.play(1000 + seed, 1, 25_000 if LONG else 250)

    def test_calls_of_three_threads(self):
        self.play(2000, 3, 17_000 if LONG else 170)


if __name__ == "__main__":
    unittest.main()

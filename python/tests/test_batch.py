"""Many worlds at once: bits of a world alone, states, rollouts, what is sent and received, forks and threads."""

import os
import threading
import unittest

import numpy as np

import catgut

OBSERVE = ["time", ("hand_pose", "left"), ("hand_pose", "right"), ("hand_opening", "right"), ("body_pose", 0)]


def actions_of(world: int, round: int) -> np.ndarray:
    left = [-0.03, 0.001 * world, 0.03, 1, 0, 0, 0, 1, 0, 1.0]
    right = [0.03, 0.0, 0.03 - 0.002 * round, 1, 0.1 * world, 0, 0, 1, 0, 0.5]
    return np.array(left + right)


def make(count: int, **named) -> catgut.Batch:
    return catgut.Batch("handover", count, steps=5, observe=OBSERVE, **named)


def run(batch: catgut.Batch, rounds: int):
    for round in range(rounds):
        seen, fare = batch.step([actions_of(world, round) for world in range(batch.count)])
    return seen, fare


class Batches(unittest.TestCase):
    def test_threads_and_neighbours_change_no_bit(self):
        hashes = []
        for threads in (1, 2, 3):
            with make(4, threads=threads) as batch:
                run(batch, 3)
                hashes.append([batch.hash(world) for world in range(4)])
        self.assertEqual(hashes[0], hashes[1])
        self.assertEqual(hashes[0], hashes[2])
        world = catgut.World("handover", skip_inputs=True)
        for round in range(3):
            poses = []
            for hand in range(2):
                told = actions_of(0, round)[10 * hand:10 * hand + 10]
                poses.append(list(told[:3]) + [0, 0, 0, 1])
            for hand in range(2):
                world.move_hands([poses[hand]], time=5 * world.time_step, hands=[hand])
                opening = actions_of(0, round)[10 * hand + 9]
                if world.hands[hand].state.opening_told != opening:
                    world.hands[hand].set_jaws(opening)
            world.step(5)
        self.assertEqual(int(world.hash()), hashes[0][0])

    def test_what_is_seen_is_what_the_world_says(self):
        with make(2) as batch:
            seen, fare = run(batch, 2)
            self.assertEqual(seen.shape, (2, batch.observation_width))
            self.assertEqual(fare["steps"].tolist(), [10, 10])
            pose = seen[1, batch.slices["hand_pose left"]]
            np.testing.assert_allclose(np.linalg.norm(pose[3:6]), 1, atol=1e-12)
            self.assertAlmostEqual(seen[0, batch.slices["time"]][0], fare["time"][0], places=15)

    def test_partial_resets_leave_nothing_behind(self):
        with make(3) as batch, make(3) as fresh:
            batch.reset(seeds=[1, 2, 3])
            fresh.reset(seeds=[1, 2, 3])
            run(batch, 3)
            others = [batch.hash(0), batch.hash(2)]
            batch.reset(mask=[False, True, False])
            self.assertEqual(batch.hash(1), fresh.hash(1))
            self.assertEqual([batch.hash(0), batch.hash(2)], others)

    def test_kept_states_and_rollouts(self):
        with make(2) as batch:
            run(batch, 1)
            kept = [batch.keep(0), batch.keep(1), batch.keep(0)]
            told = np.array([[actions_of(i, k) for k in range(3)] for i in range(3)])
            seen, fare = batch.rollout(kept, told)
            self.assertEqual(fare["steps"].tolist(), [[10, 15, 20]] * 3)
            for i in range(3):
                batch.restore(1, kept[i])
                for k in range(3):
                    rows, _ = batch.step(np.stack([told[i, k]] * 2), mask=[False, True])
                    np.testing.assert_array_equal(rows[1], seen[i, k])

    def test_sent_worlds_come_back_once(self):
        with make(4, threads=2) as batch, make(4, threads=1) as twin:
            told = np.array([actions_of(world, 0) for world in range(4)])
            batch.send(told[[3, 1]], [3, 1])
            with self.assertRaises(catgut.BadInput):
                batch.send(told[[1]], [1])
            with self.assertRaises(catgut.BadInput):
                batch.step(told)
            worlds, seen, _ = batch.receive(4)
            rows, _ = twin.step(told)
            self.assertEqual(sorted(worlds.tolist()), [1, 3])
            for world, row in zip(worlds, seen):
                np.testing.assert_array_equal(row, rows[world])

    def test_tasks_are_attempted_and_measured(self):
        task = catgut.Task("point-and-touch")
        with catgut.Batch(task, 2, steps=160, observe=[("targets", 6)]) as batch:
            seen = batch.reset(seeds=[4, 9])
            np.testing.assert_array_equal(seen[1].reshape(6, 4)[:, :3], task.targets(9))
            told = np.tile(np.array([0.2, 0.1, 0.2, 1, 0, 0, 0, 1, 0, 1]), (2, 2))
            told[1, :3] = task.targets(9)[2]
            for _ in range(2):
                seen, fare = batch.step(told)
            self.assertEqual(fare["reached_targets"].tolist(), [0, 4])
            self.assertAlmostEqual(batch.measure(1)["targets_reached"], 1 / 6)
            self.assertEqual(seen[1].reshape(6, 4)[:, 3].tolist(), [0, 0, 1, 0, 0, 0])
            self.assertGreaterEqual(batch.points(1)[0], batch.points(0)[0])

    def test_seeds_may_make_other_scenes(self):
        def scene(seed: int) -> catgut.Scene:
            return catgut.Scene("hanging", set={"/threads/0/friction": 0.1 + 0.01 * seed, "/gravity": [0, 0, -1 - seed]})

        with catgut.Batch(scene, 3, steps=20, observe=[("thread_points", 0, 4)], threads=2) as batch:
            batch.reset(seeds=[0, 5, 0])
            seen, _ = batch.step()
            np.testing.assert_array_equal(seen[0], seen[2])
            fallen = seen[:, 11] - 0
            # Free fall of the end: as far as gravity is strong.
            self.assertAlmostEqual(fallen[1] / fallen[0], 6, places=1)

        def wrong(seed: int) -> catgut.Scene:
            if seed == 2:
                raise RuntimeError("two is none")
            return catgut.Scene("hanging")

        with self.assertRaisesRegex(catgut.BadInput, "world 2: RuntimeError: two is none"):
            catgut.Batch(wrong, 3)

    def test_wrong_use_says_what_to_do(self):
        with self.assertRaisesRegex(ValueError, "expected one of: time"):
            catgut.Batch("handover", 1, observe=["weather"])
        with self.assertRaisesRegex(ValueError, "no hand 'middle'"):
            catgut.Batch("handover", 1, observe=[("hand_pose", "middle")])
        with self.assertRaises(catgut.BadInput):
            catgut.Batch("handover", 0)
        batch = make(2)
        for wrong in (lambda: batch.step(np.zeros((2, 19))), lambda: batch.reset(seeds=[1]),
                      lambda: batch.step(mask=[True]), lambda: batch.rollout([], np.zeros((1, 2, 20))),
                      lambda: batch.restore(0, make(2).keep(0))):
            with self.assertRaises(ValueError):
                wrong()
        told = np.array([actions_of(world, 0) for world in range(2)])
        told[1, 9] = np.nan
        with self.assertRaisesRegex(catgut.BadInput, "world 1: hand 0: found an opening of -?nan"):
            batch.step(told)
        batch.close()
        batch.close()
        for wrong in (batch.step, batch.reset, lambda: batch.keep(0)):
            with self.assertRaises(catgut.Closed):
                wrong()

    def test_another_thread_waits_for_its_turn(self):
        batch, caught = make(1), []
        batch._enter()

        def ask():
            try:
                batch.step()
            except catgut.Busy as error:
                caught.append(error)

        other = threading.Thread(target=ask)
        other.start()
        other.join()
        batch._turn.release()
        self.assertEqual(len(caught), 1)

    def test_a_forked_child_is_told(self):
        batch = make(1)
        child = os.fork()
        if child == 0:
            code = 1
            try:
                batch.step()
            except catgut.Error as error:
                code = 0 if "fork" in str(error) else 2
            os._exit(code)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 0)
        batch.step()


if __name__ == "__main__":
    unittest.main()

"""Recordings, scripts, tasks and scores."""

import os
import subprocess
import tempfile
import unittest

import numpy as np

import catgut

PROGRAM = os.environ.get("CATGUT_PROGRAM")


class Recordings(unittest.TestCase):
    def setUp(self):
        world = catgut.World("overhand", record=True)
        world.note("begun")
        world.step(200)
        self.world = world
        self.recording = world.end_recording()

    def test_what_went_in_comes_out(self):
        recording = self.recording
        self.assertEqual((recording.step_count, recording.damage), (200, ""))
        last = recording.frame(-1)
        self.assertEqual(last.step, 200)
        np.testing.assert_allclose(last.threads[0], self.world.threads[0].positions, atol=1e-5)
        self.assertIn((0, "begun"), recording.events)
        self.assertEqual(len(last.hands), 2)

    def test_it_replays_to_the_bit(self):
        self.assertGreaterEqual(self.recording.replay(), 3)

    def test_another_past_is_found(self):
        # One bit of the operations is changed in what is replayed: a world that was pushed besides.
        world = catgut.World("hanging", record=True)
        world.step(70)
        world.threads[0]._of.apply("push_vertex", thread=0, vertex=5, force=(0, 0, 1e-3))
        world.step(70)
        pushed = world.end_recording()
        self.assertGreaterEqual(pushed.replay(), 2)
        from catgut._native import ffi, lib

        wrong = ffi.new("uint64_t *")
        other = catgut.World("hanging", skip_inputs=True)
        other.apply("set_gravity", gravity=(0, 0, -1))
        lib.cg_py_replay(other._session, pushed._recording, wrong)
        self.assertLess(wrong[0], 141)

    @unittest.skipUnless(PROGRAM, "CATGUT_PROGRAM names no program")
    def test_the_program_reads_it_and_the_other_way_round(self):
        with tempfile.TemporaryDirectory() as folder:
            path, other = os.path.join(folder, "one.cgr"), os.path.join(folder, "two.cgr")
            self.recording.save(path)
            told = subprocess.run([PROGRAM, "replay", path], capture_output=True, text=True)
            self.assertEqual(told.returncode, 0, told.stderr)
            subprocess.run([PROGRAM, "run", "hanging", "--seconds", "0.1", "--record", other], check=True,
                           capture_output=True)
            self.assertGreaterEqual(catgut.Recording(other).replay(), 1)

    def test_damage_is_told(self):
        with self.assertRaises(catgut.Error):
            catgut.Recording(b"nothing")
        cut = catgut.Recording(self.recording.bytes[:-40])
        self.assertNotEqual(cut.damage, "")


class Tasks(unittest.TestCase):
    def test_the_expert_passes_and_the_score_says_so(self):
        task = catgut.Task("point-and-touch")
        self.assertGreater(len(task.instructions), 0)
        world = catgut.World(task, seed=2, script=task.expert, record=True)
        world.finish_script()
        attempt = world.attempt
        self.assertTrue(attempt.over and attempt.reached)
        score = world.end_recording().score(task)
        self.assertTrue(score.passed)
        self.assertAlmostEqual(score.points, sum(line.points for line in score.lines), places=9)

    def test_nothing_done_gives_no_pass(self):
        task = catgut.Task("point-and-touch")
        world = catgut.World(task, record=True)
        world.step(64)
        measures = world.end_recording().measure(task)
        self.assertFalse(task.score(measures).passed)
        self.assertEqual(measures["targets_reached"], 0)
        self.assertEqual(len(list(measures)), len(measures))
        with self.assertRaises(KeyError):
            measures["beauty"]

    def test_seeds_put_targets_elsewhere(self):
        task = catgut.Task("point-and-touch")
        self.assertEqual(task.targets(1).shape, task.targets(2).shape)
        self.assertGreater(np.abs(task.targets(1) - task.targets(2)).max(), 1e-4)
        np.testing.assert_array_equal(task.targets(1), catgut.Task("point-and-touch").targets(1))

    def test_a_script_that_cannot_go_on_raises(self):
        world = catgut.World("cord", script='right move by (0, 0, 1) mm in 0.01 s\nexpect thread touches itself\n')
        with self.assertRaisesRegex(catgut.Error, "script:2"):
            world.finish_script()
        with self.assertRaisesRegex(catgut.SceneError, "expected"):
            world.run_script("right fly away\n")


if __name__ == "__main__":
    unittest.main()

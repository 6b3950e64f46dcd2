"""Worlds: stepped, looked at, commanded, taken back."""

import pickle
import subprocess
import os
import threading
import unittest

import numpy as np

import catgut

PROGRAM = os.environ.get("CATGUT_PROGRAM")
EMPTY = {"time_step": "1 ms", "duration": "1 s"}


class Stepping(unittest.TestCase):
    @unittest.skipUnless(PROGRAM, "CATGUT_PROGRAM names no program")
    def test_says_what_the_program_says(self):
        for name, seconds in (("overhand", 0.2), ("needle", 0.05)):
            told = subprocess.run([PROGRAM, "run", name, "--seconds", str(seconds)], capture_output=True, text=True)
            world = catgut.World(name)
            world.step(round(seconds / world.time_step))
            self.assertIn(f"state hash {world.hash()}", told.stdout)
        world = catgut.World("overhand")
        world.step(10)
        self.assertEqual(str(world.knot()), "m3_1 (overhand), throws 1")

    def test_steps_add_up(self):
        once, often = catgut.World("hanging"), catgut.World("hanging")
        once.step(50)
        for _ in range(5):
            often.step(10)
        self.assertEqual(once.hash(), often.hash())
        self.assertEqual((once.steps, often.steps), (50, 50))
        self.assertAlmostEqual(once.time, 50 * once.time_step, places=12)

    def test_a_dict_is_a_scene(self):
        world = catgut.World(dict(EMPTY, gravity=[0, 0, -9.81]))
        world.step(3)
        self.assertAlmostEqual(world.time, 0.003, places=15)
        self.assertEqual(list(world.threads), [])

    def test_snapshots_go_back_to_the_bit(self):
        world = catgut.World("overhand")
        world.step(5)
        here, kept = world.hash(), world.snapshot()
        world.step(7)
        there = world.hash()
        for _ in range(2):
            world.restore(kept)
            self.assertEqual(world.hash(), here)
            world.step(7)
            self.assertEqual(world.hash(), there)

    def test_states_go_to_another_world(self):
        one, other = catgut.World("hanging"), catgut.World("hanging")
        one.step(9)
        other.load(one.state())
        self.assertEqual(one.hash(), other.hash())
        with self.assertRaises(catgut.Error):
            other.load(one.state()[:-1])

    def test_hands_go_where_they_are_told(self):
        world = catgut.World("handover")
        poses = np.array([hand.pose for hand in world.hands.values()])
        poses[0, 2] += 0.005
        world.move_hands(poses, time=0.05)
        world.step(400)
        np.testing.assert_allclose(world.hands[0].pose[:3], poses[0, :3], atol=5e-4)
        world.hands["left"].move(poses[0, :3], time=0.0)
        world.apply("set_jaws", hand="left", opening=0.3, force=0.0)
        world.step(200)
        self.assertAlmostEqual(world.hands["left"].state.opening_told, 0.3)
        self.assertAlmostEqual(world.hands["left"].state.opening, 0.3, places=2)

    def test_names_of_operations_and_their_fields_are_those_of_the_library(self):
        self.assertEqual(catgut.operations()["move_hand"], ["hand", "position", "rotation", "time"])
        self.assertGreater(len(catgut.operations()), 25)


class Looking(unittest.TestCase):
    def test_a_hanging_thread_carries_its_weight(self):
        # The pull at the top is the weight of what hangs below.
        world = catgut.World("hanging")
        world.step(4000)
        thread = world.threads[0]
        tensions, arcs = thread.tensions, thread.arcs.copy()
        self.assertEqual(len(tensions), len(arcs) - 1)
        self.assertAlmostEqual(thread.summary.max_tension, np.max(tensions), places=12)
        middle = 0.5 * (arcs[1:] + arcs[:-1])
        rising = tensions[np.argsort(middle)]
        self.assertTrue(np.all(np.diff(rising) < 1e-6) or np.all(np.diff(rising) > -1e-6))

    def test_contacts_press_along_their_normals(self):
        world = catgut.World("overhand")
        world.step(300)
        contacts = world.contacts()
        self.assertEqual(len(contacts), world.stats().contacts)
        normals = np.linalg.norm(contacts["normal"], axis=1)
        np.testing.assert_allclose(normals, 1, atol=1e-12)
        self.assertTrue(np.all(np.einsum("ij,ij->i", contacts["force"], contacts["normal"]) >= -1e-9))
        self.assertGreater(np.max(np.linalg.norm(contacts["force"], axis=1)), 0)

    def test_anchors_are_where_the_thread_is(self):
        world = catgut.World("stitch")
        world.step(5)
        anchors, thread = world.anchors(), world.threads[0]
        self.assertGreater(len(anchors), 1)
        places = thread.positions
        for anchor in anchors:
            self.assertLess(np.linalg.norm(places[anchor["vertex"]] - anchor["position"]), 1e-3)

    def test_points_at_arc_lengths(self):
        thread = catgut.World("hanging").threads[0]
        arcs = thread.arcs.copy()
        np.testing.assert_array_equal(thread.at(arcs), thread.positions)
        half = thread.at([0.5 * (arcs[3] + arcs[4])])[0]
        np.testing.assert_allclose(half, 0.5 * (thread.positions[3] + thread.positions[4]), atol=1e-15)

    def test_a_surface_has_corners_among_the_nodes(self):
        tissue = catgut.World("pad").tissues[0]
        corners = tissue.triangles
        self.assertEqual(corners.max() + 1 <= len(tissue.positions), True)
        self.assertEqual(len(tissue.sides), len(corners))
        self.assertGreater(tissue.summary.node_count, 100)


class Views(unittest.TestCase):
    def test_a_view_is_stale_after_a_step_and_cannot_be_written(self):
        world = catgut.World("hanging")
        view = world.threads[0].positions
        part = view[3:, 1]
        self.assertEqual((view.stale, part.stale), (False, False))
        for wrong in (lambda: view.__setitem__(0, 1.0), lambda: view.setflags(write=True)):
            with self.assertRaises(ValueError):
                wrong()
        world.step()
        self.assertEqual((view.stale, part.stale, view.copy().stale), (True, True, False))
        self.assertFalse(world.threads[0].positions.stale)
        world.restore(world.snapshot())
        self.assertTrue(part.stale)

    def test_a_view_keeps_its_world(self):
        view = catgut.World("hanging").threads[0].positions
        before = view.copy()
        more = [catgut.World("hanging") for _ in range(3)]
        np.testing.assert_array_equal(view, before)
        del more
        self.assertFalse(view.stale)

    def test_memory_under_a_view_outlives_the_world(self):
        from catgut._native import lib

        world = catgut.World("hanging")
        memory = world._memory
        view = world.threads[0].positions
        part, before = view[2:5], view.copy()
        blocks = lib.cg_py_memory_blocks(memory)
        self.assertEqual(lib.cg_py_memory_waiting(memory), 0)
        world.close()
        self.assertEqual(lib.cg_py_memory_blocks(memory), 0)
        self.assertEqual(lib.cg_py_memory_waiting(memory), blocks)
        np.testing.assert_array_equal(view, before)
        self.assertTrue(view.stale and part.stale)
        del view
        self.assertEqual(lib.cg_py_memory_waiting(memory), blocks)  # the part looks still
        del part
        self.assertEqual(lib.cg_py_memory_waiting(memory), 0)

    def test_a_removed_thread_stays_readable_under_its_view(self):
        world = catgut.World("hanging")
        view = world.threads[0].positions
        before = view.copy()
        world.apply("remove_thread", thread=0)
        self.assertTrue(view.stale)
        np.testing.assert_array_equal(view, before)
        self.assertEqual(world.threads[0].positions.shape, (0, 3))

    def test_a_pickle_of_a_view_is_a_copy(self):
        view = catgut.World("hanging").threads[0].positions
        np.testing.assert_array_equal(pickle.loads(pickle.dumps(view)), view)


class Wrong(unittest.TestCase):
    def test_scenes_that_are_not_there(self):
        with self.assertRaisesRegex(FileNotFoundError, "did you mean 'overhand'"):
            catgut.World("overhnd")

    def test_a_wrong_scene_says_where(self):
        with self.assertRaises(catgut.SceneError) as caught:
            catgut.World({"threads": [{"radiuss": 1}]})
        self.assertEqual(caught.exception.line, 1)
        self.assertGreater(caught.exception.column, 1)
        self.assertIn("radius", str(caught.exception))

    def test_the_sentences_are_those_of_the_library(self):
        world = catgut.World("hanging")
        with self.assertRaisesRegex(catgut.BadInput, "friction"):
            world.threads[0].friction = -1
        with self.assertRaisesRegex(TypeError, "needs friction="):
            world.apply("set_friction", thread=0)
        with self.assertRaisesRegex(TypeError, "has no 'speed'"):
            world.apply("close_hand", hand=0, speed=1) if len(world.hands) else world.apply(
                "remove_thread", thread=0, speed=1)
        with self.assertRaisesRegex(ValueError, "no operation"):
            world.apply("explode")
        with self.assertRaisesRegex(KeyError, "expected one of"):
            world.threads["nobody"]
        with self.assertRaises(ValueError):
            world.step(-1)
        with self.assertRaises(ValueError):
            world.move_hands(np.zeros((3, 7)))

    def test_a_closed_world_says_so(self):
        world = catgut.World("hanging")
        kept, thread = world.snapshot(), world.threads[0]
        world.close()
        world.close()
        for use in (world.step, world.hash, world.snapshot, lambda: world.restore(kept), lambda: thread.positions,
                    lambda: world.time, world.record):
            with self.assertRaises(catgut.Closed):
                use()

    def test_snapshots_belong_to_their_world(self):
        one, other = catgut.World("hanging"), catgut.World("hanging")
        with self.assertRaises(catgut.Mismatch):
            other.restore(one.snapshot())

    def test_two_threads_on_one_world_raise(self):
        # The first thread is inside of a step when the second asks: the flag of the world itself is held, as a step
        # holds it, so nothing depends on the time.
        world = catgut.World("hanging")
        caught = []

        def ask():
            for use in (world.step, world.hash, world.close, lambda: world.threads[0].positions):
                try:
                    use()
                except catgut.Busy as error:
                    caught.append(str(error))

        world._enter()
        other = threading.Thread(target=ask)
        other.start()
        other.join()
        world._turn.release()
        self.assertEqual(len(caught), 4)
        world.step()

    def test_worlds_of_their_own_run_in_threads(self):
        alone = catgut.World("overhand")
        alone.step(60)
        worlds = [catgut.World("overhand") for _ in range(3)]
        threads = [threading.Thread(target=world.step, args=(60,)) for world in worlds]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual({world.hash() for world in worlds}, {alone.hash()})


class Words(unittest.TestCase):
    def test_everything_public_is_explained(self):
        missing = []
        for name in dir(catgut):
            thing = getattr(catgut, name)
            if name.startswith("_") or getattr(thing, "__module__", "").split(".")[0] != "catgut":
                continue
            if not thing.__doc__:
                missing.append(name)
            for part, value in vars(thing).items() if isinstance(thing, type) else ():
                is_call = callable(value) or isinstance(value, property)
                if not part.startswith("_") and is_call and not value.__doc__:
                    missing.append(f"{name}.{part}")
        self.assertEqual(missing, [])

    def test_constants_are_those_of_the_headers(self):
        from catgut._native import lib

        self.assertEqual(catgut.MOTION_VERSION, lib.CG_MOTION_VERSION)
        self.assertEqual(lib.CG_KNOT_MAX_THREADS, 2)


if __name__ == "__main__":
    unittest.main()

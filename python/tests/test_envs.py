"""Environments: the rules of gymnasium's checker, the same futures, rewards, experts."""

import inspect
import os
import unittest
import warnings

import numpy as np

import catgut
from catgut.envs import SPECS
from catgut._spaces import Box

# Cheap enough for every rule; the others are made of the same classes, and tried where it matters.
CHEAP = ["needle-pick-up", "grasp-and-pluck", "throw-on-a-post"]
# CATGUT_LONG: the whole counts instead of one in a hundred.
LONG = bool(os.environ.get("CATGUT_LONG"))


def idle(env) -> np.ndarray:
    """The action that says where hands are, so that they stay."""
    action = np.zeros(env.action_space.shape)
    return action


class RulesOfTheChecker(unittest.TestCase):
    """What gymnasium.utils.env_checker asks of an environment, rule by rule."""

    def each(self):
        for name in CHEAP:
            with self.subTest(name), catgut.make(name, time_limit=0.2) as env:
                yield env

    def test_check_space_limit(self):
        for env in self.each():
            space = env.action_space
            self.assertTrue(np.all(space.low == -1) and np.all(space.high == 1))
            self.assertTrue(np.all(space.low < space.high))
            self.assertEqual(env.observation_space.dtype, np.float64)

    def test_check_reset_seed(self):
        for env in self.each():
            words = inspect.signature(env.reset).parameters
            self.assertIn("seed", words)
            self.assertIsNone(words["seed"].default)
            one, _ = env.reset(seed=123)
            state = env.np_random.bit_generator.state
            two, _ = env.reset(seed=123)
            np.testing.assert_array_equal(one, two)
            self.assertEqual(env.np_random.bit_generator.state, state)
            hashes = set()
            for seed in range(4):
                env.reset(seed=seed)
                env.step(env.action_space.sample())
                hashes.add(env.hash())
            self.assertEqual(len(hashes), 4)

    def test_check_reset_without_seed_draws_on(self):
        for env in self.each():
            env.reset(seed=5)
            _, one = env.reset()
            _, two = env.reset()
            env.reset(seed=5)
            _, again = env.reset()
            self.assertNotEqual(one["world_seed"], two["world_seed"])
            self.assertEqual(one["world_seed"], again["world_seed"])

    def test_check_reset_options(self):
        for env in self.each():
            self.assertIn("options", inspect.signature(env.reset).parameters)
            env.reset(options={})
            _, info = env.reset(options={"world_seed": 77})
            self.assertEqual(info["world_seed"], 77)

    def test_check_reset_return_info_deprecation(self):
        for env in self.each():
            self.assertNotIn("return_info", inspect.signature(env.reset).parameters)

    def test_check_reset_return_type(self):
        for env in self.each():
            result = env.reset()
            self.assertIsInstance(result, tuple)
            self.assertEqual(len(result), 2)
            self.assertIsInstance(result[1], dict)
            self.assertTrue(env.observation_space.contains(result[0]))

    def test_check_step_return_type(self):
        for env in self.each():
            env.reset(seed=0)
            seen, reward, terminated, truncated, info = env.step(env.action_space.sample())
            self.assertTrue(env.observation_space.contains(seen))
            self.assertIsInstance(reward, float)
            self.assertTrue(np.isfinite(reward))
            self.assertIsInstance(terminated, bool)
            self.assertIsInstance(truncated, bool)
            self.assertIsInstance(info, dict)

    def test_check_step_determinism(self):
        for env in self.each():
            told = [env.action_space.sample() for _ in range(4)]
            runs = []
            for _ in range(2):
                env.reset(seed=9)
                runs.append([env.step(action) for action in told])
            for one, two in zip(*runs):
                np.testing.assert_array_equal(one[0], two[0])
                self.assertEqual(one[1:4], two[1:4])

    def test_check_observations_are_not_written_again(self):
        for env in self.each():
            first, _ = env.reset(seed=3)
            kept = first.copy()
            env.step(env.action_space.sample())
            np.testing.assert_array_equal(first, kept)

    def test_check_step_after_the_end_raises(self):
        for env in self.each():
            with self.assertRaisesRegex(RuntimeError, "reset"):
                env.step(env.action_space.sample())
            env.reset(seed=1)
            for _ in range(env._core.most_steps):
                *_, terminated, truncated, info = env.step(env.action_space.sample())
            self.assertTrue(truncated and not terminated and not info["is_success"])
            with self.assertRaisesRegex(RuntimeError, "reset"):
                env.step(env.action_space.sample())

    def test_check_wrong_actions_raise(self):
        for env in self.each():
            env.reset(seed=1)
            with self.assertRaisesRegex(ValueError, "shape"):
                env.step(np.zeros(3))
            with self.assertRaisesRegex(ValueError, "finite"):
                env.step(np.full(env.action_space.shape, np.nan))

    def test_check_render_modes(self):
        self.assertEqual(catgut.SutureEnv.metadata["render_modes"], [])
        with self.assertRaises(ValueError):
            catgut.make(CHEAP[0], render_mode="human")

    def test_check_close_twice(self):
        env = catgut.make(CHEAP[0])
        env.close()
        env.close()

    def test_check_names(self):
        self.assertEqual(catgut.environments(), sorted(SPECS))
        with self.assertRaisesRegex(ValueError, "expected one of"):
            catgut.make("brain-surgery")


class Futures(unittest.TestCase):
    def test_a_restore_then_the_same_actions(self):
        for name in catgut.environments() if LONG else CHEAP + ["handover", "needle-marks", "square-knot"]:
            with self.subTest(name), catgut.make(name) as env:
                for seed in range(20 if LONG else 2):
                    env.reset(seed=seed)
                    env.action_space.seed(seed)
                    env.step(env.action_space.sample())
                    kept = env.keep()
                    told = [env.action_space.sample() for _ in range(3)]
                    first = [env.step(action)[:2] for action in told]
                    there = env.hash()
                    env.restore(kept)
                    again = [env.step(action)[:2] for action in told]
                    self.assertEqual(env.hash(), there)
                    for one, two in zip(first, again):
                        np.testing.assert_array_equal(one[0], two[0])
                        self.assertEqual(one[1], two[1])

    def test_vector_worlds_are_single_worlds(self):
        for name in CHEAP:
            with self.subTest(name):
                many = catgut.make_vec(name, 3, time_limit=0.05, threads=2)
                seen, info = many.reset(seed=40)
                singles = [catgut.make(name, time_limit=0.05) for _ in range(3)]
                firsts = [env.reset(seed=40 + i) for i, env in enumerate(singles)]
                for i in range(3):
                    np.testing.assert_array_equal(seen[i], firsts[i][0])
                    self.assertEqual(info["world_seed"][i], firsts[i][1]["world_seed"])
                many.action_space.seed(1)
                for step in range(5):
                    told = many.action_space.sample()
                    seen, rewards, done, late, info = many.step(told)
                    rows = [env.step(told[i]) for i, env in enumerate(singles)]
                    self.assertEqual(late.tolist(), [row[3] for row in rows])
                    np.testing.assert_array_equal(rewards, [row[1] for row in rows])
                self.assertTrue(late.all())  # the fifth step is the last
                for i in range(3):
                    np.testing.assert_array_equal(info["final_obs"][i], rows[i][0])
                    first, _ = singles[i].reset()
                    np.testing.assert_array_equal(seen[i], first)  # the next episode has begun
                self.assertTrue(info["_final_obs"].all())
                kept = info["final_obs"][0].copy()
                many.step(many.action_space.sample())
                np.testing.assert_array_equal(info["final_obs"][0], kept)
                many.close()

    def test_random_actions_never_raise(self):
        warnings.simplefilter("error")
        for name in catgut.environments() if LONG else CHEAP + ["handover", "needle-marks"]:
            with self.subTest(name), catgut.make(name) as env:
                env.action_space.seed(7)
                env.reset(seed=7)
                for _ in range(10_000 if LONG else 100):
                    seen, reward, terminated, truncated, _ = env.step(env.action_space.sample())
                    self.assertTrue(np.all(np.isfinite(seen)) and np.isfinite(reward))
                    if terminated or truncated:
                        env.reset()

    def test_resets_keep_no_memory(self):
        def resident() -> int:
            with open("/proc/self/statm", encoding="ascii") as file:
                return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

        for name in CHEAP[:2]:
            with self.subTest(name), catgut.make(name) as env:
                def episodes(count):
                    for _ in range(count):
                        env.reset()
                        for _ in range(5 if LONG else 1):
                            env.step(env.action_space.sample())

                episodes(60)
                before = resident()
                episodes(10_000 if LONG else 100)
                self.assertLess(resident() - before, 2**20)

    def test_scenes_may_be_changed(self):
        with catgut.make("throw-on-a-post", change={"/threads/0/friction": 0.5}) as stiff, \
                catgut.make("throw-on-a-post") as plain:
            for env in (stiff, plain):
                env.reset(seed=0)
                for _ in range(3):
                    env.step(np.zeros(env.action_space.shape))
            self.assertNotEqual(stiff.hash(), plain.hash())


class Rewards(unittest.TestCase):
    def play(self, env, actions, seed):
        _, info = env.reset(seed=seed)
        total, shown = 0.0, info
        for action in actions:
            _, reward, terminated, truncated, shown = env.step(action)
            total += reward
            if terminated or truncated:
                break
        return total, shown

    def test_experts_succeed_and_earn_more(self):
        for name in ["needle-pick-up", "handover", "needle-marks", "throw-on-a-post", "grasp-and-pluck"]:
            with self.subTest(name), catgut.make(name) as env:
                _, info = env.reset(seed=2)
                told = list(catgut.expert(name, info["world_seed"]))
                good, shown = self.play(env, told + [told[-1]] * 100, 2)
                self.assertTrue(shown["is_success"])
                self.assertAlmostEqual(good, shown["points"], places=9)
                self.assertGreaterEqual(good, 80)
                for policy in range(2):
                    env.action_space.seed(policy)
                    bad, shown = self.play(env, [env.action_space.sample() for _ in range(40)], 2)
                    self.assertGreater(good, bad)
                    self.assertAlmostEqual(bad, shown["points"], places=9)

    def test_swinging_before_the_goal_earns_nothing(self):
        # To and fro near the needle: what is gained on the way there is lost on the way back.
        with catgut.make("needle-pick-up") as env:
            core = env._core
            env.reset(seed=1)
            near = np.tile([0.0, 0, 0.02, 1, 0, 0, 0, 1, 0, 1], (2, 1))
            far = near.copy()
            near[0, :3], near[1, :3] = (-0.05, 0.02, 0.05), (0.01, 0.006, 0.03)
            far[0, :3], far[1, :3] = (-0.05, 0.02, 0.05), (0.04, 0.006, 0.04)
            told = []
            for row in (near, far):
                row = row.copy()
                row[:, :3] = (row[:, :3] - core.middle) / core.half
                row[:, 9] = 2 * row[:, 9] - 1
                told.append(row.ravel())
            total = best = 0.0
            for i in range(300):
                _, reward, *_ = env.step(told[(i // 15) % 2])
                total += reward
                best = max(best, total)
            self.assertLessEqual(best, 20)
            _, info = env.reset(seed=1)
            acts = catgut.expert("needle-pick-up", info["world_seed"])
            good, _ = self.play(env, acts, 1)
            self.assertGreater(good, 4 * best)

    def test_sparse_rewards_are_one_at_the_end(self):
        with catgut.make("needle-pick-up", dense=False) as env:
            _, info = env.reset(seed=4)
            total, shown = self.play(env, catgut.expert("needle-pick-up", info["world_seed"]), 4)
            self.assertEqual((total, shown["is_success"]), (1.0, True))


class Spaces(unittest.TestCase):
    def test_boxes(self):
        box = Box(-1.0, 1.0, (3,), np.float64)
        box.seed(3)
        one = box.sample()
        box.seed(3)
        np.testing.assert_array_equal(one, box.sample())
        self.assertTrue(box.contains(one))
        self.assertFalse(box.contains(np.array([0.0, 0.0, 1.5])))
        self.assertFalse(box.contains(np.zeros(2)))


if __name__ == "__main__":
    unittest.main()

"""The examples of docs/python/, in short."""

import os
import subprocess
import sys
import tempfile
import unittest

EXAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "examples")


class Examples(unittest.TestCase):
    def run_example(self, name: str, *words: str) -> str:
        with tempfile.TemporaryDirectory() as folder:
            plot = os.path.join(folder, "plot.svg")
            told = subprocess.run([sys.executable, os.path.join(EXAMPLES, name), "--plot", plot, *words],
                                  capture_output=True, text=True)
            with open(plot, encoding="utf-8") as file:
                self.assertIn("<svg", file.read(200), told.stderr)
        self.code = told.returncode
        return told.stdout

    def test_friction_is_found(self):
        told = self.run_example("friction.py", "--pulls", "1", "--runs", "20")
        self.assertIn("1 of 1 within 5 %", told)
        self.assertEqual(self.code, 0)

    def test_a_controller_is_trained_and_judged(self):
        told = self.run_example("grasp.py", "--seeds", "1", "--rounds", "1", "--crowd", "4", "--tries", "1",
                                "--places", "2")
        self.assertIn("untrained: 0 % of 2 places", told)
        self.assertRegex(told, r"seed 1: \d+ % of 2 places that it was not trained on")


if __name__ == "__main__":
    unittest.main()

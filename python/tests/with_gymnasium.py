"""The checker of gymnasium itself, where gymnasium is installed: /usr/bin/python3 python/tests/with_gymnasium.py"""

import sys

import catgut

try:
    from gymnasium.utils.env_checker import check_env
except ImportError:
    print("gymnasium is not installed; nothing was checked")
    sys.exit(77)

for name in catgut.environments():
    with catgut.make(name) as env:
        check_env(env, skip_render_check=True)
        print(f"{name}: fine")

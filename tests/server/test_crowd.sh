#!/bin/sh
# Viewers, stuck clients, garbage and floods at once.
. "$1/tests/server/node.sh"
run_node crowd.mjs

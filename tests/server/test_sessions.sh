#!/bin/sh
# A world for each who works: shares, watching, hands that are asked for, a queue, worlds that rest, comings and goings.
. "$1/tests/server/node.sh"
run_node sessions.mjs

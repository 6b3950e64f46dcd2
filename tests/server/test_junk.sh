#!/bin/sh
# Random bytes and damaged requests.
. "$1/tests/server/node.sh"
run_node junk.mjs

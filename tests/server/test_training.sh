#!/bin/sh
# Tasks, attempts and progress over the protocol.
. "$1/tests/server/node.sh"
run_node training.mjs

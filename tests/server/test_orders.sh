#!/bin/sh
# Every order that a client can give, and what it may not do.
. "$1/tests/server/node.sh"
run_node orders.mjs

#!/bin/sh
# Who is let in, by which name, from which page, with which token; close codes; limits.
. "$1/tests/server/node.sh"
run_node gate.mjs

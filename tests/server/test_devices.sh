#!/bin/sh
# Devices and trackers against a server, on loopback: examples/device.c and a sender of OpenIGTLink.
. "$1/tests/server/node.sh"
CATGUT_EXAMPLE=$build/examples/device
export CATGUT_EXAMPLE
run_node devices.mjs

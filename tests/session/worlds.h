// Small worlds that have between them everything that a world can have.
#ifndef CATGUT_TESTS_SESSION_WORLDS_H
#define CATGUT_TESTS_SESSION_WORLDS_H

// A free thread, one that twists, one with a curved rest shape, one of low mass.
static const char WORLD_THREADS[] =
    "{\"threads\": ["
    "{\"name\": \"free\", \"shape\": {\"line\": {\"from\": [0, 0, 0], \"to\": [\"20 mm\", 0, 0]}}, \"vertices\": 11},"
    "{\"name\": \"turned\", \"shape\": {\"line\": {\"from\": [0, \"5 mm\", 0], \"to\": [\"20 mm\", \"5 mm\", 0]}},"
    " \"vertices\": 9, \"start\": \"clamped\", \"finish\": \"clamped\"},"
    "{\"name\": \"curved\", \"shape\": {\"helix\": {\"radius\": \"4 mm\", \"pitch\": \"3 mm\", \"turns\": 1.5}},"
    " \"vertices\": 15, \"rest\": \"as placed\"},"
    "{\"name\": \"slow\", \"shape\": {\"line\": {\"from\": [0, \"9 mm\", 0], \"to\": [\"20 mm\", \"9 mm\", 0]}},"
    " \"vertices\": 9, \"inertia\": \"low_mass\", \"drag\": \"50 1/s\", \"start\": \"pinned\"}]}";

// A knot whose spacing follows and whose rest shape is curved, another thread, a post, and hands that draw at them.
static const char WORLD_KNOT[] =
    "{\"max_contacts\": 100,"
    "\"threads\": [{\"name\": \"knot\", \"suture\": \"3-0 silk\", \"shape\": {\"knot\": {\"kind\": \"figure-eight\","
    " \"loop_radius\": \"2 mm\", \"tail\": \"4 mm\", \"gap\": \"0.5 mm\"}}, \"spacing\": \"0.4 mm\", \"follow\": {},"
    " \"rest\": \"as placed\"},"
    "{\"name\": \"other\", \"suture\": \"3-0 silk\", \"shape\": {\"line\": {\"from\": [\"-5 mm\", \"1 mm\", \"2 mm\"],"
    " \"to\": [\"5 mm\", \"1 mm\", \"2 mm\"]}}, \"vertices\": 15}],"
    "\"shapes\": [{\"name\": \"table\", \"half_space\": {}, \"position\": [0, 0, \"-4 mm\"]},"
    "{\"name\": \"post\", \"capsule\": {\"radius\": \"0.7 mm\", \"half_length\": \"3 mm\"},"
    " \"position\": [0, \"-5 mm\", 0]}],"
    "\"hands\": [{\"name\": \"left\", \"position\": [\"-5 mm\", \"1 mm\", \"2 mm\"]},"
    "{\"name\": \"right\", \"position\": [\"5 mm\", \"1 mm\", \"2 mm\"]}]}";

// Tissue that is gripped, pressed, cut, burnt and stuck together again, under a thread.
static const char WORLD_WOUND[] =
    "{\"max_contacts\": 60,"
    "\"tissues\": [{\"name\": \"pad\", \"pad\": {\"length\": \"10 mm\", \"width\": \"8 mm\", \"wound\": {\"kind\": "
    "\"ellipse\", \"length\": \"4 mm\", \"width\": \"1.5 mm\", \"depth\": \"2 mm\"}}, \"spacing\": \"2 mm\", "
    "\"layers\": [{\"material\": \"skin\", \"thickness\": \"2 mm\"}], \"fix_rim\": true, \"bond_strength\": \"80 "
    "kPa\"},"
    "{\"name\": \"flap\", \"grid\": {\"length\": \"6 mm\", \"width\": \"6 mm\"}, \"spacing\": \"1.5 mm\","
    " \"position\": [0, 0, \"2 mm\"], \"most_stretch\": 1.2}],"
    "\"shapes\": [{\"name\": \"ball\", \"sphere\": {\"radius\": \"1 mm\"}, \"position\": [0, \"-3 mm\", \"4 mm\"]}],"
    "\"threads\": [{\"shape\": {\"line\": {\"from\": [\"-4 mm\", 0, \"5 mm\"], \"to\": [\"4 mm\", 0, \"5 mm\"]}},"
    " \"vertices\": 9}],"
    "\"hands\": [{\"name\": \"left\", \"position\": [\"-2 mm\", 0, \"0.2 mm\"]},"
    "{\"name\": \"right\", \"position\": [\"3 mm\", \"3 mm\", \"3 mm\"], \"tool\": \"probe\", \"probe\": {\"radius\": "
    "\"0.4 mm\", \"length\": \"3 mm\"}},"
    "{\"name\": \"third\", \"position\": [0, \"2 mm\", \"0.5 mm\"], \"tool\": \"scalpel\", \"scalpel\": {\"width\": "
    "0}}]}";

// The other two ways to move a tissue.
static const char WORLD_QUIET[] =
    "{\"tissues\": [{\"name\": \"box\", \"box\": {\"size\": [\"6 mm\", \"6 mm\", \"3 mm\"]}, \"spacing\": \"1.5 mm\","
    " \"solver\": \"quasi-static\"},"
    "{\"name\": \"net\", \"grid\": {\"length\": \"5 mm\", \"width\": \"5 mm\"}, \"spacing\": \"1 mm\","
    " \"solver\": \"runge-kutta\", \"damping\": 0, \"layers\": [{\"material\": \"fat\", \"thickness\": \"1 mm\"}], "
    "\"position\": [\"10 "
    "mm\", 0, 0], \"fix_rim\": true}],"
    "\"hands\": [{\"name\": \"left\", \"position\": [\"1 mm\", 0, \"1.6 mm\"]}]}";

#endif

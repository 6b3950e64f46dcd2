// What two tissues have near each other, looked at one by one; for the files of meeting tissues only.
//
// A table knows what was looked at, so that an edge of two triangles, or a corner of six, is measured once. What is so
// far away that boxes tell it is not even looked at: in a heap of cut pieces that is five of six.
#ifndef CATGUT_FIND_MEET_CANDIDATES_H
#define CATGUT_FIND_MEET_CANDIDATES_H

#include "find/meet.h"

// How near things have to come to be listed.
typedef struct cg_meet_reach {
    double limit;   // [m]
    bool is_moving; // at some time of the motion that tissues make
    bool only_asks; // nothing is listed: is there anything that is not?
} cg_meet_reach;

// Forgets everything.
void cg_meet_clear_list(cg_meet_set *set);
// Before a list is made: as much of the table is used as the last one needed four times over. A small one is faster.
void cg_meet_size_table(cg_meet_set *set);
// Lists a candidate that was listed before.
void cg_meet_keep_candidate(cg_meet_set *set, int group, const cg_meet_candidate *candidate);
// Lists all of the pairs of triangles that has no node in common: corners and faces, both ways, and edges. True when
// some is new.
bool cg_meet_look_at_pairs(cg_meet_set *set, int group, const cg_meet_reach *reach);
// What stopped a motion is looked at, whichever way it faces.
bool cg_meet_look_at_stops(cg_meet_set *set, int group, const cg_meet_reach *reach);
// What follows takes candidates in this order: it must not matter when they were listed.
void cg_meet_sort_candidates(cg_meet_set *set, int group);
// Enters the candidates of a group, which were loaded, into the table.
void cg_meet_enter_candidates(cg_meet_set *set, int group);

#endif

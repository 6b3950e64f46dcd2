// What searches keep from pass to pass of a step, and their working memory. Nothing of it is state of the world.
#ifndef CATGUT_ROWS_SEARCH_H
#define CATGUT_ROWS_SEARCH_H

#include "collide/contacts.h"
#include "collide/near.h"
#include "collide/parts.h"
#include "collide/rod_chains.h"
#include "collide/safe_motion.h"
#include "collide/skin_contacts.h"

// Most pairs that get a touch of their own in a step because they stopped it.
enum { CG_TOUCH_MOST_STOPPERS = 16 };

typedef struct cg_search {
    int searches; // of this step so far
    bool ahead;   // the last one looked where the velocities of some threads lead
    cg_near near;
    cg_contact_finder finder;
    cg_contact_list found; // of this pass
    cg_contact_list last;  // what the touches of the last pass were
    cg_shape_contact_list found_shapes;
    cg_skin_contact_list found_skin;
    cg_part_contact part_contacts[CG_MOST_PART_CONTACTS];
    cg_motion_rule motion_rule;
    cg_motion_finder motion;
    cg_motion_exempt *exempt; // per joint
    cg_cover *covers;         // of the parts where they are, in a search
    cg_part_way *ways;        // of their motions, while these are limited
    cg_rod_chain *rod_chains; // of one body, while they are listed
    // Pairs that stopped a motion of this step at once, or one of too many that were cut short. Finding leaves out a
    // pair that a carrying touch beside it stands for; where it comes nearer all the same nothing moves any more, until
    // it has a touch of its own.
    cg_segment_pair stoppers[CG_TOUCH_MOST_STOPPERS];
    int stopper_count;
} cg_search;

#endif

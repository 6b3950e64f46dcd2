// An island has its own share of a motion: what is stopped does not slow what goes on elsewhere.
//
// Bodies that make the same share of their motions are a group, and the walk finds how much of the motion of a group is
// safe while everything else stands. Groups may then go by different shares only if no two of them can meet on the way,
// whatever share each makes. So a group is what touches, directly or by others, and what it may come to meet: told by
// boxes around all places that bodies can pass through. Bodies that are led belong to what they touch while they move.
// Where the whole motion of all is safe, which is the rule, or where there is one island alone, none of this is asked.
#include <assert.h>
#include <math.h>

#include "find/rods.h"
#include "find/search.h"
#include "find/skin_rows.h"
#include "geometry/box.h"
#include "island/island.h"

// Segments of a thread that have a box together.
enum { RUN = 8 };

// Groups

static int group_of(const cg_touch_set *set, int node)
{
    while (set->islands.group[node] != node) {
        node = set->islands.group[node];
    }
    return node;
}

static void join(cg_touch_set *set, int here, int there)
{
    int a = group_of(set, here), b = group_of(set, there);
    set->islands.group[a > b ? a : b] = a < b ? a : b;
}

// True for what is to move in this pass.
static bool is_going(const cg_touch_set *set, int node)
{
    if (node < cg_mover_count(set)) {
        return !*mover_done(set, node);
    }
    if (node < cg_skin_node(set)) {
        return is_on_its_way(set->cast.rigids[node - cg_mover_count(set)]);
    }
    return set->islands.on_skin && !set->islands.is_skin_done;
}

static bool is_alone(const cg_touch_set *set)
{
    int first = -1;
    for (int n = 0; n < cg_node_count(set); n++) {
        if (is_going(set, n)) {
            first = first < 0 ? set->islands.group[n] : first;
            if (set->islands.group[n] != first) {
                return false;
            }
        }
    }
    return true;
}

static bool has_one_island(const cg_touch_set *set)
{
    for (int m = 0; m < cg_mover_count(set); m++) {
        if (set->islands.head[m] != set->islands.head[0]) {
            return false;
        }
    }
    return true;
}

static void name_groups(cg_touch_set *set)
{
    for (int n = 0; n < cg_node_count(set); n++) {
        set->islands.group[n] = group_of(set, n);
    }
}

static void join_led_bodies(cg_touch_set *set)
{
    for (int i = 0; i < set->rows.count; i++) {
        const cg_touch *touch = &set->rows.touches[i];
        int rigid = touch_body(touch, 1, CG_BODY_RIGID);
        if (rigid >= 0 && rigid < set->cast.first_free && is_on_its_way(set->cast.rigids[rigid])) {
            join(set, touch_mover(set, touch, 0), cg_led_node(set, rigid));
        }
    }
    // Tissue that shapes press has moved with all of them, and follows them together.
    for (int k = 0; k < set->cast.first_free && set->cast.skin_count > 0; k++) {
        if (is_on_its_way(set->cast.rigids[k])) {
            join(set, cg_led_node(set, k), cg_skin_node(set));
        }
    }
}

// Of a thread, or of a rod of a free body.
static int mover_of_chain(const cg_touch_set *set, int chain)
{
    return chain < set->cast.thread_count
               ? chain
               : set->cast.thread_count + set->cast.rods[chain - set->cast.thread_count].body - set->cast.first_free;
}

// By what touches.
static void begin_groups(cg_touch_set *set)
{
    int on_skin = set->islands.head[cg_skin_node(set)];
    for (int n = 0; n < cg_node_count(set); n++) {
        set->islands.group[n] = n < cg_mover_count(set) ? set->islands.head[n] : n;
    }
    if (has_one_island(set)) {
        for (int n = 0; n < cg_node_count(set); n++) {
            set->islands.group[n] = 0;
        }
        return;
    }
    if (on_skin >= 0) {
        join(set, on_skin, cg_skin_node(set));
    }
    for (int c = 0; c < cg_touch_chain_count(set) && set->islands.on_skin; c++) {
        if (set->cast.is_near_skin[c]) {
            join(set, mover_of_chain(set, c), cg_skin_node(set));
        }
    }
    join_led_bodies(set);
    name_groups(set);
}

// What may meet on the way

static cg_box box_of_run(const cg_touch_set *set, int chain, int first, int last)
{
    const cg_thread *thread = set->cast.threads[chain];
    cg_box box = box_of_nothing();
    for (int i = first; i <= last; i++) {
        box_take(&box, thread->shape.position[i]);
        box_take(&box, v3_add(thread->shape.position[i], thread->move[i]));
    }
    return box_grown(box, thread->radius);
}

static cg_box box_of_node(const cg_touch_set *set, int node)
{
    if (node < set->cast.thread_count) {
        return box_of_run(set, node, 0, set->cast.threads[node]->vertex_count - 1);
    }
    int movers = cg_mover_count(set);
    int rigid = node < movers ? set->cast.first_free + node - set->cast.thread_count : node - movers;
    cg_box box = box_of_nothing();
    for (int k = 0; k < set->cast.part_count; k++) {
        if (set->cast.parts[k].body == rigid) {
            cg_box part = cg_touch_box_of_part(set, k);
            box_take(&box, part.low);
            box_take(&box, part.high);
        }
    }
    return box;
}

// Whether runs of a thread pass through the box of a thread (`other`, by its runs too) or of anything else (-1).
static bool runs_may_meet(const cg_touch_set *set, int chain, int other, const cg_box *box)
{
    int count = set->cast.threads[chain]->vertex_count;
    for (int i = 0; i + 1 < count; i += RUN) {
        cg_box run = box_of_run(set, chain, i, i + RUN < count ? i + RUN : count - 1);
        if (boxes_meet(&run, box) && (other < 0 || runs_may_meet(set, other, -1, &run))) {
            return true;
        }
    }
    return false;
}

static bool may_meet(const cg_touch_set *set, int a, int b)
{
    cg_box of_a = box_of_node(set, a), of_b = box_of_node(set, b);
    if (!boxes_meet(&of_a, &of_b) || a >= set->cast.thread_count) {
        return boxes_meet(&of_a, &of_b);
    }
    return runs_may_meet(set, a, b < set->cast.thread_count ? b : -1, &of_b);
}

static double longest_move(const cg_touch_set *set, int chain)
{
    double most = 0;
    if (chain >= set->cast.thread_count) {
        return cg_touch_rod_way(set, chain - set->cast.thread_count);
    }
    const cg_thread *thread = set->cast.threads[chain];
    for (int i = 0; i < thread->vertex_count; i++) {
        most = fmax(most, v3_dot(thread->move[i], thread->move[i]));
    }
    return sqrt(most);
}

static bool may_meet_skins(cg_touch_set *set, int chain)
{
    double way = longest_move(set, chain);
    for (int k = 0; k < set->cast.skin_count; k++) {
        cg_skin *skin = set->cast.skins[k];
        if (!(skin->clearance > way) &&
            cg_skin_may_meet(skin, set->cast.chains, cg_touch_chain_count(set), chain, way)) {
            return true;
        }
    }
    return false;
}

static void join_what_may_meet(cg_touch_set *set)
{
    int skins = cg_skin_node(set);
    for (int a = 0; a < skins; a++) {
        for (int b = a + 1; b < skins && is_going(set, a); b++) {
            if (is_going(set, b) && group_of(set, a) != group_of(set, b) && may_meet(set, a, b)) {
                join(set, a, b);
            }
        }
    }
    for (int c = 0; c < cg_touch_chain_count(set) && is_going(set, skins); c++) {
        int mover = mover_of_chain(set, c);
        if (is_going(set, mover) && group_of(set, mover) != group_of(set, skins) && may_meet_skins(set, c)) {
            join(set, mover, skins);
        }
    }
    name_groups(set);
}

// The walk

// Everything else stands; -1: nothing does.
static void look_at_group(cg_touch_set *set, int group)
{
    cg_touch_look_at_bodies(set);
    for (int c = 0; c < set->cast.thread_count && group >= 0; c++) {
        set->cast.moves[c] = set->islands.group[c] == group ? set->cast.moves[c] : set->cast.still;
    }
    for (int k = 0; k < set->cast.part_count && group >= 0; k++) {
        int rigid = set->cast.parts[k].body;
        int node = rigid < set->cast.first_free ? cg_led_node(set, rigid)
                                                : set->cast.thread_count + rigid - set->cast.first_free;
        if (set->islands.group[node] != group) {
            set->cast.moving[k].after = set->cast.moving[k].before;
            set->cast.moving[k].turn = v3_zero();
        }
    }
}

typedef struct walk {
    double share;
    int limited; // times that it was cut short
    cg_safe_motion safe;
} walk;

static walk walk_group(cg_touch_set *set, int group)
{
    walk w = {0};
    look_at_group(set, group);
    set->search.motion.limit = cg_touch_limit_parts(set, 1);
    int parts = cg_touch_near_parts(set, cg_touch_thickest(set), true);
    w.safe = cg_safe_motion_find(&set->search.motion, &set->search.motion_rule, set->cast.chains, set->cast.moves,
                                 set->cast.thread_count, set->cast.moving, parts);
    set->stats.work += CG_TOUCH_WORK_OF_LOOK * (int64_t)w.safe.looks;
    w.limited = (set->search.motion.limit < 1) + (w.safe.fraction < set->search.motion.limit);
    // Tissues that stand are in the way of all; those that move are a part of one group, and no other may meet them.
    bool has_skins = set->cast.skin_count > 0 && cg_touch_chain_count(set) > 0 &&
                     (group < 0 || !is_going(set, cg_skin_node(set)) || set->islands.group[cg_skin_node(set)] == group);
    w.share = has_skins ? cg_touch_skin_share(set, w.safe.fraction) : w.safe.fraction;
    return w;
}

static bool is_in(const cg_touch_set *set, int node, int group)
{
    return group < 0 || set->islands.group[node] == group;
}

// True when the pair that is in the way gets a touch of its own.
static bool note_stopper(cg_touch_set *set, int group, const walk *w)
{
    int limited = 0;
    for (int n = 0; n < cg_node_count(set); n++) {
        if (is_in(set, n, group)) {
            set->islands.progress[n].limited += w->limited;
            limited = set->islands.progress[n].limited > limited ? set->islands.progress[n].limited : limited;
        }
    }
    bool in_trouble = w->safe.fraction < CG_TOUCH_IDLE_SHARE || limited > CG_TOUCH_MOST_LIMITED;
    if (in_trouble && w->safe.limit == CG_LIMIT_PAIR && set->search.stopper_count < CG_TOUCH_MOST_STOPPERS &&
        !cg_touch_has(set, &w->safe.pair)) {
        set->search.stoppers[set->search.stopper_count++] = w->safe.pair;
        return true;
    }
    return false;
}

static void give_share(cg_touch_set *set, int group, const walk *w)
{
    bool learned = note_stopper(set, group, w);
    for (int n = 0; n < cg_node_count(set); n++) {
        if (is_in(set, n, group)) {
            cg_progress *progress = &set->islands.progress[n];
            progress->share = w->share;
            progress->idle = w->share < CG_TOUCH_IDLE_SHARE && !learned ? progress->idle + 1 : 0;
        }
    }
}

static bool is_group_going(const cg_touch_set *set, int group)
{
    for (int n = group; n < cg_node_count(set); n++) {
        if (set->islands.group[n] == group && is_going(set, n)) {
            return true;
        }
    }
    return false;
}

void cg_touch_find_shares(cg_touch_set *set)
{
    assert(set->problem.solved < 0);
    begin_groups(set);
    walk all = walk_group(set, -1);
    if (all.share == 1 || is_alone(set)) {
        give_share(set, -1, &all);
        return;
    }
    join_what_may_meet(set);
    if (is_alone(set)) {
        give_share(set, -1, &all);
        return;
    }
    for (int n = 0; n < cg_node_count(set); n++) {
        if (set->islands.group[n] == n) {
            walk one = is_group_going(set, n) ? walk_group(set, n) : (walk){.share = 1, .safe.fraction = 1};
            give_share(set, n, &one);
        }
    }
}

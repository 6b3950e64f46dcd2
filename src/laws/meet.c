// Rows of tissues with themselves and each other, and what they did. See laws/meet.h.
#include "laws/meet.h"

#include <math.h>

#include "base/vec3.h"
#include "laws/law.h"

// How much firmer lips become as they are pressed. Less: their edges pass between the nodes of each other, interlock,
// and every motion is stopped. More: more iterations.
static const double STIFFENING = 4;
// Smaller motions nearer, as a share of the distance, are not expected: they come and go, and lips would tremble.
static const double CALM = 0.2;
// [1/link] How fast facing (find/meet_place.c) may change with motions nearer: surfaces turn by the motion over a link,
// less where tissue is crushed, and a fifth makes all the difference. Without it nodes that half face what they touch
// go to and fro for ever (2e-5 m a step, lips drawn by 1.6 N at 100 kPa); four times as much holds them in the wrong
// place.
static const double TURNING = 20;

static void push_group(void *context);

// Tissues that touch are one island, and wake.
static void join_islands(cg_meet_set *set)
{
    bool has_changed = true;
    while (has_changed) {
        has_changed = false;
        for (int g = 0; g < set->group_count; g++) {
            const cg_meet_group *group = &set->groups[g];
            cg_tissue *a = set->bodies[group->tissues[0]]->tissue, *b = set->bodies[group->tissues[1]]->tissue;
            if (group->meet_count > 0 && a->asleep != b->asleep) {
                cg_tissue_wake(a);
                cg_tissue_wake(b);
                has_changed = true;
            }
        }
    }
    for (int g = 0; g < set->group_count; g++) {
        cg_meet_group *group = &set->groups[g];
        cg_tissue *a = set->bodies[group->tissues[0]]->tissue, *b = set->bodies[group->tissues[1]]->tissue;
        group->pusher = (cg_tissue_pusher){0};
        if (group->meet_count > 0 && !a->asleep) {
            group->pusher = (cg_tissue_pusher){.push = push_group, .context = group};
            cg_tissue_add_pusher(a, &group->pusher);
            if (a != b) {
                cg_tissue_join(a, b);
            }
        }
    }
}

void cg_meet_find(cg_meet_set *set)
{
    if (!cg_meet_is_asleep(set)) {
        cg_meet_place(set);
        cg_meet_remember(set);
        join_islands(set);
    }
}

static cg_vec3 expected_way(const cg_tissue *tissue, int node)
{
    return tissue->mesh->fixed[node] ? v3_sub(tissue->target[node], tissue->mesh->position[node])
                                     : v3_scale(tissue->time_step, tissue->velocity[node]);
}

// What one side of a meet adds to its law and row. True when something there can give way.
static bool add_side(const cg_meet_body *body, const cg_touch *meet, int side, cg_contact_law *law, cg_tissue_row *row)
{
    const cg_tissue *tissue = body->tissue;
    const int *nodes = meet_triangle(body, touch_triangle(meet, side));
    double sign = side == 0 ? 1 : -1, stiffness = 0;
    bool is_free = false;
    for (int k = 0; k < 3; k++) {
        double weight = meet->weights[side][k];
        if (weight == 0) {
            continue;
        }
        row->nodes[row->count] = nodes[k];
        row->weights[row->count++] = sign * weight;
        law->relative = v3_add_scaled(law->relative, sign * weight, expected_way(tissue, nodes[k]));
        stiffness += weight * cg_tissue_node_stiffness(tissue, nodes[k]);
        is_free = is_free || (weight > 1e-9 && !tissue->mesh->fixed[nodes[k]]);
    }
    law->urge = v3_add_scaled(law->urge, sign, cg_contact_urge(tissue, nodes, meet->weights[side]));
    law->stiffness = side == 0 || stiffness < law->stiffness ? stiffness : law->stiffness;
    return is_free;
}

static int corners_of(const cg_meet_body *body, const cg_touch *meet, int side, int nodes[3])
{
    bool is_edge = meet->what == CG_MEET_EDGES || meet->what == CG_MEET_STOPPED_EDGES;
    bool is_back = meet->what == CG_MEET_NODE_BACK || meet->what == CG_MEET_STOPPED_BACK;
    const int *triangle = meet_triangle(body, touch_triangle(meet, side));
    for (int k = 0; k < 3; k++) {
        nodes[k] = triangle[k];
    }
    if (is_edge) {
        meet_edge(body, meet->items[side], nodes);
        return 2;
    }
    if (side == is_back) {
        nodes[0] = meet->items[side];
        return 1;
    }
    return 3;
}

// [m] how near two places that are apart come in this step, if all keep their velocities.
static double nearest_foreseen(const cg_meet_set *set, const cg_touch *meet)
{
    cg_moving_sides sides;
    for (int side = 0; side < 2; side++) {
        const cg_meet_body *body = set->bodies[touch_tissue(meet, side)];
        int nodes[3], count = corners_of(body, meet, side, nodes);
        bool is_first = count == 1 || (count == 2 && side == 0);
        *(is_first ? &sides.count_a : &sides.count_b) = count;
        for (int k = 0; k < count; k++) {
            (is_first ? sides.a : sides.b)[k] = body->tissue->mesh->position[nodes[k]];
            (is_first ? sides.move_a : sides.move_b)[k] = expected_way(body->tissue, nodes[k]);
        }
    }
    double half = cg_moving_sides_distance(&sides, 0.5), end = cg_moving_sides_distance(&sides, 1);
    return half < end ? half : end;
}

// What slides past an edge comes nearer along the normal of now, but not by true distance.
static bool slides_past(const cg_meet_set *set, const cg_touch *meet)
{
    return meet->gap >= meet->radius && nearest_foreseen(set, meet) >= CG_CONTACT_CLOSES * meet->radius;
}

// [1/m]
static double turning_of(const cg_meet_body *a, const cg_meet_body *b)
{
    double link = fmin(a->tissue->springs.shortest, b->tissue->springs.shortest);
    return link > 0 ? TURNING / link : 0;
}

static bool make_row(const cg_meet_set *set, const cg_touch *meet, cg_tissue_row *row)
{
    cg_meet_body *a = set->bodies[touch_tissue(meet, 0)], *b = set->bodies[touch_tissue(meet, 1)];
    cg_contact_law law = {.thickness = meet->radius,
                          .distance = meet->gap,
                          .part = meet->part,
                          .growth = meet->growth,
                          .facing = meet->facing,
                          .turning = turning_of(a, b),
                          .friction = meet->friction,
                          .stiffening = STIFFENING,
                          .calm = CALM,
                          .normal = meet->axes[0],
                          .traction = meet->traction};
    *row = (cg_tissue_row){.other = a == b ? NULL : &b->tissue->springs};
    bool gives = add_side(a, meet, 0, &law, row);
    row->own_count = row->count;
    gives = add_side(b, meet, 1, &law, row) || gives;
    row->own_count = a == b ? row->count : row->own_count;
    if (!gives || !(law.stiffness * law.facing > 0) || cg_contact_is_open(&law) || slides_past(set, meet)) {
        return false;
    }
    cg_contact_fill_row(&law, row);
    return true;
}

static void push_group(void *context)
{
    cg_meet_group *group = context;
    cg_meet_set *set = group->set;
    int first = group->first_meet, count = 0;
    for (int i = first; i < first + group->meet_count; i++) {
        bool has_row = make_row(set, &set->meets[i], &set->rows[first + count]);
        set->row_of[i] = has_row ? first + count++ : -1;
    }
    group->pusher.list = (cg_row_list){.rows = set->rows + first, .count = count};
}

void cg_meet_note(cg_meet_set *set)
{
    int kept = 0;
    for (int g = 0; g < set->group_count; g++) {
        const cg_meet_group *group = &set->groups[g];
        const cg_meet_body *a = set->bodies[group->tissues[0]], *b = set->bodies[group->tissues[1]];
        cg_row_side own = {a->start, a->tissue->mesh->position}, other = {b->start, b->tissue->mesh->position};
        bool is_pushed = group->pusher.push != NULL;
        for (int i = group->first_meet; i < group->first_meet + group->meet_count; i++) {
            cg_touch *meet = &set->meets[i];
            if (is_pushed && set->row_of[i] < 0) {
                continue;
            }
            if (is_pushed) {
                meet->force = cg_tissue_row_force(&set->rows[set->row_of[i]], &own, &other);
                meet->traction = cg_contact_traction(meet->force, meet->axes[0], meet->friction);
            }
            set->meets[kept++] = *meet;
        }
    }
    set->count = set->group_count > 0 ? kept : (cg_meet_is_asleep(set) ? set->count : 0);
}

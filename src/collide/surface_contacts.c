// Contacts of surfaces with moving shapes. See collide/surface_contacts.h.
#include "collide/surface_contacts.h"

#include <math.h>

#include "collide/walk.h"

// Rounds of looking again at what is frozen, where the motion ends; after them nothing moves.
enum { FROZEN_ROUNDS = 8 };

void cg_surface_contact_list_layout(cg_surface_contact_list *list, int capacity, cg_arena *arena)
{
    *list = (cg_surface_contact_list){.capacity = capacity};
    list->items = cg_arena_push_array(arena, cg_surface_contact, capacity);
    cg_triangle_list_layout(&list->candidates, capacity, arena);
}

// One shape and one tree.
typedef struct search {
    const cg_sphere_tree *tree;
    const cg_motion_rule *rule;
    double thickness, limit; // limit: thickness and reach
    cg_shape_motion motion;
    bool is_straight; // neither the shape turns nor the surface moves: all comes nearer by `shift` at most
    double shift;
    int shape;
    cg_surface_contact_list *found;
} search;

static cg_moving_triangle moving_triangle(const cg_sphere_tree *tree, int triangle)
{
    cg_moving_triangle moving;
    for (int k = 0; k < 3; k++) {
        int node = tree->corners[triangle][k];
        moving.corners[k] = tree->positions[node];
        moving.moves[k] = tree->moves ? tree->moves[node] : v3_zero();
    }
    return moving;
}

static void begin_shape(search *s, const cg_moving_shape *shape)
{
    s->motion = cg_shape_motion_of(shape);
    s->is_straight = s->motion.turn == 0 && !s->tree->moves;
    s->shift = v3_length(s->motion.shift);
}

static bool sphere_may_be_near(void *context, const cg_tree_sphere *sphere, double spread)
{
    const search *s = context;
    const cg_moving_shape *shape = s->motion.shape;
    cg_vec3 move = s->tree->moves ? s->tree->mean_move : v3_zero();
    double radius = sphere->radius + s->tree->slack;
    double bound =
        radius + (s->is_straight ? s->shift : cg_shape_motion_bound(&s->motion, sphere->centre, move, radius, spread));
    cg_vec3 centre = transform_point_back(shape->before, sphere->centre);
    double distance = cg_shape_local_distance_point(&shape->shape, centre).distance;
    // Rounding of the poses is relative to where they are.
    double size = fabs(distance) + v3_distance(sphere->centre, shape->before.position);
    return !(distance - bound > s->limit + 1e-12 * size);
}

// How far a corner can go at most in the axes of the shape.
static double farthest_corner(const search *s, const cg_moving_triangle *triangle)
{
    double farthest = s->is_straight ? s->shift : 0;
    for (int k = 0; k < 3 && !s->is_straight; k++) {
        double bound = cg_shape_motion_bound(&s->motion, triangle->corners[k], triangle->moves[k], 0, 0);
        farthest = bound <= farthest ? farthest : bound;
    }
    return farthest;
}

static bool triangle_is_near(void *context, int triangle)
{
    const search *s = context;
    const cg_moving_shape *shape = s->motion.shape;
    cg_moving_triangle moving = moving_triangle(s->tree, triangle);
    double distance = cg_shape_distance_triangle(&shape->shape, &shape->before, moving.corners).nearest.distance;
    return !(distance - farthest_corner(s, &moving) > s->limit);
}

static void limit_to(cg_surface_contact_list *found, double fraction)
{
    found->fraction = fraction < found->fraction ? fraction : found->fraction;
}

// Walks the motion of a contact up to `limit` and notes how far it is safe.
static void walk_contact(const search *s, cg_surface_contact *contact, double limit)
{
    cg_moving_triangle moving = moving_triangle(s->tree, contact->triangle);
    cg_walk_levels levels = cg_walk_levels_for(s->rule, contact->distance, s->thickness, true);
    cg_walk walk = cg_walk_shape_triangle(&s->motion, &moving, &levels, limit, s->rule->max_looks);
    contact->safe = walk.reached;
    contact->threshold = levels.is_frozen ? levels.level : levels.level - levels.margin;
    s->found->looks += walk.looks;
    s->found->cut_off += walk.is_cut_off;
    limit_to(s->found, walk.reached);
}

static void add_contact(const search *s, int triangle)
{
    cg_surface_contact_list *found = s->found;
    if (found->count == found->capacity) {
        found->lost++;
        return;
    }
    cg_vec3 corners[3];
    tree_triangle(s->tree, triangle, corners);
    const cg_moving_shape *shape = s->motion.shape;
    cg_shape_triangle at = cg_shape_distance_triangle(&shape->shape, &shape->before, corners);
    cg_surface_contact *contact = &found->items[found->count++];
    *contact = (cg_surface_contact){.shape = s->shape,
                                    .triangle = triangle,
                                    .weights = {at.weights[0], at.weights[1], at.weights[2]},
                                    .point = at.nearest.point,
                                    .surface = at.nearest.surface,
                                    .normal = at.nearest.normal,
                                    .distance = at.nearest.distance,
                                    .gap = at.nearest.distance - s->thickness};
    found->frozen += at.nearest.distance < s->rule->freeze * s->thickness;
    if (s->rule->max_looks > 0) {
        walk_contact(s, contact, 1);
    }
}

// A frozen contact was looked at where its own walk ended; where another one ends the motion earlier it may be in a dip
// between two looks. It is looked at again there, and walked no farther than that.
static void settle_frozen(search *s, const cg_moving_shape *shapes)
{
    cg_surface_contact_list *found = s->found;
    bool is_settled = found->frozen == 0;
    for (int round = 0; round < FROZEN_ROUNDS && !is_settled && found->fraction > 0; round++) {
        is_settled = true;
        for (int i = 0; i < found->count && found->fraction > 0; i++) {
            cg_surface_contact *contact = &found->items[i];
            if (!(contact->distance < s->rule->freeze * s->thickness)) {
                continue;
            }
            s->motion = cg_shape_motion_of(&shapes[contact->shape]);
            cg_moving_triangle moving = moving_triangle(s->tree, contact->triangle);
            found->looks++;
            if (cg_shape_walk_triangle_distance(&s->motion, &moving, found->fraction) < contact->threshold) {
                is_settled = false;
                walk_contact(s, contact, found->fraction);
            }
        }
    }
    if (!is_settled) {
        found->fraction = 0;
    }
}

bool cg_surface_contacts_find(const cg_sphere_tree *tree, double thickness, const cg_motion_rule *rule,
                              const cg_moving_shape *shapes, int shape_count, double reach,
                              cg_surface_contact_list *found)
{
    found->count = found->lost = found->frozen = found->cut_off = 0;
    found->looks = found->spheres = 0;
    found->fraction = 1;
    search s = {.tree = tree, .rule = rule, .thickness = thickness, .limit = thickness + reach, .found = found};
    for (int k = 0; k < shape_count; k++) {
        s.shape = k;
        begin_shape(&s, &shapes[k]);
        cg_tree_question question = {sphere_may_be_near, triangle_is_near, &s};
        cg_sphere_tree_find(tree, &question, &found->candidates);
        found->spheres += found->candidates.spheres;
        found->lost += found->candidates.lost;
        for (int i = 0; i < found->candidates.count; i++) {
            add_contact(&s, found->candidates.items[i].a);
        }
    }
    if (rule->max_looks > 0) {
        settle_frozen(&s, shapes);
    }
    if (found->lost > 0 || rule->max_looks == 0) {
        found->fraction = 0;
    }
    return found->lost == 0;
}

double cg_surface_distance_at(const cg_sphere_tree *tree, int triangle, const cg_moving_shape *shape, double time)
{
    cg_shape_motion motion = cg_shape_motion_of(shape);
    cg_moving_triangle moving = moving_triangle(tree, triangle);
    return cg_shape_walk_triangle_distance(&motion, &moving, time);
}

void cg_surface_contacts_walk(const cg_sphere_tree *tree, double thickness, const cg_motion_rule *rule,
                              const cg_moving_shape *shapes, const cg_vec3 *moves, cg_surface_contact_list *found)
{
    cg_sphere_tree moved = *tree;
    moved.moves = moves;
    found->frozen = found->cut_off = 0;
    found->looks = 0;
    found->fraction = 1;
    search s = {.tree = &moved, .rule = rule, .thickness = thickness, .found = found};
    for (int i = 0; i < found->count; i++) {
        cg_surface_contact *contact = &found->items[i];
        s.motion = cg_shape_motion_of(&shapes[contact->shape]);
        found->frozen += contact->distance < rule->freeze * thickness;
        walk_contact(&s, contact, 1);
    }
    settle_frozen(&s, shapes);
}

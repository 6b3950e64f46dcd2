// The memory of the touches of a world.
#include "rows/touch.h"

#include <assert.h>

static void lay_out_bodies(cg_touch_set *set, const cg_touch_room *room, cg_arena *arena)
{
    set->cast.threads = cg_arena_push(arena, (size_t)room->threads, sizeof *set->cast.threads);
    set->cast.chains = cg_arena_push(arena, (size_t)(room->threads + room->rods), sizeof *set->cast.chains);
    set->cast.moves = cg_arena_push(arena, (size_t)(room->threads + room->rods), sizeof *set->cast.moves);
    set->cast.rods = cg_arena_push_array(arena, cg_touch_rod, room->rods);
    set->search.rod_chains = cg_arena_push_array(arena, cg_rod_chain, room->rods);
    set->cast.rod_points = cg_arena_push_array(arena, cg_vec3, room->rod_points);
    set->cast.rod_places = cg_arena_push_array(arena, cg_vec3, room->rod_points);
    set->cast.rod_hidden = cg_arena_push_array(arena, unsigned char, room->rod_points);
    int nodes = room->threads + room->rigids + 1;
    set->islands.head = cg_arena_push_array(arena, int, nodes);
    set->islands.progress = cg_arena_push_array(arena, cg_progress, nodes);
    set->islands.group = cg_arena_push_array(arena, int, nodes);
    set->cast.still = cg_arena_push_array(arena, cg_vec3, room->vertices);
    set->cast.is_near_skin = cg_arena_push_array(arena, bool, room->threads + room->rods);
    set->cast.all_hidden = cg_arena_push_array(arena, unsigned char, room->vertices);
    set->cast.rigids = cg_arena_push_array(arena, cg_rigid *, room->rigids);
    set->cast.parts = cg_arena_push_array(arena, cg_rigid_place, room->parts);
    set->cast.placed = cg_arena_push_array(arena, cg_placed_shape, room->parts);
    set->cast.moving = cg_arena_push_array(arena, cg_moving_shape, room->parts);
    set->search.covers = cg_arena_push_array(arena, cg_cover, room->parts);
    set->search.ways = cg_arena_push_array(arena, cg_part_way, room->parts);
}

void cg_touch_layout(cg_touch_set *set, const cg_touch_room *room, cg_arena *arena)
{
    assert(room->threads >= 0 && room->rigids >= 0 && room->touches > 0);
    int max_touches = room->touches, max_threads = room->threads, max_vertices = room->vertices;
    size_t columns = 3 * (size_t)max_touches;
    set->room = *room;
    set->rows.most = 4 * max_touches;
    int most_pairs = 16 * max_touches + max_vertices;
    lay_out_bodies(set, room, arena);
    cg_shape_contact_list_layout(&set->search.found_shapes, room->parts > 0 ? most_pairs : 0, arena);
    cg_near_layout(&set->search.near, max_threads, max_vertices, most_pairs, CG_TOUCH_REACH, arena);
    cg_contact_finder_layout(&set->search.finder, most_pairs, arena);
    cg_contact_list_layout(&set->search.found, most_pairs, arena);
    cg_skin_contact_list_layout(&set->search.found_skin, set->rows.most, arena);
    cg_contact_list_layout(&set->search.last, set->rows.most, arena);
    cg_motion_finder_layout(&set->search.motion, max_threads, max_vertices, arena);
    set->rows.touches = cg_arena_push_array(arena, cg_touch, set->rows.most);
    set->rows.before = cg_arena_push_array(arena, cg_touch, set->rows.most);
    set->cast.joints = cg_arena_push_array(arena, cg_touch_joint, room->joints);
    set->search.exempt = cg_arena_push_array(arena, cg_motion_exempt, room->joints);
    set->problem.joint_rows =
        cg_arena_push(arena, (size_t)(room->joints + room->guides) * (12 + 3 * columns), sizeof(double));
    set->problem.working = cg_arena_push_array(arena, int, max_touches);
    cg_coupling_layout(&set->problem.coupling_work, max_vertices, max_touches, arena);
    set->problem.points = cg_arena_push_array(arena, cg_coupling_point, 2 * max_touches);
    set->problem.roll_points = cg_arena_push_array(arena, cg_roll_point, 2 * max_touches);
    set->problem.rigid_points = cg_arena_push_array(arena, cg_rigid_point, room->rigids > 0 ? 2 * max_touches : 0);
    set->problem.next_row = cg_arena_push_array(arena, int, CG_SKIN_CORNERS *max_touches);
    set->problem.axes = cg_arena_push(arena, 3 * columns, sizeof(double));
    set->problem.coupling = cg_arena_push(arena, columns * columns, sizeof(double));
    set->problem.free_motion = cg_arena_push(arena, columns, sizeof(double));
    set->problem.slip_rows = cg_arena_push(arena, 2 * CG_SLIPS_AT_ONCE * columns, sizeof(double));
    set->problem.friction = cg_arena_push_array(arena, double, max_touches);
    set->problem.force = cg_arena_push(arena, columns, sizeof(double));
    set->problem.kept = cg_arena_push_array(arena, cg_vec3, max_touches);
    set->problem.change = cg_arena_push_array(arena, cg_vec3, max_touches);
    cg_friction_layout(&set->problem.friction_work, max_touches, arena);
}

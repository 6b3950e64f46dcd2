// The memory of the touches of a world.
#include "rows/touch.h"

static void lay_out_bodies(cg_touch_set *set, const cg_touch_room *room, cg_arena *arena)
{
    set->most_threads = room->threads;
    set->most_vertices = room->vertices;
    set->most_rigids = room->rigids;
    set->most_parts = room->parts;
    set->threads = cg_arena_push(arena, (size_t)room->threads, sizeof *set->threads);
    set->most_rods = room->rods;
    set->most_rod_points = room->rod_points;
    set->chains = cg_arena_push(arena, (size_t)(room->threads + room->rods), sizeof *set->chains);
    set->moves = cg_arena_push(arena, (size_t)(room->threads + room->rods), sizeof *set->moves);
    set->rods = cg_arena_push_array(arena, cg_touch_rod, room->rods);
    set->rod_chains = cg_arena_push_array(arena, cg_rod_chain, room->rods);
    set->rod_points = cg_arena_push_array(arena, cg_vec3, room->rod_points);
    set->rod_places = cg_arena_push_array(arena, cg_vec3, room->rod_points);
    set->rod_hidden = cg_arena_push_array(arena, unsigned char, room->rod_points);
    int nodes = room->threads + room->rigids + 1;
    set->island = cg_arena_push_array(arena, int, nodes);
    set->progress = cg_arena_push_array(arena, cg_progress, nodes);
    set->group = cg_arena_push_array(arena, int, nodes);
    set->still = cg_arena_push_array(arena, cg_vec3, room->vertices);
    set->is_near_skin = cg_arena_push_array(arena, bool, room->threads + room->rods);
    set->all_hidden = cg_arena_push_array(arena, unsigned char, room->vertices);
    set->rigids = cg_arena_push_array(arena, cg_rigid *, room->rigids);
    set->parts = cg_arena_push_array(arena, cg_rigid_place, room->parts);
    set->placed = cg_arena_push_array(arena, cg_placed_shape, room->parts);
    set->moving = cg_arena_push_array(arena, cg_moving_shape, room->parts);
    set->covers = cg_arena_push_array(arena, cg_cover, room->parts);
    set->ways = cg_arena_push_array(arena, cg_part_way, room->parts);
}

void cg_touch_layout(cg_touch_set *set, const cg_touch_room *room, cg_arena *arena)
{
    int max_touches = room->touches, max_threads = room->threads, max_vertices = room->vertices;
    size_t columns = 3 * (size_t)max_touches;
    set->most_working = max_touches;
    set->most_touches = 4 * max_touches;
    int most_pairs = 16 * max_touches + max_vertices;
    lay_out_bodies(set, room, arena);
    cg_shape_contact_list_layout(&set->found_shapes, room->parts > 0 ? most_pairs : 0, arena);
    cg_near_layout(&set->near, max_threads, max_vertices, most_pairs, CG_TOUCH_REACH, arena);
    cg_contact_finder_layout(&set->finder, most_pairs, arena);
    cg_contact_list_layout(&set->found, most_pairs, arena);
    cg_skin_contact_list_layout(&set->found_skin, set->most_touches, arena);
    cg_contact_list_layout(&set->last, set->most_touches, arena);
    cg_motion_finder_layout(&set->motion, max_threads, max_vertices, arena);
    set->touches = cg_arena_push_array(arena, cg_touch, set->most_touches);
    set->before = cg_arena_push_array(arena, cg_touch, set->most_touches);
    set->most_joints = room->joints;
    set->joints = cg_arena_push_array(arena, cg_touch_joint, room->joints);
    set->exempt = cg_arena_push_array(arena, cg_motion_exempt, room->joints);
    set->most_guides = room->guides;
    set->joint_rows = cg_arena_push(arena, (size_t)(room->joints + room->guides) * (12 + 3 * columns), sizeof(double));
    set->working = cg_arena_push_array(arena, int, max_touches);
    cg_coupling_layout(&set->coupling_work, max_vertices, max_touches, arena);
    set->points = cg_arena_push_array(arena, cg_coupling_point, 2 * max_touches);
    set->roll_points = cg_arena_push_array(arena, cg_roll_point, 2 * max_touches);
    set->rigid_points = cg_arena_push_array(arena, cg_rigid_point, room->rigids > 0 ? 2 * max_touches : 0);
    set->next_row = cg_arena_push_array(arena, int, CG_SKIN_CORNERS *max_touches);
    set->axes = cg_arena_push(arena, 3 * columns, sizeof(double));
    set->coupling = cg_arena_push(arena, columns * columns, sizeof(double));
    set->free_motion = cg_arena_push(arena, columns, sizeof(double));
    set->slip_rows = cg_arena_push(arena, 2 * CG_SLIPS_AT_ONCE * columns, sizeof(double));
    set->friction = cg_arena_push_array(arena, double, max_touches);
    set->force = cg_arena_push(arena, columns, sizeof(double));
    set->kept = cg_arena_push_array(arena, cg_vec3, max_touches);
    set->change = cg_arena_push_array(arena, cg_vec3, max_touches);
    cg_friction_layout(&set->friction_work, max_touches, arena);
}

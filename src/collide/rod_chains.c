#include "collide/rod_chains.h"

#include <math.h>

#include "collide/walk.h"
#include "geometry/triangle.h"

// Ends of capsules nearer than this [radii] are one joint.
static const double JOINT = 1e-3;
// An axis that begins nearer to a triangle than this [radii] is in it: nothing is left to be kept.
static const double INSIDE = 1e-9;

static int pieces_of(double length, double radius)
{
    double pieces = ceil(length / (CG_ROD_PIECE * radius));
    return pieces < 1 ? 1 : (pieces < CG_ROD_MOST_PIECES ? (int)pieces : CG_ROD_MOST_PIECES);
}

int cg_rod_chains_room(const cg_rigid_part *parts, int count, int *points)
{
    int chains = 0;
    *points = 0;
    for (int i = 0; i < count; i++) {
        cg_rods rods = cg_rods_of(&parts[i].shape);
        chains += rods.edge_count;
        *points += rods.edge_count * (CG_ROD_MOST_PIECES + 1);
    }
    return chains;
}

static void add_points(cg_rod_chain *chain, const cg_vec3 ends[2], bool with_first, cg_vec3 *points)
{
    for (int k = with_first ? 0 : 1; k <= chain->pieces; k++) {
        double t = (double)k / chain->pieces;
        points[chain->first_point + chain->point_count++] = v3_add_scaled(v3_scale(1 - t, ends[0]), t, ends[1]);
    }
}

// True when the chain goes on with a capsule of the same kind.
static bool goes_on(const cg_rod_chain *chain, const cg_rigid_part *part, cg_vec3 start, int pieces,
                    const cg_vec3 *points)
{
    const cg_vec3 *last = &points[chain->first_point + chain->point_count - 1];
    return part->shape.kind == CG_SHAPE_CAPSULE && part[-1].shape.kind == CG_SHAPE_CAPSULE &&
           part->shape.radius == chain->radius && pieces == chain->pieces &&
           v3_distance(start, *last) < JOINT * chain->radius;
}

// The first edge that has a corner owns it.
static bool owns_corner(const cg_rods *rods, int edge, int end)
{
    for (int k = 0; k < edge; k++) {
        if (rods->edges[k][0] == rods->edges[edge][end] || rods->edges[k][1] == rods->edges[edge][end]) {
            return false;
        }
    }
    return end == 0 || rods->edges[edge][0] != rods->edges[edge][1];
}

int cg_rod_chains_of(const cg_rigid_part *parts, int count, cg_rod_chain *chains, cg_vec3 *points)
{
    int made = 0, used = 0;
    for (int i = 0; i < count; i++) {
        cg_rods rods = cg_rods_of(&parts[i].shape);
        for (int edge = 0; edge < rods.edge_count; edge++) {
            cg_vec3 ends[2];
            for (int k = 0; k < 2; k++) {
                ends[k] = transform_point(parts[i].pose, rods.corners[rods.edges[edge][k]]);
            }
            int pieces = pieces_of(v3_distance(ends[0], ends[1]), rods.radius);
            bool is_next = i > 0 && goes_on(&chains[made - 1], &parts[i], ends[0], pieces, points);
            if (!is_next) {
                chains[made++] = (cg_rod_chain){
                    .part = i,
                    .edge = edge,
                    .pieces = pieces,
                    .first_point = used,
                    .radius = rods.radius,
                    .owns_ends = {owns_corner(&rods, edge, 0), owns_corner(&rods, edge, 1)},
                };
            }
            cg_rod_chain *chain = &chains[made - 1];
            chain->part_count++;
            add_points(chain, ends, !is_next, points);
            used = chain->first_point + chain->point_count;
        }
    }
    return made;
}

double cg_rod_way(const cg_moving_shape *body, double arm)
{
    cg_shape_motion motion = cg_shape_motion_of(body);
    return v3_length(motion.shift) + motion.turn * arm;
}

// [radii] More than a walk keeps beyond the rule.
static const double KEPT_MARGIN = 0.002;

bool cg_rod_stays_off(const cg_rod_piece *piece, const cg_rod_triangle *triangle, const cg_motion_rule *rule,
                      double way)
{
    cg_vec3 n = triangle_normal(triangle->corners);
    cg_transform pose = piece->body->before;
    cg_vec3 from = v3_sub(transform_point(pose, piece->ends[0]), triangle->corners[0]);
    cg_vec3 to = v3_sub(transform_point(pose, piece->ends[1]), triangle->corners[0]);
    double first = v3_dot(n, from), second = v3_dot(n, to), corners[2] = {0, 0};
    for (int k = 1; k < 3; k++) {
        double height = v3_dot(n, v3_sub(triangle->corners[k], triangle->corners[0]));
        corners[0] = height < corners[0] ? height : corners[0];
        corners[1] = height > corners[1] ? height : corners[1];
    }
    double above = (first < second ? first : second) - corners[1];
    double below = corners[0] - (first > second ? first : second);
    double counted = cg_skin_counted(piece->radius), core = piece->radius - counted;
    return (above > below ? above : below) > (core + (rule->keep + KEPT_MARGIN) * counted + way) * v3_length(n);
}

double cg_rod_walk(const cg_rod_piece *piece, const cg_rod_triangle *triangle, const cg_motion_rule *rule, double limit,
                   int *looks)
{
    double radius = piece->radius, d = cg_skin_counted(radius);
    cg_vec3 along = v3_sub(piece->ends[1], piece->ends[0]);
    cg_moving_shape rod = *piece->body;
    rod.shape = (cg_shape){.kind = CG_SHAPE_CAPSULE, .radius = radius, .half_length = 0.5 * v3_length(along)};
    rod.is_part = true;
    rod.part.position = v3_scale(0.5, v3_add(piece->ends[0], piece->ends[1]));
    rod.part.rotation = quat_between(v3(0, 0, 1), v3_unit_or(along, v3(0, 0, 1)));
    cg_shape_motion motion = cg_shape_motion_of(&rod);
    cg_moving_triangle moving = {{triangle->corners[0], triangle->corners[1], triangle->corners[2]},
                                 {triangle->moves[0], triangle->moves[1], triangle->moves[2]}};
    double start = cg_shape_walk_triangle_distance(&motion, &moving, 0) + radius;
    ++*looks;
    if (start < INSIDE * radius) {
        return limit;
    }
    cg_walk_levels levels = cg_walk_levels_for(rule, start - (radius - d), d, radius > d);
    levels.level -= d; // the walk measures from the surface of the rod
    cg_walk walk = cg_walk_shape_triangle(&motion, &moving, &levels, limit, rule->max_looks);
    *looks += walk.looks;
    return walk.reached < limit ? walk.reached : limit;
}

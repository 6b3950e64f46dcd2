// Rods of rigid parts: their chains, and walks against sampling in time.
#include "collide/rod_chains.h"

#include <math.h>

#include "base/quat.h"
#include "geometry/triangle.h"
#include "harness.h"

static cg_vec3 random_vector(uint64_t *state, double size)
{
    double x = test_random(state, -size, size), y = test_random(state, -size, size);
    return v3(x, y, test_random(state, -size, size));
}

static cg_transform random_pose(uint64_t *state, double size)
{
    cg_vec3 part = random_vector(state, 1);
    cg_quat rotation = quat_normalise(quat(part.x, part.y, part.z, test_random(state, -1, 1)));
    return (cg_transform){random_vector(state, size), rotation};
}

enum { MOST_PARTS = 20, MOST_CHAINS = MOST_PARTS * CG_ROD_MOST_EDGES, MOST_POINTS = MOST_PARTS * CG_ROD_MOST_POINTS };
static cg_rod_chain chains[MOST_CHAINS];
static cg_vec3 points[MOST_POINTS];

// The points of a chain are on the rods of its parts, no farther apart than a piece, from one end to the other.
static void check_chain(const cg_rod_chain *chain, const cg_rigid_part *parts)
{
    const cg_vec3 *x = points + chain->first_point;
    CHECK_INT(chain->point_count, chain->part_count * chain->pieces + 1);
    for (int s = 0; s + 1 < chain->point_count; s++) {
        const cg_rigid_part *part = &parts[rod_part(chain, s)];
        cg_rods rods = cg_rods_of(&part->shape);
        cg_vec3 a = transform_point(part->pose, rods.corners[rods.edges[chain->edge][0]]);
        cg_vec3 b = transform_point(part->pose, rods.corners[rods.edges[chain->edge][1]]);
        double first = (double)(s % chain->pieces) / chain->pieces, each = 1.0 / chain->pieces;
        CHECK(v3_distance(x[s], v3_add_scaled(a, first, v3_sub(b, a))) < 1e-6 * rods.radius);
        CHECK(v3_distance(x[s + 1], v3_add_scaled(a, first + each, v3_sub(b, a))) < 1e-6 * rods.radius);
        bool is_split = v3_distance(x[s], x[s + 1]) <= CG_ROD_PIECE * rods.radius * (1 + 1e-12);
        CHECK(is_split || chain->pieces == CG_ROD_MOST_PIECES);
        CHECK(chain->radius == rods.radius);
    }
}

static int count_owned(const cg_rod_chain *made, int count)
{
    int owned = 0;
    for (int i = 0; i < count; i++) {
        owned += made[i].owns_ends[0] + made[i].owns_ends[1];
    }
    return owned;
}

TEST(chains_follow_the_rods_of_parts)
{
    uint64_t state = 3;
    for (int round = 0; round < 200; round++) {
        cg_rigid_part parts[MOST_PARTS];
        int count = test_random_int(&state, 1, MOST_PARTS), corners = 0, room;
        for (int i = 0; i < count; i++) {
            int kind = test_random_int(&state, 0, 2);
            double radius = test_random(&state, 0.1, 1), half = test_random(&state, 0.1, 20);
            parts[i] = (cg_rigid_part){.pose = random_pose(&state, 5)};
            parts[i].shape =
                (cg_shape){.kind = kind == 0 ? CG_SHAPE_SPHERE : (kind == 1 ? CG_SHAPE_CAPSULE : CG_SHAPE_BOX),
                           .radius = radius,
                           .half_length = half,
                           .half_extents = v3(radius, half, 0.7)};
            corners += cg_rods_of(&parts[i].shape).corner_count;
        }
        int made = cg_rod_chains_of(parts, count, chains, points);
        CHECK_INT(made, cg_rod_chains_room(parts, count, &room));
        CHECK(chains[made - 1].first_point + chains[made - 1].point_count <= room);
        CHECK_INT(count_owned(chains, made), corners); // each corner once
        for (int i = 0; i < made; i++) {
            check_chain(&chains[i], parts);
        }
    }
}

TEST(an_arc_is_one_chain)
{
    cg_rigid_part parts[MOST_PARTS];
    double each = 0.15, radius = 8, half = radius * tan(0.5 * each);
    for (int i = 0; i < MOST_PARTS; i++) {
        double angle = (i + 0.5) * each;
        cg_vec3 along = v3(-sin(angle), 0, cos(angle));
        parts[i].shape = (cg_shape){.kind = CG_SHAPE_CAPSULE, .radius = i < 15 ? 0.3 : 0.2, .half_length = half};
        parts[i].pose =
            (cg_transform){v3(radius * cos(angle), 0, radius * sin(angle)), quat_between(v3(0, 0, 1), along)};
    }
    CHECK_INT(cg_rod_chains_of(parts, MOST_PARTS, chains, points), 2); // where it becomes thinner another one begins
    CHECK_INT(chains[0].point_count, 16);
    CHECK_INT(chains[1].part, 15);
    check_chain(&chains[0], parts);
    check_chain(&chains[1], parts);
}

static double distance_at(const cg_rod_piece *piece, const cg_rod_triangle *triangle, double time)
{
    cg_transform pose = cg_moving_shape_pose(piece->body, time);
    cg_vec3 corners[3];
    for (int k = 0; k < 3; k++) {
        corners[k] = v3_add_scaled(triangle->corners[k], time, triangle->moves[k]);
    }
    return sqrt(cg_closest_segment_triangle(transform_point(pose, piece->ends[0]),
                                            transform_point(pose, piece->ends[1]), corners)
                    .squared_distance);
}

// Nothing is crossed before the share, at whatever turn; and where a motion is stopped something is in the way.
TEST(walks_of_rods_against_sampling)
{
    uint64_t state = 9;
    cg_motion_rule rule = cg_skin_motion_rule();
    int stopped = 0, whole = 0, off = 0;
    for (int round = 0; round < 20000; round++) {
        // Of thick rods only the outer part counts, whatever their radius.
        double scale = round % 2 == 0 ? 1e-3 : 10e-3, radius = scale * test_random(&state, 0.02, 0.3);
        double d = fmin(radius, CG_SKIN_THICKEST), core = radius - d;
        cg_vec3 turn = random_vector(&state, round % 3);
        cg_moving_shape body = {.before = random_pose(&state, scale), .by_turn = true, .turn = turn};
        body.after.position = v3_add(body.before.position, random_vector(&state, 1.5 * scale));
        body.after.rotation = quat_multiply(quat_from_vector(turn), body.before.rotation);
        cg_rod_piece piece = {&body, {random_vector(&state, scale), random_vector(&state, scale)}, radius};
        cg_rod_triangle triangle;
        for (int k = 0; k < 3; k++) {
            triangle.corners[k] = random_vector(&state, 1.5 * scale);
            triangle.moves[k] = random_vector(&state, 0.5 * scale * (round / 2 % 2));
        }
        double start = distance_at(&piece, &triangle, 0);
        if (start < radius) {
            continue;
        }
        int looks = 0;
        double share = cg_rod_walk(&piece, &triangle, &rule, 1, &looks), least = start;
        for (int k = 0; k <= 100; k++) {
            least = fmin(least, distance_at(&piece, &triangle, share * k / 100));
        }
        CHECK(least > core + (rule.keep - 1e-9) * d);
        CHECK(share == 1 || distance_at(&piece, &triangle, share) < core + (rule.keep + rule.give) * d);
        // The bound on the way of the body holds.
        double arm = fmax(v3_length(piece.ends[0]), v3_length(piece.ends[1])), way = cg_rod_way(&body, arm);
        for (int k = 0; k < 2; k++) {
            cg_vec3 from = transform_point(body.before, piece.ends[k]);
            CHECK(v3_distance(from, transform_point(cg_moving_shape_pose(&body, 0.7), piece.ends[k])) < way + 1e-12);
        }
        double farthest = 0;
        for (int k = 0; k < 3; k++) {
            farthest = fmax(farthest, v3_length(triangle.moves[k]));
        }
        bool is_off = cg_rod_stays_off(&piece, &triangle, &rule, way + farthest);
        CHECK(!is_off || share == 1);
        off += is_off;
        stopped += share < 1;
        whole += share == 1;
    }
    CHECK(stopped > 500 && whole > 500 && off > 20);
}

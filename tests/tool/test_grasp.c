// What a grasper without jaws takes by the ways of the seeds, against twins that ask everything: the open triangle of
// the jaws (VTE 2.3.1) and the box between the arms (MicroSim 3.6.2).
#include <math.h>

#include "base/transform.h"
#include "catgut/catgut.h"
#include "harness.h"

enum { VERTICES = 40, THREADS = 2 };

typedef struct rig {
    cg_world *world;
    cg_thread_id threads[THREADS];
    cg_vec3 points[THREADS][VERTICES];
    cg_hand_id hand;
    cg_hand_def def;
} rig;

static cg_vec3 random_vector(uint64_t *random, double size)
{
    double x = test_random(random, -size, size), y = test_random(random, -size, size);
    return v3(x, y, test_random(random, -size, size));
}

// Threads that wander through a room of some jaws, and a hand among them.
static rig make_rig(cg_hand_grasp grasp, uint64_t *random)
{
    rig r;
    cg_world_def def = cg_world_def_default();
    def.max_contacts = 0;
    CHECK_STR(cg_world_create(&def, &r.world).message, "");
    for (int t = 0; t < THREADS; t++) {
        cg_thread_def thread = cg_thread_def_default();
        cg_vec3 way = random_vector(random, 1);
        r.points[t][0] = random_vector(random, 8e-3);
        for (int i = 1; i < VERTICES; i++) {
            way = v3_unit_or(v3_add_scaled(way, 0.7, random_vector(random, 1)), v3(1, 0, 0));
            r.points[t][i] = v3_add_scaled(r.points[t][i - 1], 0.7e-3, way);
        }
        thread.vertex_count = VERTICES;
        thread.positions = r.points[t];
        thread.radius = 0.05e-3;
        CHECK_STR(cg_world_add_thread(r.world, &thread, &r.threads[t]).message, "");
    }
    r.def = cg_hand_def_default();
    r.def.grasp = grasp;
    r.def.reach = test_random(random, 0.5e-3, 4e-3);
    r.def.jaw_length = test_random(random, 1e-3, 6e-3);
    cg_vec3 near = r.points[0][test_random_int(random, 0, VERTICES - 1)];
    r.def.pose = (cg_transform){
        v3_add(near, random_vector(random, 3e-3)),
        quat_from_axis_angle(v3_unit_or(random_vector(random, 1), v3(1, 0, 0)), test_random(random, -3, 3))};
    CHECK_STR(cg_world_add_hand(r.world, &r.def, &r.hand).message, "");
    return r;
}

static cg_hand_state closed(const rig *r)
{
    CHECK_STR(cg_hand_close(r->world, r->hand).message, "");
    return cg_hand_get_state(r->world, r->hand);
}

typedef struct place {
    double distance;
    int thread, index; // of a segment or vertex; -1: none
} place;

// In the hand's frame the triangle is in the plane x = 0.
static place nearest_crossing(const rig *r)
{
    place best = {HUGE_VAL, -1, -1};
    double half = 0.5 * r->def.jaw_length;
    for (int t = 0; t < THREADS; t++) {
        for (int i = 0; i + 1 < VERTICES; i++) {
            cg_vec3 a = transform_point_back(r->def.pose, r->points[t][i]);
            cg_vec3 b = transform_point_back(r->def.pose, r->points[t][i + 1]);
            if (a.x * b.x > 0) {
                continue;
            }
            double s = a.x / (a.x - b.x), y = a.y + s * (b.y - a.y), z = a.z + s * (b.z - a.z);
            bool is_in = fabs(z) <= half && fabs(y) <= r->def.reach * (half - z) / r->def.jaw_length;
            if (is_in && hypot(y, z) < best.distance) {
                best = (place){hypot(y, z), t, i};
            }
        }
    }
    return best;
}

TEST(what_crosses_the_open_triangle_is_taken)
{
    uint64_t random = 5;
    int taken = 0, none = 0, passed_over = 0;
    for (int round = 0; round < test_count(400, 20000); round++) {
        rig r = make_rig(CG_GRASP_TRIANGLE, &random);
        place best = nearest_crossing(&r);
        cg_hand_state state = closed(&r);
        CHECK_INT(state.vertex_count > 0, best.thread >= 0);
        if (best.thread >= 0) {
            CHECK_INT(state.thread.index, r.threads[best.thread].index);
            CHECK(state.first_vertex <= best.index && state.first_vertex + state.vertex_count > best.index + 1);
            taken++;
        } else {
            // What is near but beside the triangle is what the nearest in reach would be.
            for (int i = 0; i < THREADS * VERTICES; i++) {
                cg_vec3 there = r.points[i / VERTICES][i % VERTICES];
                if (v3_distance(there, r.def.pose.position) < r.def.reach) {
                    passed_over++;
                    break;
                }
            }
            none++;
        }
        cg_world_destroy(r.world);
    }
    CHECK(taken > 50 && none > 50 && passed_over > 10);
}

static bool is_between(const rig *r, cg_vec3 point)
{
    cg_vec3 p = transform_point_back(r->def.pose, point);
    double half = 0.5 * r->def.jaw_length;
    return p.x >= -half && p.x <= half && p.y >= -r->def.reach && p.y <= r->def.reach && p.z >= -half && p.z <= half;
}

static place nearest_between(const rig *r)
{
    place best = {HUGE_VAL, -1, -1};
    for (int t = 0; t < THREADS; t++) {
        for (int i = 0; i < VERTICES; i++) {
            double distance = v3_distance(r->points[t][i], r->def.pose.position);
            if (is_between(r, r->points[t][i]) && distance < best.distance) {
                best = (place){distance, t, i};
            }
        }
    }
    return best;
}

TEST(what_lies_between_the_arms_is_taken)
{
    uint64_t random = 6;
    int taken = 0, none = 0;
    for (int round = 0; round < test_count(400, 20000); round++) {
        rig r = make_rig(CG_GRASP_ARMS, &random);
        place best = nearest_between(&r);
        cg_hand_state state = closed(&r);
        CHECK_INT(state.vertex_count > 0, best.thread >= 0);
        if (best.thread >= 0) {
            const cg_vec3 *x = r.points[best.thread];
            int first = best.index, last = best.index;
            while (first > 0 && is_between(&r, x[first - 1])) {
                first--;
            }
            while (last + 1 < VERTICES && is_between(&r, x[last + 1])) {
                last++;
            }
            CHECK_INT(state.thread.index, r.threads[best.thread].index);
            if (last > first) {
                CHECK_INT(state.first_vertex, first);
                CHECK_INT(state.vertex_count, last - first + 1);
            } else { // one alone is held with a neighbour
                CHECK_INT(state.vertex_count, 2);
                CHECK(state.first_vertex == first || state.first_vertex == first - 1);
            }
            taken++;
        } else {
            none++;
        }
        cg_world_destroy(r.world);
    }
    CHECK(taken > 50 && none > 50);
}

// A pad whose top is z = 0, and a hand that points down on it from all heights and at all angles.
TEST(tissue_is_taken_the_same_ways)
{
    const cg_hand_grasp grasps[] = {CG_GRASP_TRIANGLE, CG_GRASP_ARMS};
    for (int g = 0; g < 2; g++) {
        for (int k = 0; k < 7; k++) {
            cg_world *world;
            cg_world_def def = cg_world_def_default();
            cg_tissue_def pad = cg_tissue_def_default();
            cg_hand_def hand = cg_hand_def_default();
            cg_tissue_id tissue;
            cg_hand_id id;
            CHECK_STR(cg_world_create(&def, &world).message, "");
            CHECK_STR(cg_world_add_tissue(world, &pad, &tissue).message, "");
            double height = -1e-3 + 0.7e-3 * k,
                   lowest = -0.5 * hand.jaw_length; // of the tips, or the bottom of the box
            hand.grasp = grasps[g];
            hand.pose.position = v3(0.3e-3, 0.2e-3, height);
            CHECK_STR(cg_world_add_hand(world, &hand, &id).message, "");
            CHECK_STR(cg_hand_close(world, id).message, "");
            bool crosses = height + lowest <= 0 && height - lowest >= 0;
            CHECK_INT(cg_hand_get_state(world, id).node_count > 0, crosses);
            cg_world_destroy(world);
        }
    }
}

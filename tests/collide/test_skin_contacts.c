// Threads on a surface: places against loops over all pairs, hysteresis, and the safe share of a motion against
// sampling in time.
#include "collide/skin_contacts.h"

#include <math.h>
#include <string.h>

#include "geometry/closest.h"
#include "laid_out.h"
#include "surface.h"

enum { POINTS = 40, PAIRS = 60000, CONTACTS = 4000 };

static surface s;
static cg_sphere_tree tree;
static cg_skin_pairs listed, all;
static cg_skin_contact_list found, expected;
static void *memory;
static cg_vec3 points[POINTS], moves[POINTS];
static double arc[POINTS];

static void lay_out(cg_arena *arena, int unused)
{
    (void)unused;
    cg_sphere_tree_layout(&tree, SURFACE_NODES, SURFACE_TRIANGLES, arena);
    cg_skin_pairs_layout(&listed, PAIRS, arena);
    cg_skin_pairs_layout(&all, PAIRS, arena);
    cg_skin_contact_list_layout(&found, CONTACTS, arena);
    cg_skin_contact_list_layout(&expected, CONTACTS, arena);
}

static void start(void)
{
    memory = take_laid_out(lay_out, 0);
}

static void stop(void)
{
    give_laid_out(memory);
}

static void build(void)
{
    cg_triangle_source source = surface_source(&s);
    CHECK(cg_sphere_tree_build(&tree, &source));
}

// Hills and valleys of all sizes, and a chain that winds over them.
static cg_chain random_scene(uint64_t *state, double height)
{
    surface_grid(&s, 12);
    for (int i = 0; i < s.node_count; i++) {
        s.positions[i].z = height * test_random(state, -1, 1);
    }
    build();
    cg_vec3 at = v3(test_random(state, -4, 0), test_random(state, -4, 0), 0);
    for (int i = 0; i < POINTS; i++) {
        points[i] = v3(at.x, at.y, 0.7 * height + test_random(state, -0.1, 0.3));
        arc[i] = 0.25 * i;
        at = v3_add(at, v3(test_random(state, -0.05, 0.25), test_random(state, -0.05, 0.25), 0));
    }
    return (cg_chain){points, POINTS, 0.2, arc, NULL};
}

// Reaches are counted in radii of at most CG_SKIN_THICKEST; the threads here are as thick as if metres were
// millimetres.
static double radii(double count)
{
    return count * 0.2 / cg_skin_counted(0.2);
}

static cg_skin_surface surface_now(void)
{
    return (cg_skin_surface){&tree, s.positions, true};
}

static void list_all(const cg_chain *chain)
{
    all.count = all.lost = 0;
    for (int i = 0; i + 1 < chain->count; i++) {
        for (int t = 0; t < s.triangle_count && all.count < PAIRS; t++) {
            all.items[all.count++] = (cg_skin_pair){0, i, t, 0};
        }
    }
}

static bool has_contact(const cg_skin_contact_list *list, int segment, double t, cg_vec3 place)
{
    for (int i = 0; i < list->count; i++) {
        const cg_skin_contact *c = &list->items[i];
        if (c->segment == segment && fabs(c->t - t) < 1e-6 && v3_distance(c->surface, place) < 1e-6) {
            return true;
        }
    }
    return false;
}

static bool are_same(const cg_skin_contact *a, const cg_skin_contact *b)
{
    return a->segment == b->segment && a->feature == b->feature && a->t == b->t && a->gap == b->gap &&
           memcmp(a->weights, b->weights, sizeof a->weights) == 0 &&
           memcmp(&a->normal, &b->normal, sizeof a->normal) == 0;
}

TEST(lists_give_what_all_pairs_give)
{
    uint64_t state = 17;
    start();
    int contacts = 0, edges = 0;
    for (int round = 0; round < test_count(60, 1000); round++) {
        cg_chain chain = random_scene(&state, test_random(&state, 0.01, 0.6));
        cg_skin_surface skin = surface_now();
        list_all(&chain);
        CHECK(cg_skin_list_pairs(&tree, &chain, 1, 0.6, &listed));
        CHECK(cg_skin_contacts_find(&skin, &chain, &all, 0, radii(2), NULL, &expected));
        CHECK(cg_skin_contacts_find(&skin, &chain, &listed, 0.2, radii(2), NULL, &found));
        CHECK_INT(found.count, expected.count);
        contacts += found.count;
        for (int i = 0; i < found.count && i < expected.count; i++) {
            CHECK(are_same(&found.items[i], &expected.items[i]));
            edges += !skin_is_face(found.items[i].feature);
        }
    }
    CHECK(contacts > 500 && edges > 100);
    stop();
}

// Three chains over the same hills; points of the middle one come and go.
static void split_chain(const cg_chain *whole, const cg_vec3 *middle, int count, cg_chain chains[3])
{
    chains[0] = (cg_chain){points, 10, whole->radius, arc, NULL};
    chains[1] = (cg_chain){middle, count, whole->radius, arc, NULL};
    chains[2] = (cg_chain){points + 30, 10, whole->radius, arc, NULL};
}

// A list that was brought up to date is the one that would be made; what was listed anew reaches `beyond` farther.
static void check_relisted(const cg_skin_change *change, double reach, double beyond)
{
    int plain = 0;
    for (int i = 0; i < listed.count; i++) {
        const cg_skin_pair *pair = &listed.items[i], *before = i > 0 ? pair - 1 : NULL;
        bool is_new = pair->chain == change->chain && pair->segment >= change->first && pair->segment < change->new_end;
        CHECK(before == NULL || before->chain < pair->chain ||
              (before->chain == pair->chain &&
               (before->segment < pair->segment ||
                (before->segment == pair->segment && before->triangle < pair->triangle))));
        double distance = pair->distance + (is_new ? beyond : 0);
        if (distance <= 0.2 + reach) {
            const cg_skin_pair *same = &all.items[plain < all.count ? plain : 0];
            CHECK(same->chain == pair->chain && same->segment == pair->segment && same->triangle == pair->triangle);
            CHECK_NEAR(distance, same->distance, 1e-14);
            plain++;
        }
    }
    CHECK_INT(plain, all.count);
}

TEST(a_list_follows_points_that_come_and_go)
{
    enum { MIDDLE = 20 };
    uint64_t state = 23;
    start();
    for (int round = 0; round < test_count(60, 1000); round++) {
        cg_chain whole = random_scene(&state, test_random(&state, 0.01, 0.6)), chains[3];
        cg_vec3 middle[MIDDLE + 8];
        int before = (int)test_random(&state, 0, 12), more = (int)test_random(&state, -7.99, 7.99);
        int gone = more < 0 ? -more : (int)test_random(&state, 0, 7.99), come = more < 0 ? 0 : gone + more;
        come = come > gone + 8 ? gone + 8 : come;
        int count = MIDDLE - gone + come;
        split_chain(&whole, points + 10, MIDDLE, chains);
        CHECK(cg_skin_list_pairs(&tree, chains, 3, 0.6, &listed));
        for (int i = 0; i < count; i++) {
            bool is_new = i >= before && i < before + come;
            cg_vec3 beside = v3_add(points[10 + before], v3(0.1 * test_random(&state, 0, 1), 0.02 * i, 0));
            middle[i] = is_new ? beside : points[10 + (i < before ? i : i - come + gone)];
        }
        split_chain(&whole, middle, count, chains);
        int first = before > 0 ? before - 1 : 0, behind = MIDDLE - before - gone;
        cg_skin_change change = {1, first, MIDDLE - (behind > 0 ? behind : 1), count - (behind > 0 ? behind : 1)};
        double beyond = round % 2 == 0 ? 0 : test_random(&state, 0, 0.2);
        CHECK(cg_skin_relist_pairs(&tree, chains, &change, beyond, &listed));
        CHECK_NEAR(listed.reach, 0.6, 1e-15);
        CHECK(cg_skin_list_pairs(&tree, chains, 3, 0.6, &all));
        check_relisted(&change, 0.6, beyond);
    }
    stop();
}

static double distance_to_surface(cg_vec3 point, int node)
{
    double least = INFINITY;
    for (int t = 0; t < s.triangle_count; t++) {
        bool has = s.corners[t][0] == node || s.corners[t][1] == node || s.corners[t][2] == node;
        cg_vec3 corners[3];
        surface_triangle(&s, t, NULL, corners);
        least = has ? fmin(least, sqrt(cg_closest_point_triangle(point, corners).squared_distance)) : least;
    }
    return least;
}

// By the definition: no triangle around is nearer, and the chain is not nearer beside it.
TEST(every_place_is_a_least_distance)
{
    uint64_t state = 3;
    start();
    int seen = 0;
    for (int round = 0; round < test_count(40, 500); round++) {
        cg_chain chain = random_scene(&state, test_random(&state, 0.05, 0.6));
        cg_skin_surface skin = surface_now();
        cg_skin_list_pairs(&tree, &chain, 1, 0.6, &listed);
        cg_skin_contacts_find(&skin, &chain, &listed, 0, radii(2), NULL, &found);
        for (int i = 0; i < found.count; i++) {
            const cg_skin_contact *c = &found.items[i];
            const int *nodes = s.corners[skin_triangle(c->feature)];
            double distance = c->gap + chain.radius;
            cg_vec3 place = v3_zero();
            for (int k = 0; k < 3; k++) {
                place = v3_add_scaled(place, c->weights[k], s.positions[nodes[k]]);
            }
            CHECK_NEAR(v3_distance(place, c->surface), 0, 1e-12);
            CHECK_NEAR(v3_distance(v3_add_scaled(place, distance, c->normal), c->point), 0, 1e-9);
            for (int k = 0; k < 3; k++) {
                // Only around the feature: triangles beyond may well be nearer.
                bool is_of_feature = c->weights[k] > 1 - 1e-9;
                CHECK(!is_of_feature || distance_to_surface(c->point, nodes[k]) > distance * (1 - 1e-9));
            }
            if (!skin_is_face(c->feature)) {
                for (int way = -1; way <= 1; way += 2) {
                    double t = c->t + 1e-4 * way;
                    int segment = t < 0 ? c->segment - 1 : t > 1 ? c->segment + 1 : c->segment;
                    t += c->segment - segment;
                    if (segment >= 0 && segment + 1 < chain.count) {
                        cg_vec3 beside = segment_point(points[segment], points[segment + 1], t);
                        CHECK(v3_distance(beside, c->surface) > distance - 1e-9);
                        seen++;
                    }
                }
            }
        }
    }
    CHECK(seen > 100);
    stop();
}

// All segments and all edges that stand out, and all vertices and all faces: what is least must have been found.
TEST(no_least_distance_is_missed)
{
    uint64_t state = 5;
    start();
    int seen = 0, faces = 0;
    for (int round = 0; round < test_count(80, 500); round++) {
        cg_chain chain = random_scene(&state, test_random(&state, 0.05, 0.6));
        cg_skin_surface skin = surface_now();
        cg_skin_list_pairs(&tree, &chain, 1, 0.6, &listed);
        cg_skin_contacts_find(&skin, &chain, &listed, 0, radii(2), NULL, &found);
        for (int t = 0; t < s.triangle_count; t++) {
            cg_vec3 p[3];
            surface_triangle(&s, t, NULL, p);
            for (int i = 0; i < chain.count; i++) {
                cg_triangle_closest at = cg_closest_point_triangle(points[i], p);
                bool is_inside = at.weights[0] > 1e-6 && at.weights[1] > 1e-6 && at.weights[2] > 1e-6;
                bool is_above = v3_dot(triangle_normal(p), v3_sub(points[i], at.on_triangle)) > 0;
                if (is_inside && is_above && sqrt(at.squared_distance) < 0.599) {
                    int last = i == chain.count - 1;
                    CHECK(has_contact(&found, i - last, last, at.on_triangle));
                    faces++;
                }
            }
            for (int u = t + 1; u < s.triangle_count; u++) {
                int shared[2], count = 0;
                for (int k = 0; k < 9; k++) {
                    if (s.corners[t][k / 3] == s.corners[u][k % 3] && count < 2) {
                        shared[count++] = s.corners[t][k / 3];
                    }
                }
                for (int i = 0; count == 2 && i + 1 < chain.count; i++) {
                    cg_vec3 q[3], a = s.positions[shared[0]], b = s.positions[shared[1]];
                    surface_triangle(&s, u, NULL, q);
                    cg_closest at = cg_closest_segments(points[i], points[i + 1], a, b);
                    double squared = at.squared_distance;
                    bool inner = at.s > 1e-6 && at.s < 1 - 1e-6 && at.t > 1e-6 && at.t < 1 - 1e-6;
                    cg_vec3 m = v3_unit_or(triangle_normal(p), v3_zero()),
                            n = v3_unit_or(triangle_normal(q), v3_zero());
                    bool is_sharp = v3_length(v3_cross(m, n)) > 0.03;
                    bool is_above = v3_dot(v3_add(m, n), v3_sub(at.a, at.b)) > 0;
                    bool is_least = cg_closest_point_triangle(at.a, p).squared_distance > squared * (1 - 1e-12) &&
                                    cg_closest_point_triangle(at.a, q).squared_distance > squared * (1 - 1e-12);
                    if (inner && is_sharp && is_above && is_least && squared < 0.599 * 0.599) {
                        CHECK(has_contact(&found, i, at.s, at.b));
                        seen++;
                    }
                }
            }
        }
    }
    CHECK(seen > 40 && faces > 200);
    stop();
}

static bool everything_carried(const void *context, int chain, int segment, int feature)
{
    (void)context;
    return chain == 0 && segment >= 0 && feature >= 0;
}

// A ridge along y, which a thread crosses; lowered until it is a valley.
TEST(an_edge_that_carried_stays_until_it_is_clearly_wrong)
{
    start();
    cg_skin_memory carried = {everything_carried, NULL};
    for (int held = 0; held < 2; held++) {
        int there = 0;
        for (int k = 0; k <= 25; k++) {
            double height = 0.1 - 0.02 * k; // of the ridge at x = 0 over what is 1 beside it
            surface_grid(&s, 6);
            for (int i = 0; i < s.node_count; i++) {
                s.positions[i].z = fabs(s.positions[i].x) < 0.5 ? height : 0;
            }
            build();
            points[0] = v3(-0.6, 0.3, 0.3);
            points[1] = v3(0.7, 0.4, 0.3);
            arc[0] = 0;
            arc[1] = 1.3;
            cg_chain chain = {points, 2, 0.2, arc, NULL};
            cg_skin_surface skin = surface_now();
            cg_skin_list_pairs(&tree, &chain, 1, 3, &listed);
            cg_skin_contacts_find(&skin, &chain, &listed, 0, radii(5), held ? &carried : NULL, &found);
            int on_ridge = 0;
            for (int i = 0; i < found.count; i++) {
                on_ridge += found.items[i].feature % 8 < CG_SKIN_NODE && fabs(found.items[i].surface.x) < 1e-9;
            }
            CHECK(on_ridge <= 1);
            there += on_ridge;
        }
        // New: while it stands out. Carried: down to a slope whose sine is 0.3.
        CHECK_INT(there, held ? 21 : 5);
    }
    stop();
}

// A thread bent over an edge touches it twice, a straight one once.
TEST(places_along_the_thread)
{
    start();
    surface_grid(&s, 6);
    for (int i = 0; i < s.node_count; i++) {
        s.positions[i].z = -2 * fabs(s.positions[i].x);
    }
    build();
    cg_skin_surface skin = surface_now();
    for (int bend = 0; bend < 2; bend++) {
        for (int i = 0; i < 5; i++) {
            double x = 0.15 * (i - 2);
            points[i] = v3(x, 0.4 + 0.1 * x, 0.2 - bend * (i == 2 ? -0.1 : fabs(x)));
            arc[i] = 0.15 * i;
        }
        cg_chain chain = {points, 5, 0.2, arc, NULL};
        cg_skin_list_pairs(&tree, &chain, 1, 1, &listed);
        cg_skin_contacts_find(&skin, &chain, &listed, 0, radii(1), NULL, &found);
        int on_edge = 0;
        for (int i = 0; i < found.count; i++) {
            on_edge += found.items[i].feature % 8 < CG_SKIN_NODE && fabs(found.items[i].surface.x) < 1e-9;
        }
        CHECK_INT(on_edge, bend ? 2 : 1);
    }
    stop();
}

static bool crosses_anything(const cg_chain *chain, double time)
{
    for (int t = 0; t < s.triangle_count; t++) {
        cg_vec3 p[3];
        for (int k = 0; k < 3; k++) {
            p[k] = v3_add_scaled(s.positions[s.corners[t][k]], time, s.moves[s.corners[t][k]]);
        }
        for (int i = 0; i + 1 < chain->count; i++) {
            cg_vec3 a = v3_add_scaled(points[i], time, moves[i]);
            if (v3_distance(a, p[0]) > 4) {
                continue; // neither is so long
            }
            cg_vec3 b = v3_add_scaled(points[i + 1], time, moves[i + 1]);
            if (cg_closest_segment_triangle(a, b, p).squared_distance < 1e-20) {
                return true;
            }
        }
    }
    return false;
}

TEST(no_motion_crosses)
{
    uint64_t state = 11;
    start();
    int stopped = 0, free = 0, would_cross = 0;
    cg_motion_rule rule = cg_skin_motion_rule();
    for (int round = 0; round < test_count(30, 3000); round++) {
        cg_chain chain = random_scene(&state, 0.3);
        for (int i = 0; i < POINTS; i++) {
            points[i].z += 0.8;
            moves[i] = v3_add(v3(0, 0, -0.5 * (round % 3)), random_in_cube(&state, 0.7));
        }
        surface_move(&s, 0.5, 0.2, &state);
        cg_skin_surface skin = surface_now();
        list_all(&chain);
        const cg_vec3 *const chain_moves[1] = {moves};
        cg_skin_motion motion = {chain_moves, s.moves, 0};
        if (crosses_anything(&chain, 0)) {
            continue;
        }
        cg_skin_walk walk = cg_skin_walk_pairs(&skin, &chain, &motion, &all, 0, &rule, 1);
        stopped += walk.share < 1;
        free += walk.share == 1;
        for (int k = 0; k <= 20; k++) {
            CHECK(!crosses_anything(&chain, walk.share * k / 20));
        }
        bool crosses = false;
        for (int k = 0; k <= 20 && !crosses; k++) {
            crosses = crosses_anything(&chain, k / 20.0);
        }
        would_cross += crosses;
        CHECK(!crosses || walk.share < 1);
        CHECK(walk.share == 1 || walk.pair >= 0);
    }
    CHECK(stopped > 10 && free > 2 && would_cross > 8);
    stop();
}

// Halves of a severed vessel that stick where they touch: what they bear, by weight, area and balance.
#include <math.h>
#include <stdlib.h>

#include "alloc_count.h"
#include "base/vec3.h"
#include "catgut/catgut.h"
#include "geometry/triangle.h"
#include "harness.h"
#include "world/world.h"

static const double STRENGTH = 5e3; // [Pa]

typedef struct rig {
    cg_world *world;
    cg_tissue_id vessel;
    double area; // [m2] of one cut end, as made
} rig;

static cg_tissue_def severed_vessel(void)
{
    cg_tissue_def def = cg_tissue_def_default();
    def.shape = CG_TISSUE_VESSEL;
    def.radius = 4e-3;
    def.wall = 1e-3;
    def.length = 16e-3;
    def.gap = 2e-3;
    def.spacing = 1.5e-3;
    def.fix_rim = true;
    def.fix_bottom = false;
    def.iterations = 30;
    def.bond_strength = STRENGTH;
    return def;
}

static double area_of_end(const rig *r)
{
    const cg_vec3 *home = cg_tissue_homes(r->world, r->vessel, NULL);
    double sum = 0;
    for (int t = 0; t < cg_tissue_triangle_count(r->world, r->vessel); t++) {
        int n[3], side;
        cg_tissue_get_triangle(r->world, r->vessel, t, n, &side);
        bool is_cut = cg_tissue_side_name(side)[0] == 'g';
        cg_vec3 twice = v3_cross(v3_sub(home[n[1]], home[n[0]]), v3_sub(home[n[2]], home[n[0]]));
        sum += is_cut && home[n[0]].x > 0 ? 0.5 * v3_length(twice) : 0;
    }
    return sum;
}

static rig make_rig(const cg_tissue_def *def)
{
    rig r;
    cg_world_def world = cg_world_def_default();
    world.max_contacts = 100;
    world.gravity = v3_zero();
    CHECK_STR(cg_world_create(&world, &r.world).message, "");
    CHECK_STR(cg_world_add_tissue(r.world, def, &r.vessel).message, "");
    r.area = area_of_end(&r);
    return r;
}

static void steps(const rig *r, int count)
{
    for (int i = 0; i < count; i++) {
        cg_world_step(r->world);
    }
}

// Moves the held end of the right half, evenly over the next step.
static void move_right(const rig *r, cg_vec3 by)
{
    int count;
    const cg_vec3 *x = cg_tissue_positions(r->world, r->vessel, &count);
    const cg_vec3 *home = cg_tissue_homes(r->world, r->vessel, NULL);
    for (int i = 0; i < count; i++) {
        if (home[i].x > 0 && cg_tissue_is_fixed(r->world, r->vessel, i)) {
            CHECK_STR(cg_tissue_move_fixed(r->world, r->vessel, i, v3_add(x[i], by)).message, "");
        }
    }
}

// Brings the halves together, the right one aside by an offset, until their ends would be this far from each other
// (below 0: pressed) if they did not touch, and lets them come to rest.
static void bring_near(const rig *r, double speed, double offset, double gap)
{
    double way = 0, goal = 2e-3 - gap;
    move_right(r, v3(0, offset, 0));
    steps(r, 300);
    while (way < goal) {
        double next = fmin(speed * 1e-3, goal - way);
        move_right(r, v3(-next, 0, 0));
        way += next;
        steps(r, 1);
    }
    steps(r, 300);
}

static void bring_together(const rig *r, double speed, double offset)
{
    bring_near(r, speed, offset, 0.15e-3);
}

// True when a bond reaches from half to half, and not between the sides of a cut into one of them.
static bool is_across(const rig *r, const cg_tissue_bond *bond)
{
    int n[3];
    cg_tissue_get_triangle(r->world, bond->other, bond->triangle, n, NULL);
    double there = cg_tissue_homes(r->world, bond->other, NULL)[n[0]].x;
    return (cg_tissue_homes(r->world, r->vessel, NULL)[bond->node].x < 0) != (there < 0);
}

// [N] what the bonds do to the left half along x, the sum of their strengths, and how many there are.
static double pull_of_bonds(const rig *r, double *strength, int *count)
{
    const cg_vec3 *home = cg_tissue_homes(r->world, r->vessel, NULL);
    double sum = 0;
    *strength = 0;
    *count = 0;
    for (int i = 0; i < cg_tissue_bond_count(r->world, r->vessel); i++) {
        cg_tissue_bond bond;
        cg_tissue_get_bond(r->world, r->vessel, i, &bond);
        if (is_across(r, &bond)) {
            sum += home[bond.node].x < 0 ? bond.force.x : -bond.force.x;
            *strength += bond.strength;
            ++*count;
        }
    }
    return sum;
}

static bool is_finite(const rig *r)
{
    int count;
    const cg_vec3 *x = cg_tissue_positions(r->world, r->vessel, &count);
    bool finite = true;
    for (int i = 0; i < count; i++) {
        finite = finite && v3_is_finite(x[i]);
    }
    return finite;
}

// Draws the right half away until nothing sticks any more. Returns the largest pull on the way.
static double tear_apart(const rig *r, double speed)
{
    double most = 0, strength;
    int count = 1;
    for (int i = 0; i < 1000 && count > 0; i++) {
        move_right(r, v3(speed * 1e-3, 0, 0));
        steps(r, 1);
        most = fmax(most, pull_of_bonds(r, &strength, &count));
    }
    return most;
}

// The right half hangs on the left one by bonds alone.
static double let_hang(const rig *r)
{
    int count;
    const cg_vec3 *home = cg_tissue_homes(r->world, r->vessel, &count);
    for (int i = 0; i < count; i++) {
        if (home[i].x > 0 && cg_tissue_is_fixed(r->world, r->vessel, i)) {
            CHECK_STR(cg_tissue_fix(r->world, r->vessel, i, false).message, "");
        }
    }
    steps(r, 600);
    return 0.5 * cg_tissue_get_summary(r->world, r->vessel).mass;
}

static double middle_of_right(const rig *r)
{
    int count, found = 0;
    double sum = 0;
    const cg_vec3 *x = cg_tissue_positions(r->world, r->vessel, &count);
    const cg_vec3 *home = cg_tissue_homes(r->world, r->vessel, NULL);
    for (int i = 0; i < count; i++) {
        sum += home[i].x > 0 ? x[i].x : 0;
        found += home[i].x > 0;
    }
    return sum / found;
}

typedef struct approach {
    double speed, offset, gap; // [m/s], [m], [m]
} approach;

TEST(halves_that_touch_stick_and_tear_at_strength_times_area)
{
    const approach ways[6] = {{0.02, 0, 0.15e-3},      {0.2, 0.05e-3, 0.15e-3}, {1, 0, 0.15e-3},
                              {0.1, 0.15e-3, 0.15e-3}, {1, 0, -1e-3},           {3, 0.05e-3, -0.3e-3}};
    for (int k = 0; k < 6; k++) {
        cg_tissue_def def = severed_vessel();
        rig r = make_rig(&def);
        CHECK_INT(cg_tissue_bond_count(r.world, r.vessel), 0);
        bring_near(&r, ways[k].speed, ways[k].offset, ways[k].gap);
        int count;
        double expected = STRENGTH * r.area, strength;
        pull_of_bonds(&r, &strength, &count);
        // All round; but aside by more than half the reach, or aside and shot at it, a node or two hang over the edge.
        CHECK_NEAR(strength, expected, (ways[k].offset > 0.1e-3 || ways[k].speed > 1 ? 0.01 : 1e-9) * expected);
        double most = tear_apart(&r, 0.02);
        CHECK_NEAR(most, expected, 0.05 * expected);
        CHECK_INT(cg_tissue_bond_count(r.world, r.vessel), 0);
        steps(&r, 300);
        CHECK(is_finite(&r));
        CHECK_INT(cg_tissue_bond_count(r.world, r.vessel), 0); // and do not stick by themselves again
        cg_world_stats stats = cg_world_get_stats(r.world);
        CHECK(stats.made_bonds > 0 && stats.made_bonds == stats.broken_bonds);
        cg_world_destroy(r.world);
    }
}

// The half hangs by its bonds in a pull that grows: they carry its weight, do not creep, and let go at strength x area.
TEST(bonds_carry_a_weight_without_creep_and_let_go_above_their_strength)
{
    cg_tissue_def def = severed_vessel();
    def.drag = 50; // so that it comes to rest
    rig r = make_rig(&def);
    bring_together(&r, 0.1, 0);
    double mass = let_hang(&r), most = STRENGTH * r.area / mass, strength;
    int count;
    cg_world_set_gravity(r.world, v3(0.3 * most, 0, 0));
    steps(&r, 1500);
    double weight = 0.3 * most * mass;
    CHECK_NEAR(pull_of_bonds(&r, &strength, &count), weight, 1e-9 * weight);
    for (double load = 0.3; load < 0.8; load += 0.02) {
        cg_world_set_gravity(r.world, v3(load * most, 0, 0));
        steps(&r, 30);
    }
    steps(&r, test_is_sanitized() ? 1000 : 2000);
    double place = middle_of_right(&r);
    uint64_t broken = cg_world_get_stats(r.world).broken_bonds;
    steps(&r, test_count(1000, 20000));
    CHECK_NEAR(middle_of_right(&r), place, 1e-9); // of 8 mm
    CHECK_INT((int)(cg_world_get_stats(r.world).broken_bonds - broken), 0);
    double load = 0.8;
    while (load < 1.5 && cg_tissue_bond_count(r.world, r.vessel) > 0) {
        load += 0.005;
        cg_world_set_gravity(r.world, v3(load * most, 0, 0));
        steps(&r, 40);
    }
    CHECK_NEAR(load, 1, 0.1);
    cg_world_destroy(r.world);
}

// Halves aside of each other: what lies over the wall of the other half sticks, and nothing else.
TEST(halves_that_are_aside_stick_where_they_overlap_only)
{
    const double offsets[2] = {0.6e-3, 2e-3};
    for (int k = 0; k < 2; k++) {
        cg_tissue_def def = severed_vessel();
        rig r = make_rig(&def);
        bring_together(&r, 0.05, offsets[k]);
        int count, bound = 0, inside = 0, missing = 0, outside = 0;
        const cg_vec3 *home = cg_tissue_homes(r.world, r.vessel, &count);
        for (int i = 0; i < count; i++) {
            double across = home[i].y + (home[i].x > 0 ? offsets[k] : -offsets[k]), away = hypot(across, home[i].z);
            bool is_cut = fabs(home[i].x) < 1.001e-3, is_bound = false;
            for (int b = 0; b < cg_tissue_bond_count(r.world, r.vessel); b++) {
                cg_tissue_bond bond;
                cg_tissue_get_bond(r.world, r.vessel, b, &bond);
                is_bound = is_bound || bond.node == i;
            }
            bound += is_bound;
            inside += is_cut && away > 3.1e-3 && away < 3.7e-3;
            missing += is_cut && away > 3.1e-3 && away < 3.7e-3 && !is_bound;
            outside += is_bound && (away < 2.65e-3 || away > 4.3e-3);
        }
        CHECK(inside > 0 && bound < 40);
        CHECK_INT(missing, 0);
        CHECK_INT(outside, 0);
        double strength, all = STRENGTH * r.area, before = pull_of_bonds(&r, &strength, &count);
        CHECK(strength < 0.75 * all && fabs(before) < 0.2 * all);
        double most = tear_apart(&r, 0.02);
        CHECK(most > 0.75 * strength && most < 1.03 * strength);
        cg_world_destroy(r.world);
    }
}

typedef struct motion {
    cg_vec3 momentum, spin; // [kg m/s], [kg m2/s]
    double speed;           // [kg m/s] sum of the sizes
} motion;

static motion motion_of(const rig *r)
{
    motion sum = {0};
    int count;
    const cg_vec3 *x = cg_tissue_positions(r->world, r->vessel, &count);
    const cg_vec3 *v = cg_tissue_velocities(r->world, r->vessel, NULL);
    const double *mass = cg_world_find_tissue(r->world, r->vessel)->mesh->mass;
    for (int i = 0; i < count; i++) {
        sum.momentum = v3_add_scaled(sum.momentum, mass[i], v[i]);
        sum.spin = v3_add_scaled(sum.spin, mass[i], v3_cross(x[i], v[i]));
        sum.speed += mass[i] * v3_length(v[i]);
    }
    return sum;
}

// Stuck, sheared and then free of all that held it: it springs back, and does not begin to turn or to fly.
TEST(sheared_bonds_do_not_drive_what_floats_free)
{
    cg_tissue_def def = severed_vessel();
    def.drag = 0;
    def.iterations = 300;
    rig r = make_rig(&def);
    bring_together(&r, 0.1, 0);
    int bonds = cg_tissue_bond_count(r.world, r.vessel);
    for (int i = 0; i < 100; i++) {
        move_right(&r, v3(0.2e-5, 0.5e-5, 0));
        steps(&r, 1);
    }
    steps(&r, 600);
    CHECK_INT(cg_tissue_bond_count(r.world, r.vessel), bonds);
    int count;
    cg_tissue_positions(r.world, r.vessel, &count);
    for (int i = 0; i < count; i++) {
        cg_tissue_fix(r.world, r.vessel, i, false);
    }
    double fastest = 0;
    for (int i = 0; i < test_count(400, 10000); i++) {
        steps(&r, 1);
        fastest = fmax(fastest, motion_of(&r).speed);
    }
    motion last = motion_of(&r);
    CHECK_INT(cg_tissue_bond_count(r.world, r.vessel), bonds);
    CHECK(v3_length(last.momentum) < 0.02 * fastest);
    CHECK(v3_length(last.spin) < 0.004 * fastest * 8e-3);
    cg_world_destroy(r.world);
}

TEST(bonds_are_state_and_take_no_memory_in_a_step)
{
    cg_tissue_def def = severed_vessel();
    rig r = make_rig(&def), copy = make_rig(&def);
    long before = test_allocations();
    bring_together(&r, 0.1, 0.1e-3);
    CHECK_INT((int)(test_allocations() - before), 0);
    for (int i = 0; i < 50; i++) {
        move_right(&r, v3(2e-5, 0, 0));
        steps(&r, 1);
    }
    size_t size = cg_world_snapshot_size(r.world);
    void *bytes = malloc(size);
    CHECK_STR(cg_world_snapshot(r.world, bytes, size).message, "");
    CHECK_STR(cg_world_restore(copy.world, bytes, size).message, "");
    CHECK_INT(cg_tissue_bond_count(copy.world, copy.vessel), cg_tissue_bond_count(r.world, r.vessel));
    for (int i = 0; i < 100; i++) { // through breaking
        move_right(&r, v3(2e-5, 0, 0));
        move_right(&copy, v3(2e-5, 0, 0));
        steps(&r, 1);
        steps(&copy, 1);
        CHECK(cg_world_state_hash(r.world) == cg_world_state_hash(copy.world));
    }
    CHECK(cg_world_get_stats(r.world).broken_bonds > 0);
    free(bytes);
    cg_world_destroy(r.world);
    cg_world_destroy(copy.world);
}

// Every bond names a triangle of cut surface near its node, and no node sticks twice.
static void check_bonds(const cg_world *world, cg_tissue_id id)
{
    int last = -1;
    for (int i = 0; i < cg_tissue_bond_count(world, id); i++) {
        cg_tissue_bond bond;
        int n[3], side = -1;
        CHECK(cg_tissue_get_bond(world, id, i, &bond));
        CHECK(bond.node > last);
        CHECK(cg_tissue_get_triangle(world, bond.other, bond.triangle, n, &side));
        CHECK_STR(cg_tissue_side_name(side), "groove");
        const cg_vec3 *x = cg_tissue_positions(world, bond.other, NULL);
        const cg_vec3 corners[3] = {x[n[0]], x[n[1]], x[n[2]]};
        cg_vec3 node = cg_tissue_positions(world, id, NULL)[bond.node];
        CHECK(v3_distance(node, triangle_point(corners, bond.weights)) < 0.4e-3);
        CHECK_NEAR(bond.weights[0] + bond.weights[1] + bond.weights[2], 1, 1e-9);
        last = bond.node;
    }
}

static int node_at_right(const rig *r)
{
    int count, node = 0;
    const cg_vec3 *home = cg_tissue_homes(r->world, r->vessel, &count);
    while (node < count && home[node].x < 0) {
        node++;
    }
    return node;
}

// A blade slits the wall across the seam: what still sticks goes on doing so.
TEST(bonds_follow_a_cut_through_the_seam)
{
    cg_tissue_def def = severed_vessel();
    def.max_nodes = 4000;
    rig r = make_rig(&def);
    bring_together(&r, 0.1, 0);
    double strength, all = STRENGTH * r.area;
    int count;
    const cg_vec3 path[2] = {{-4e-3, 0.35e-3, 5e-3}, {3e-3, 0.35e-3, 5e-3}}, down[2] = {{0, 0, -3e-3}, {0, 0, -3e-3}};
    cg_tissue_cut_result cut;
    CHECK_STR(cg_tissue_cut(r.world, r.vessel, path, down, 2, &cut).message, "");
    CHECK(cut.splits > 4 && cut.pieces == 2);
    check_bonds(r.world, r.vessel);
    pull_of_bonds(&r, &strength, &count);
    CHECK(strength > 0.9 * all && strength < 1.001 * all);
    steps(&r, 300);
    check_bonds(r.world, r.vessel);
    CHECK(is_finite(&r));
    double most = tear_apart(&r, 0.02);
    CHECK(most > 0.8 * all && most < 1.05 * all);
    pull_of_bonds(&r, &strength, &count);
    CHECK_INT(count, 0);
    cg_world_destroy(r.world);
}

// The halves as tissues of their own: the bonds reach from one to the other and do what they did.
TEST(bonds_reach_from_tissue_to_tissue)
{
    cg_tissue_def def = severed_vessel();
    rig r = make_rig(&def), whole = make_rig(&def);
    bring_together(&r, 0.1, 0);
    bring_together(&whole, 0.1, 0);
    cg_tissue_id right;
    int bonds = cg_tissue_bond_count(r.world, r.vessel);
    CHECK_STR(cg_world_separate_tissue(r.world, r.vessel, node_at_right(&r), &right).message, "");
    CHECK_INT(cg_tissue_bond_count(r.world, r.vessel), bonds / 2);
    CHECK_INT(cg_tissue_bond_count(r.world, right), bonds / 2);
    rig sides[2] = {r, {r.world, right, r.area}};
    cg_tissue_bond bond;
    CHECK(cg_tissue_get_bond(r.world, right, 0, &bond) && bond.other.index == r.vessel.index);
    double most = 0, expected = STRENGTH * r.area, strength, farthest = 0;
    int count;
    for (int i = 0; i < 1000 && cg_tissue_bond_count(r.world, right) > 0; i++) {
        move_right(&sides[1], v3(2e-5, 0, 0));
        move_right(&whole, v3(2e-5, 0, 0));
        steps(&r, 1);
        steps(&whole, 1);
        most = fmax(most, pull_of_bonds(&sides[0], &strength, &count) + pull_of_bonds(&sides[1], &strength, &count));
        if (i < 40) { // the same motion, but for rounding of the solver
            farthest = fmax(farthest, fabs(middle_of_right(&whole) - middle_of_right(&sides[1])));
        }
    }
    CHECK(farthest < 1e-6);
    CHECK_NEAR(most, expected, 0.1 * expected);
    // A half that is taken away lets go.
    check_bonds(r.world, right);
    CHECK_STR(cg_world_remove_tissue(r.world, right).message, "");
    CHECK_INT(cg_tissue_bond_count(r.world, r.vessel), 0);
    steps(&r, 10);
    CHECK(is_finite(&r));
    cg_world_destroy(r.world);
    cg_world_destroy(whole.world);
}

TEST(what_sticks_all_round_can_be_merged_for_good)
{
    cg_tissue_def def = severed_vessel();
    rig r = make_rig(&def);
    int merged = 0;
    CHECK_INT(cg_tissue_merge_bonds(r.world, r.vessel, &merged).code, CG_BAD_INPUT);
    bring_together(&r, 0.1, 0);
    for (int i = 0; i < 20; i++) { // while it moves
        move_right(&r, v3(1e-5, 0.5e-5, 0));
        steps(&r, 1);
    }
    const cg_mesh *mesh = cg_world_find_tissue(r.world, r.vessel)->mesh;
    int bonds = cg_tissue_bond_count(r.world, r.vessel), nodes = mesh->node_count;
    cg_tissue_summary before = cg_tissue_get_summary(r.world, r.vessel);
    motion moved = motion_of(&r);
    CHECK_STR(cg_tissue_merge_bonds(r.world, r.vessel, &merged).message, "");
    cg_tissue_summary after = cg_tissue_get_summary(r.world, r.vessel);
    CHECK_INT(merged, bonds / 2);
    CHECK_INT(mesh->node_count, nodes - merged);
    CHECK_INT(cg_tissue_bond_count(r.world, r.vessel), 0);
    CHECK_INT(cg_tissue_piece_count(r.world, r.vessel), 1);
    CHECK_STR(cg_mesh_validate(mesh).message, "");
    for (int t = 0; t < mesh->triangle_count; t++) {
        CHECK(mesh->triangles[t].side != CG_SIDE_GROOVE); // nothing of the cut is left
    }
    CHECK_NEAR(after.mass, before.mass, 1e-12 * before.mass);
    CHECK(v3_distance(motion_of(&r).momentum, moved.momentum) < 1e-9 * moved.speed);
    steps(&r, 500);
    CHECK(is_finite(&r));
    for (int i = 0; i < 200; i++) { // 4 mm: far beyond what bonds bear
        move_right(&r, v3(2e-5, 0, 0));
        steps(&r, 1);
    }
    CHECK_INT(cg_tissue_piece_count(r.world, r.vessel), 1);
    CHECK(-cg_tissue_get_summary(r.world, r.vessel).inverted_cells == 0);
    cg_world_destroy(r.world);
}

// Vertices put in and taken out: what must stay does, whatever is marked.
#include "base/trig.h"
#include "thread/roll.h"
#include "thread/spacing.h"
#include "thread_rig.h"

enum { START_VERTICES = 30, ROOM = 400 };

// A smooth curve that turns by about 0.15 rad at each of its vertices.
static void wave(cg_vec3 *points, int count)
{
    for (int i = 0; i < count; i++) {
        double s = 1e-3 * i;
        points[i] = v3(s, 2e-3 * cg_sin(250 * s), 1e-3 * cg_cos(200 * s));
    }
}

static cg_thread_def following_def(const cg_vec3 *points)
{
    cg_thread_def def = cg_thread_def_default();
    def.vertex_count = START_VERTICES;
    def.positions = points;
    def.spacing = (cg_spacing){.follow = true, .fine = 1e-4, .coarse = 2e-3, .max_vertices = ROOM};
    return def;
}

// What an edit has to keep.
typedef struct totals {
    double rest_length, mass, kinetic, elastic, bend, twist;
    cg_vec3 momentum, centre;
} totals;

static totals totals_of(const cg_thread *thread)
{
    totals t = {0};
    for (int i = 0; i < thread->segment_count; i++) {
        t.rest_length += thread->rest_length[i];
    }
    for (int i = 0; i < thread->vertex_count; i++) {
        t.mass += thread->mass[i];
        t.momentum = v3_add_scaled(t.momentum, thread->mass[i], thread->velocity[i]);
        t.centre = v3_add_scaled(t.centre, thread->mass[i], thread->shape.position[i]);
    }
    t.centre = v3_scale(1 / t.mass, t.centre);
    cg_thread_energy energy = cg_thread_energy_of(thread, &thread->shape, v3_zero());
    t.kinetic = energy.kinetic;
    t.bend = energy.bend;
    t.elastic = energy.stretch + energy.bend + energy.twist;
    for (int j = 1; thread->twisting && j < thread->segment_count; j++) {
        t.twist += thread->shape.angle[j] - thread->shape.angle[j - 1] + thread->shape.reference_twist[j];
    }
    return t;
}

static void split(cg_thread *thread)
{
    cg_thread_split_marked(thread);
    cg_thread_shift(thread);
    cg_thread_validate(thread);
}

// Marks any segments. Returns how many.
static int mark_any_splits(cg_thread *thread, double share, cg_split kind, uint64_t *random)
{
    int count = 0;
    cg_spacing_begin(thread);
    for (int i = 0; i < thread->segment_count && thread->vertex_count + count < ROOM; i++) {
        bool wanted = test_random(random, 0, 1) < share;
        thread->mark[i] = wanted ? (unsigned char)kind : 0;
        count += wanted;
    }
    return count;
}

// Marks any vertices that may go, however far from the line of their neighbours, and takes them there.
static int mark_any_merges(cg_thread *thread, double share, uint64_t *random)
{
    int count = 0;
    cg_spacing_begin(thread);
    memset(thread->move, 0, sizeof(cg_vec3) * (size_t)thread->vertex_count);
    for (int i = 1; i + 1 < thread->vertex_count; i++) {
        bool may_go = thread->mark[i - 1] == 0 && !thread->held[i] && thread->added_mass[i] == 0;
        if (test_random(random, 0, 1) < share && may_go) {
            double a = thread->rest_length[i - 1], b = thread->rest_length[i];
            const cg_vec3 *x = &thread->shape.position[i];
            thread->move[i] = v3_sub(v3_add_scaled(x[-1], a / (a + b), v3_sub(x[1], x[-1])), x[0]);
            thread->mark[i] = 1;
            count++;
        }
    }
    cg_thread_shift(thread);
    return count;
}

static void merge(cg_thread *thread)
{
    cg_thread_merge_marked(thread);
    cg_thread_shift(thread);
    cg_thread_validate(thread);
}

static cg_thread *moving_thread(const cg_thread_def *def, uint64_t *random)
{
    cg_thread *thread = make_thread(def);
    for (int i = 0; i < thread->vertex_count; i++) {
        thread->velocity[i] = random_vector(random, 0.1);
    }
    return thread;
}

static void check_kept(const cg_thread *thread, const totals *before)
{
    totals now = totals_of(thread);
    CHECK_NEAR(now.rest_length, before->rest_length, 1e-14 * before->rest_length);
    CHECK_NEAR(now.mass, before->mass, 1e-14 * before->mass);
    CHECK_NEAR(v3_distance(now.momentum, before->momentum), 0, 1e-14 * before->mass);
    CHECK(now.kinetic <= before->kinetic * (1 + 1e-12));
}

TEST(random_splits_and_merges_keep_length_mass_and_momentum)
{
    cg_vec3 points[START_VERTICES];
    wave(points, START_VERTICES);
    cg_thread_def def = following_def(points);
    uint64_t random = 1, version = 0;
    cg_thread *thread = moving_thread(&def, &random);
    for (int round = 0; round < test_count(300, 30000); round++) {
        totals before = totals_of(thread);
        int count = thread->vertex_count, edits;
        if (count < 20 || (count < 300 && test_random_bits(&random) % 2 == 0)) {
            edits = mark_any_splits(thread, 0.3, CG_SPLIT_STRAIGHT, &random);
            split(thread);
            CHECK_INT(thread->vertex_count, count + edits);
            // On their segments, new vertices move nothing.
            CHECK_NEAR(v3_distance(totals_of(thread).centre, before.centre), 0, 1e-15);
        } else {
            edits = mark_any_merges(thread, 0.3, &random);
            before = totals_of(thread);
            merge(thread);
            CHECK_INT(thread->vertex_count, count - edits);
            CHECK_NEAR(v3_distance(totals_of(thread).centre, before.centre), 0, 1e-15);
        }
        version += (uint64_t)edits;
        check_kept(thread, &before);
        CHECK_INT(thread->topology_version, version);
        CHECK_NEAR(thread->arc[thread->vertex_count - 1], before.rest_length, 1e-14);
    }
    cg_thread_destroy(thread);
}

TEST(held_vertices_and_beads_stay_where_they_are)
{
    cg_vec3 points[START_VERTICES];
    wave(points, START_VERTICES);
    cg_thread_def def = following_def(points);
    uint64_t random = 2;
    cg_thread *thread = moving_thread(&def, &random);
    thread->held[7] = true;
    thread->target[7] = v3(1, 2, 3);
    thread->hold_force[7] = v3(4, 5, 6);
    thread->added_mass[21] = 1e-3;
    cg_thread_update_masses(thread);
    double arcs[2] = {thread->arc[7], thread->arc[21]};
    for (int round = 0; round < 40; round++) {
        if (round % 2 == 0) {
            mark_any_splits(thread, 0.3, CG_SPLIT_ROUND, &random);
            split(thread);
        } else {
            mark_any_merges(thread, 0.8, &random);
            merge(thread);
        }
        for (int k = 0; k < 2; k++) {
            double fraction;
            int vertex = cg_thread_segment_at_arc(thread, arcs[k], &fraction);
            vertex += fraction > 0.5;
            CHECK_NEAR(thread->arc[vertex], arcs[k], 1e-15);
            CHECK_NEAR(v3_distance(thread->shape.position[vertex], points[k == 0 ? 7 : 21]), 0, 1e-15);
            CHECK(k == 0 ? thread->held[vertex] : thread->added_mass[vertex] == 1e-3);
            CHECK(k == 1 || (thread->target[vertex].y == 2 && thread->hold_force[vertex].z == 6));
        }
        int held = 0;
        for (int i = 0; i < thread->vertex_count; i++) {
            held += thread->held[i];
        }
        CHECK_INT(held, 1);
    }
    cg_thread_destroy(thread);
}

// On the bend the energy stays; on the segments it grows, as the mathematics of edit.c says.
TEST(a_split_onto_the_bend_keeps_the_bending_energy)
{
    cg_vec3 points[START_VERTICES];
    for (int i = 0; i < START_VERTICES; i++) { // a circle, 0.15 rad a segment
        points[i] = v3(0.01 * cg_cos(0.15 * i), 0.01 * cg_sin(0.15 * i), 0);
    }
    cg_thread_def def = following_def(points);
    for (int straight = 0; straight < 2; straight++) {
        cg_thread *thread = make_thread(&def);
        double before = totals_of(thread).elastic;
        cg_spacing_begin(thread);
        memset(thread->mark, straight ? CG_SPLIT_STRAIGHT : CG_SPLIT_ROUND, (size_t)thread->segment_count);
        cg_thread_split_marked(thread);
        cg_thread_shift(thread);
        double grown = totals_of(thread).elastic / before - 1;
        // All segments halved: every joint is half as long, and has its whole turn or half of it.
        CHECK_NEAR(grown, straight ? 1.0 : 0.0, straight ? 0.01 : 0.04);
        // A free end has no moment, so the last segments are taken to be bent half as much.
        for (int i = 2; i + 2 < thread->vertex_count && !straight; i++) {
            CHECK_NEAR(v3_length(thread->shape.position[i]), 0.01, 2e-6); // of 28e-6 between segment and arc
        }
        cg_thread_destroy(thread);
    }
}

TEST(twist_stays_through_splits_and_merges)
{
    cg_vec3 points[START_VERTICES];
    wave(points, START_VERTICES);
    cg_thread_def def = following_def(points);
    def.ends[CG_START].kind = def.ends[CG_FINISH].kind = CG_END_CLAMPED;
    cg_thread *thread = make_thread(&def);
    cg_end_hold hold = thread->ends[CG_FINISH].hold;
    hold.turn = 9;
    cg_thread_hold_end(thread, CG_FINISH, &hold);
    double torque = thread->shape.torque[3];
    CHECK(torque > 0);
    uint64_t random = 3;
    for (int round = 0; round < 60; round++) {
        if (round % 2 == 0) {
            mark_any_splits(thread, 0.3, CG_SPLIT_STRAIGHT, &random);
            split(thread);
        } else {
            mark_any_merges(thread, 0.3, &random); // moves vertices, and with them the writhe
            torque = thread->shape.torque[0];
            merge(thread);
        }
        for (int j = 0; j < thread->vertex_count; j += 5) {
            CHECK_NEAR(thread->shape.torque[j], torque, 1e-9 * torque);
        }
        torque = thread->shape.torque[0];
    }
    cg_thread_destroy(thread);
}

// A thread that lies as it does at rest has no energy before, and next to none after: measured by what it takes to
// straighten it.
TEST(rest_curvature_stays_through_splits_and_merges)
{
    cg_vec3 points[START_VERTICES], line[START_VERTICES];
    double straightened[2];
    for (int i = 0; i < START_VERTICES; i++) { // a helix
        points[i] = v3(0.01 * cg_cos(0.15 * i), 0.01 * cg_sin(0.15 * i), 2e-4 * i);
        line[i] = v3(1.5e-3 * i, 0, 0);
    }
    cg_thread_def def = following_def(points);
    def.rest_shape = points;
    cg_thread *thread = make_thread(&def);
    CHECK_NEAR(totals_of(thread).elastic, 0, 1e-15);
    def.positions = line;
    cg_thread *straight = make_thread(&def);
    straightened[0] = totals_of(straight).elastic;
    uint64_t random = 4;
    for (int round = 0; round < 6; round++) {
        totals before = totals_of(thread);
        if (round % 2 == 0) {
            uint64_t same = random;
            mark_any_splits(thread, 0.4, CG_SPLIT_ROUND, &random);
            mark_any_splits(straight, 0.4, CG_SPLIT_ROUND, &same);
            split(thread);
            split(straight);
        } else {
            uint64_t same = random;
            mark_any_merges(thread, 0.4, &random);
            mark_any_merges(straight, 0.4, &same);
            merge(thread);
            merge(straight);
        }
        CHECK_NEAR(totals_of(thread).twist, before.twist, 0.02);
        CHECK(totals_of(thread).bend < 0.01 * straightened[0]);
    }
    straightened[1] = totals_of(straight).elastic;
    CHECK_NEAR(straightened[1], straightened[0], 0.05 * straightened[0]);
    cg_thread_destroy(thread);
    cg_thread_destroy(straight);
}

TEST(marks_follow_bends_and_touches_and_settle)
{
    cg_vec3 points[START_VERTICES];
    for (int i = 0; i < START_VERTICES; i++) {
        points[i] = v3(2e-3 * i, 0, 0);
    }
    cg_thread_def def = following_def(points);
    cg_thread *thread = make_thread(&def);
    int rounds = 0, refused = 0, count = 1;
    for (; count > 0 && rounds < 20; rounds++) {
        cg_spacing_begin(thread);
        double fraction;
        int segment = cg_thread_segment_at_arc(thread, 0.03, &fraction);
        cg_spacing_ask_touch(thread, segment, fraction);
        cg_spacing_mark_splits(thread, CG_SPLIT_STRAIGHT);
        count = cg_spacing_fit_splits(thread, &refused);
        split(thread);
    }
    CHECK_INT(refused, 0);
    CHECK(rounds > 4 && rounds < 10);
    for (int i = 0; i < thread->segment_count; i++) {
        double from = thread->arc[i], to = thread->arc[i + 1];
        bool near = to > 0.03 - 3 * def.radius && from < 0.03 + 3 * def.radius;
        CHECK(!near || thread->rest_length[i] <= 1.25e-4);
        CHECK(i == 0 || thread->rest_length[i] <= 2.02 * thread->rest_length[i - 1]);
        CHECK(i == 0 || thread->rest_length[i - 1] <= 2.02 * thread->rest_length[i]);
    }
    CHECK(thread->rest_length[0] == 2e-3 && thread->rest_length[thread->segment_count - 1] > 1.999e-3);
    // The touch stays: nothing may go. It goes: all of it does, by halves.
    cg_spacing_begin(thread);
    double fraction;
    int segment = cg_thread_segment_at_arc(thread, 0.03, &fraction);
    cg_spacing_ask_touch(thread, segment, fraction);
    CHECK_INT(cg_spacing_mark_merges(thread), 0);
    for (int round = 0; round < 30; round++) {
        cg_spacing_begin(thread);
        if (cg_spacing_mark_merges(thread) > 0) {
            cg_thread_shift(thread);
            merge(thread);
        }
    }
    CHECK(thread->vertex_count <= START_VERTICES + 2);
    cg_thread_destroy(thread);
}

// Where friction turns the material, angles do not follow at once: spin and twist have to come through by themselves.
TEST(spin_and_uneven_twist_stay_in_a_rolling_thread)
{
    cg_vec3 points[START_VERTICES];
    wave(points, START_VERTICES);
    cg_thread_def def = following_def(points);
    cg_thread *thread = make_thread(&def);
    cg_roll_start(thread);
    for (int i = 0; i < thread->segment_count; i++) {
        thread->spin[i] = cg_sin(0.3 * i);
        thread->shape.angle[i] = 2 * cg_sin(0.15 * i);
    }
    memset(thread->turn, 0, sizeof(double) * (size_t)thread->segment_count);
    memset(thread->move, 0, sizeof(cg_vec3) * (size_t)thread->vertex_count);
    cg_thread_shift(thread); // measures the torques
    uint64_t random = 5;
    for (int round = 0; round < 8; round++) {
        if (round % 2 != 0) {
            mark_any_merges(thread, 0.3, &random);
        }
        double spin[2] = {0, 0}, energy = cg_thread_energy_of(thread, &thread->shape, v3_zero()).twist;
        totals before = totals_of(thread);
        for (int i = 0; i < thread->segment_count; i++) {
            spin[0] += cg_roll_inertia(thread, i) * thread->spin[i];
        }
        if (round % 2 == 0) {
            mark_any_splits(thread, 0.3, CG_SPLIT_STRAIGHT, &random);
            split(thread);
        } else {
            merge(thread);
        }
        for (int i = 0; i < thread->segment_count; i++) {
            spin[1] += cg_roll_inertia(thread, i) * thread->spin[i];
        }
        CHECK_NEAR(spin[1], spin[0], 1e-13 * cg_roll_inertia(thread, 0));
        CHECK(energy > 0);
        CHECK_NEAR(cg_thread_energy_of(thread, &thread->shape, v3_zero()).twist, energy, 0.05 * energy);
        CHECK_NEAR(totals_of(thread).twist, before.twist, 0.2); // but for the ends, which have no joint
    }
    cg_thread_destroy(thread);
}

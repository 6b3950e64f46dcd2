// Threads cut in two: what must stay does, wherever they are cut.
#include "base/trig.h"
#include "thread/part.h"
#include "thread/roll.h"
#include "thread_rig.h"

enum { VERTICES = 40 };

typedef struct totals {
    double mass, kinetic, elastic;
    cg_vec3 momentum, centre;
} totals;

static void add_totals(const cg_thread *thread, totals *sum)
{
    for (int i = 0; i < thread->vertex_count; i++) {
        sum->mass += thread->mass[i];
        sum->momentum = v3_add_scaled(sum->momentum, thread->mass[i], thread->velocity[i]);
        sum->centre = v3_add_scaled(sum->centre, thread->mass[i], thread->shape.position[i]);
    }
    cg_thread_energy energy = cg_thread_energy_of(thread, &thread->shape, v3_zero());
    sum->kinetic += energy.kinetic;
    sum->elastic += energy.stretch + energy.bend + energy.twist;
}

// A thread of random shape and velocities; every other one with a rest shape, every third with clamped ends.
static cg_thread *random_thread(int number, uint64_t *random)
{
    cg_vec3 points[VERTICES], rest[VERTICES];
    wander(points, VERTICES, 0.2, random);
    wander(rest, VERTICES, 0.1, random);
    cg_thread_def def = cg_thread_def_default();
    def.vertex_count = VERTICES;
    def.positions = points;
    def.rest_shape = number % 2 == 1 ? rest : NULL;
    def.radius = test_random(random, 0.01, 1);
    def.youngs_modulus = 1e3;
    def.damping_time = number % 5 == 1 ? 0.01 : 0;
    for (int e = 0; e < 2 && number % 3 == 0; e++) {
        def.ends[e] = (cg_end_hold){.kind = CG_END_CLAMPED, .direction = {1, 0, 0}, .turn = e};
    }
    cg_thread *thread = make_thread(&def);
    if (number % 4 == 2) {
        cg_roll_start(thread);
    }
    for (int i = 0; i < VERTICES; i++) {
        thread->velocity[i] = random_vector(random, 1);
        thread->added_mass[i] = i % 7 == 3 ? test_random(random, 0, 1) : 0;
    }
    cg_thread_update_masses(thread);
    return thread;
}

static cg_thread *make_spare(const cg_thread *thread)
{
    cg_thread *spare = NULL;
    CHECK(cg_thread_create_spare(thread, &(cg_allocator){0}, &spare).code == CG_OK);
    return spare;
}

static void check_kept(const cg_thread *whole, const cg_vec3 *before, const cg_thread *rest, const cg_thread_cut *cut)
{
    for (int i = 0; i < whole->vertex_count - (cut->last_fraction < 1); i++) {
        CHECK(v3_distance(whole->shape.position[i], before[i]) == 0);
    }
    for (int i = cut->next_fraction > 0; i < rest->vertex_count; i++) {
        CHECK(v3_distance(rest->shape.position[i], before[i + cut->offset]) == 0);
    }
}

TEST(random_cuts_keep_mass_and_momentum_and_win_no_speed)
{
    int cuts = test_count(300, 20000), made = 0;
    uint64_t random = 7;
    for (int k = 0; k < cuts; k++) {
        cg_thread *thread = random_thread(k, &random);
        double whole = thread->arc[VERTICES - 1];
        cg_vec3 before[VERTICES];
        memcpy(before, thread->shape.position, sizeof before);
        totals was = {0}, is = {0};
        add_totals(thread, &was);
        cg_thread *rest = make_spare(thread);
        cg_thread_cut cut;
        if (cg_thread_plan_cut(thread, test_random(&random, 0, whole), &cut)) {
            made++;
            cg_thread_part(thread, &cut, rest);
            cg_thread_validate(thread);
            cg_thread_validate(rest);
            CHECK(cg_thread_check(rest).code == CG_OK);
            add_totals(thread, &is);
            add_totals(rest, &is);
            check_kept(thread, before, rest, &cut);
            CHECK_NEAR(is.mass, was.mass, 1e-12 * was.mass);
            CHECK(v3_distance(is.momentum, was.momentum) < 1e-12 * was.mass);
            CHECK(is.kinetic <= was.kinetic * (1 + 1e-12));
            // Joints beside the cut get stiffer (part.c), a clamp on a single segment twice as much.
            CHECK(is.elastic <= was.elastic * (k % 3 == 0 ? 2.0 : 4.0 / 3));
            CHECK_NEAR(thread->arc[thread->vertex_count - 1], cut.ends[0], 1e-12 * whole);
            CHECK_NEAR(rest->arc[rest->vertex_count - 1], whole - cut.ends[1], 1e-12 * whole);
            cg_vec3 last = thread->shape.position[thread->vertex_count - 1];
            CHECK(cut.ends[1] - cut.ends[0] > 2 * thread->radius);
            CHECK(v3_distance(last, rest->shape.position[0]) > 1.9 * thread->radius);
        }
        cg_thread_destroy(thread);
        cg_thread_destroy(rest);
    }
    CHECK(made > cuts / 2);
}

TEST(a_cut_at_an_end_is_refused)
{
    uint64_t random = 3;
    cg_thread *thread = random_thread(1, &random);
    double whole = thread->arc[VERTICES - 1], r = thread->radius;
    const double arcs[] = {-1, 0, 0.5 * r, whole - 0.5 * r, whole, whole + 1, NAN};
    for (size_t i = 0; i < sizeof arcs / sizeof *arcs; i++) {
        cg_thread_cut cut;
        CHECK(!cg_thread_plan_cut(thread, arcs[i], &cut));
    }
    cg_thread_destroy(thread);
}

// A part of a thread that lies in its rest shape does so, too: without any force.
TEST(a_part_rests_where_the_whole_did)
{
    cg_vec3 points[VERTICES];
    for (int i = 0; i < VERTICES; i++) {
        double turn = 0.2 * i;
        points[i] = v3(0.5 * cg_cos(turn), 0.5 * cg_sin(turn), 0.05 * turn);
    }
    cg_thread_def def = cg_thread_def_default();
    def.vertex_count = VERTICES;
    def.positions = def.rest_shape = points;
    def.radius = 0.01;
    cg_thread *thread = make_thread(&def), *rest = make_spare(thread);
    cg_thread_cut cut;
    CHECK(cg_thread_plan_cut(thread, 0.4 * thread->arc[VERTICES - 1], &cut));
    cg_thread_part(thread, &cut, rest);
    const cg_thread *parts[2] = {thread, rest};
    for (int k = 0; k < 2; k++) {
        cg_thread_energy energy = cg_thread_energy_of(parts[k], &parts[k]->shape, v3_zero());
        CHECK(energy.stretch + energy.bend + energy.twist < 1e-18);
    }
    cg_thread_destroy(thread);
    cg_thread_destroy(rest);
}

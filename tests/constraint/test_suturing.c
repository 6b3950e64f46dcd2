// label: slow
// Contact as complementarity, the suturing constraint, and structures that are driven at random.
#include "constraint/suturing.h"

#include <math.h>
#include <stdio.h>

#include "alloc_count.h"
#include "base/vec3.h"
#include "constraint/bspline.h"
#include "harness.h"
#include "tissue/tissue.h"

enum { NODES = 12, CONTROLS = 20 };

static cg_dae *new_dae(const cg_dae_def *def)
{
    cg_dae *dae = NULL;
    CHECK_INT(cg_dae_create(def, &dae).code, CG_OK);
    return dae;
}

// 55 mm x 55 mm, 1 mm thick, 100 kPa, rim fixed.
static int add_sheet(cg_dae *dae)
{
    cg_tissue_def def = cg_tissue_def_default();
    def.shape = CG_TISSUE_GRID;
    def.model = CG_TISSUE_SHEET;
    def.size = v3(0.055, 0.055, 0);
    def.spacing = 0.055 / (NODES - 1);
    def.layer_count = 1;
    def.layers[0] = (cg_tissue_layer){1e-3, {.young = 1e5, .density = 1000}};
    def.fix_rim = true;
    def.fix_bottom = false;
    cg_allocator allocator = cg_memory_default();
    cg_tissue *tissue = NULL;
    int sheet = -1;
    if (CHECK(cg_tissue_create(&def, &allocator, &tissue).code == CG_OK)) {
        CHECK(cg_dae_add_sheet(dae, tissue->mesh, 5, 5e-3, &sheet).code == CG_OK);
    }
    cg_tissue_destroy(tissue);
    return sheet;
}

// Straight along z at (x, y): from `top` downwards.
static int add_thread(cg_dae *dae, cg_spline_def def, double x, double y, double top)
{
    cg_vec3 controls[CONTROLS];
    double span = def.length / cg_bspline_spans(CONTROLS);
    for (int i = 0; i < CONTROLS; i++) {
        controls[i] = v3(x, y, top - (i - 1) * span);
    }
    def.control_count = CONTROLS;
    def.controls = controls;
    int thread = -1;
    CHECK(cg_dae_add_spline(dae, &def, &thread).code == CG_OK);
    return thread;
}

static int hold_end(cg_dae *dae, int thread, double u, cg_vec3 place)
{
    int hold = -1;
    cg_rows rows = {CG_ROW_MEET, {cg_dae_on_spline(dae, thread, u, 0), cg_dae_given(place)}, 0};
    CHECK(cg_dae_add_rows(dae, &rows, 3, &hold).code == CG_OK);
    return hold;
}

static double fastest_node(cg_dae *dae, int sheet)
{
    double fastest = 0;
    const double *v = cg_dae_velocities(dae) + cg_dae_first_unknown(dae, sheet);
    for (int i = 0; i < 3 * NODES * NODES; i++) {
        fastest = fmax(fastest, fabs(v[i]));
    }
    return fastest;
}

// --- piercing ---

// A stiff thread is pushed down through the sheet, its tip first, at 10 mm/s until it pierces and at 50 mm/s until it
// has left the hole.
// Sanitizers see the same way, shorter, in constraint.structure.a_thread_is_sewn_through_a_sheet_and_drawn_out.
TEST(a_tip_pierces_at_its_threshold_and_the_end_goes_through)
{
    if (test_is_sanitized()) {
        test_skip("too slow under a sanitizer");
        return;
    }
    cg_dae_def def = cg_dae_def_default();
    cg_dae *dae = new_dae(&def);
    int sheet = add_sheet(dae);
    cg_spline_def stiff = cg_spline_def_default();
    stiff.length = 0.05;
    stiff.radius = 0.5e-3;
    stiff.mass_damping = 5;
    stiff.stiffness_damping = 1e-3;
    double x = 0.8e-3, y = 0.6e-3, z = 0.055, h = def.time_step;
    int thread = add_thread(dae, stiff, x, y, z), hold = hold_end(dae, thread, 3, v3(x, y, z));
    CHECK(cg_dae_add_direction(dae, thread, 3, v3(0, 0, -1), 3).code == CG_OK);
    cg_suturing suturing;
    CHECK(cg_suturing_begin(&suturing, dae, thread, CONTROLS, sheet, 0.05).code == CG_OK);
    CHECK(cg_dae_prepare(dae).code == CG_OK);
    double deepest = 0, last_way = INFINITY;
    for (int n = 0; n < 4000 && suturing.ended == 0; n++) {
        double speed = suturing.made == 0 ? -0.01 : -0.05;
        z += speed * h;
        cg_dae_drive(dae, hold, v3(x, y, z), v3(0, 0, speed), v3_zero());
        CHECK(cg_dae_step(dae).code == CG_OK);
        const cg_dae_contact *contacts;
        for (int k = 0; k < cg_dae_get_contacts(dae, &contacts); k++) {
            deepest = fmax(deepest, -contacts[k].gap);
        }
        CHECK(cg_suturing_follow(&suturing, dae).code == CG_OK);
        double way = cg_suturing_way(&suturing, dae); // from the end that is held: it becomes shorter
        CHECK(!(way > last_way + 1e-3));
        last_way = suturing.abscissa >= 0 ? way : last_way;
    }
    CHECK_INT(suturing.made, 1);
    CHECK_INT(suturing.ended, 1);
    CHECK_NEAR(suturing.force / 0.05, 1, 0.1);
    CHECK_NEAR(deepest, 0, 1e-6); // a radius is 5e-4
    CHECK(last_way < 1e-3);
    cg_dae_stats stats = cg_dae_get_stats(dae);
    CHECK_INT(stats.failed_steps, 0);
    CHECK_INT(stats.contact_troubles, 0);
    cg_dae_destroy(dae);
}

// --- drawn through ---

typedef struct stitch {
    cg_dae *dae;
    int sheet, thread, hold, abscissa;
    cg_vec3 top;
} stitch;

// A thread of 0.2 m of 3-0 through a triangle near the middle, 0.14 m below, its upper end held.
static stitch new_stitch(void)
{
    cg_dae_def def = cg_dae_def_default();
    def.keep_factors = true;
    stitch s = {.dae = new_dae(&def)};
    s.sheet = add_sheet(s.dae);
    const cg_sheet *sheet = cg_dae_sheet(s.dae, s.sheet);
    int triangle = 0;
    cg_vec3 middle = v3_zero();
    for (int t = 0; t < sheet->triangle_count; t++) {
        const int *n = sheet->triangles[t];
        cg_vec3 sum = v3_add(sheet->start[n[0]], v3_add(sheet->start[n[1]], sheet->start[n[2]]));
        if (t == 0 || v3_length(sum) < 3 * v3_length(middle)) {
            triangle = t;
            middle = v3_scale(1 / 3.0, sum);
        }
    }
    cg_spline_def def_thread = cg_spline_def_default();
    def_thread.mass_damping = 5;
    def_thread.stiffness_damping = 1e-3;
    s.top = v3(middle.x, middle.y, 0.06);
    s.thread = add_thread(s.dae, def_thread, middle.x, middle.y, s.top.z);
    s.hold = hold_end(s.dae, s.thread, 3, s.top);
    const double weights[3] = {1 / 3.0, 1 / 3.0, 1 / 3.0};
    double u = CG_BSPLINE_FIRST + 0.06 / cg_dae_spline(s.dae, s.thread)->span_length;
    CHECK(cg_dae_add_stitch(s.dae, s.thread, u, s.sheet, triangle, weights, 3, &s.abscissa).code == CG_OK);
    CHECK(cg_dae_prepare(s.dae).code == CG_OK);
    return s;
}

static double way_of(stitch *s)
{
    return cg_dae_places(s->dae)[cg_dae_first_unknown(s->dae, s->abscissa)] *
           cg_dae_spline(s->dae, s->thread)->span_length;
}

// Upwards by 100 mm at 200 mm/s, then held.
static void draw(stitch *s, int steps)
{
    for (int n = 1; n <= steps; n++) {
        double moving = n < 500 ? 1 : 0, height = 2e-4 * (n < 500 ? n : 500);
        cg_dae_drive(s->dae, s->hold, v3(s->top.x, s->top.y, s->top.z + height), v3(0, 0, 0.2 * moving), v3_zero());
        CHECK(cg_dae_step(s->dae).code == CG_OK);
    }
}

TEST(a_thread_drawn_by_100_mm_slides_by_100_mm_and_pulls_alike_on_both_sides)
{
    stitch s = new_stitch();
    cg_part end = cg_dae_on_spline(s.dae, s.thread, CONTROLS, 0);
    cg_dae_push(s.dae, &end, v3(0, 0, -0.05));
    for (int n = 0; n < 500; n++) { // the load comes to rest
        CHECK(cg_dae_step(s.dae).code == CG_OK);
    }
    double before = way_of(&s);
    draw(&s, 1200);
    CHECK_NEAR((way_of(&s) - before) / 0.1, 1, 0.001);
    const cg_spline *spline = cg_dae_spline(s.dae, s.thread);
    double u = cg_dae_places(s.dae)[cg_dae_first_unknown(s.dae, s.abscissa)], pull[2];
    for (int k = 0; k < 2; k++) { // a span before and a span after the hole
        cg_part tangent = cg_dae_on_spline(s.dae, s.thread, floor(u) - 0.5 + 2 * k, 1);
        pull[k] = spline->stretch * (v3_length(cg_dae_part_place(s.dae, &tangent)) / spline->span_length - 1);
    }
    CHECK_NEAR(pull[0] / pull[1], 1, 0.02);
    CHECK_NEAR(pull[1], 0.05, 0.002);
    CHECK_INT(cg_dae_get_stats(s.dae).failed_steps, 0);
    cg_dae_destroy(s.dae);
}

TEST(a_sheet_with_a_stitch_stays_quiet)
{
    stitch s = new_stitch();
    draw(&s, 1800);
    double before = way_of(&s);
    for (int n = 0; n < test_count(500, 10000); n++) {
        CHECK(cg_dae_step(s.dae).code == CG_OK);
        if (n % 100 == 0) {
            CHECK(fastest_node(s.dae, s.sheet) < 1e-5);
        }
    }
    CHECK(fastest_node(s.dae, s.sheet) < 1e-6);
    CHECK_NEAR(way_of(&s), before, 1e-6);
    cg_dae_destroy(s.dae);
}

TEST(a_step_with_contacts_takes_no_memory)
{
    stitch s = new_stitch();
    int pair;
    CHECK(cg_dae_add_tip_contact(s.dae, s.thread, CONTROLS, s.sheet, &pair).code == CG_OK);
    CHECK(cg_dae_prepare(s.dae).code == CG_OK);
    cg_dae_step(s.dae);
    long before = test_allocations();
    draw(&s, 20);
    CHECK_INT(test_allocations() - before, 0);
    cg_dae_destroy(s.dae);
}

// --- edge against edge ---

// A thread falls across another one that is held at both ends, and comes to rest on it.
TEST(a_thread_rests_on_another)
{
    cg_dae_def def = cg_dae_def_default();
    cg_dae *dae = new_dae(&def);
    cg_spline_def thread = cg_spline_def_default();
    thread.length = 0.04;
    thread.radius = 0.5e-3;
    thread.mass_damping = 20;
    thread.control_count = CONTROLS;
    int bodies[2], hold;
    for (int k = 0; k < 2; k++) {
        cg_vec3 controls[CONTROLS];
        double span = thread.length / cg_bspline_spans(CONTROLS);
        for (int i = 0; i < CONTROLS; i++) {
            double along = (i - 1) * span - 0.02;
            controls[i] = k == 0 ? v3(along, 0, 0) : v3(1e-3, along + 1e-5, 3e-3);
        }
        thread.controls = controls;
        CHECK(cg_dae_add_spline(dae, &thread, &bodies[k]).code == CG_OK);
        for (int end = 0; k == 0 && end < 2; end++) {
            double u = end == 0 ? CG_BSPLINE_FIRST : CONTROLS;
            cg_rows rows = {CG_ROW_MEET,
                            {cg_dae_on_spline(dae, bodies[0], u, 0), cg_dae_given(v3(end == 0 ? -0.02 : 0.02, 0, 0))},
                            0};
            CHECK(cg_dae_add_rows(dae, &rows, 3, &hold).code == CG_OK);
        }
    }
    int pair;
    CHECK(cg_dae_add_edge_contact(dae, bodies[1], bodies[0], &pair).code == CG_OK);
    CHECK(cg_dae_prepare(dae).code == CG_OK);
    double deepest = 0, force = 0;
    cg_part middle = cg_dae_on_spline(dae, bodies[1], 11.5, 0);
    for (int n = 0; n < 150; n++) {
        CHECK(cg_dae_step(dae).code == CG_OK);
        const cg_dae_contact *contacts;
        for (int k = 0; k < cg_dae_get_contacts(dae, &contacts); k++) {
            deepest = fmax(deepest, -contacts[k].gap);
        }
        force += n >= 100 ? cg_dae_contact_force(dae, pair) / 50 : 0;
    }
    double weight = cg_dae_spline(dae, bodies[1])->line_density * thread.length * 9.81;
    CHECK_NEAR(deepest, 0, 2e-5);
    CHECK_NEAR(force / weight, 1, 0.05);
    CHECK(cg_dae_part_place(dae, &middle).z > 0.9e-3);
    CHECK_INT(cg_dae_get_stats(dae).failed_steps, 0);
    CHECK_INT(cg_dae_get_stats(dae).contact_troubles, 0);
    cg_dae_destroy(dae);
}

// --- driven at random ---

// The thread's end goes anywhere within 3 cm at up to 1 m/s, with a stitch in the sheet and a chain of two bodies at
// the other end.
TEST(random_steps_stay_sound)
{
    stitch s = new_stitch();
    uint64_t seed = 5;
    cg_part tip = cg_dae_on_spline(s.dae, s.thread, CONTROLS, 0);
    cg_vec3 end = cg_dae_part_place(s.dae, &tip);
    cg_dae_rigid_def box = cg_dae_rigid_def_box(v3(0.004, 0.004, 0.01), 1000);
    int bodies[2], joint;
    for (int k = 0; k < 2; k++) {
        box.position = v3(end.x, end.y, end.z - 0.005 - 0.01 * k);
        CHECK(cg_dae_add_rigid(s.dae, &box, &bodies[k]).code == CG_OK);
    }
    cg_rows tie = {CG_ROW_MEET, {tip, cg_dae_point(s.dae, bodies[0], v3(0, 0, 0.005))}, 0};
    CHECK(cg_dae_add_rows(s.dae, &tie, 3, &joint).code == CG_OK);
    CHECK(cg_dae_add_hinge(s.dae, bodies[0], bodies[1], v3(end.x, end.y, end.z - 0.01), v3(0, 1, 0), 2).code == CG_OK);
    CHECK(cg_dae_prepare(s.dae).code == CG_OK);
    cg_vec3 place = s.top, goal = s.top;
    double worst = 0, speed = 0.1, h = 1e-3;
    bool is_finite = true;
    int prepared = 0;
    for (int n = 0; n < test_count(300, 20000); n++) {
        if (v3_distance(place, goal) < 1e-3) {
            goal = v3_add(s.top, v3(test_random(&seed, -0.03, 0.03), test_random(&seed, -0.03, 0.03),
                                    test_random(&seed, -0.03, 0.03)));
            speed = test_random(&seed, 0.05, 1);
        }
        cg_vec3 way = v3_sub(goal, place);
        double left = v3_length(way), step = fmin(speed * h, left);
        cg_vec3 next = left > 0 ? v3_add_scaled(place, step / left, way) : place;
        cg_dae_drive(s.dae, s.hold, next, v3_scale(1 / h, v3_sub(next, place)), v3_zero());
        place = next;
        CHECK(cg_dae_step(s.dae).code == CG_OK);
        if (cg_dae_get_stats(s.dae).wants_prepare) {
            CHECK(cg_dae_prepare(s.dae).code == CG_OK);
            prepared++;
        }
        double norms[3];
        cg_dae_violations(s.dae, norms);
        worst = fmax(worst, fmax(norms[0], norms[1]));
        for (int i = 0; i < cg_dae_unknown_count(s.dae); i++) {
            is_finite = is_finite && isfinite(cg_dae_places(s.dae)[i]) && isfinite(cg_dae_velocities(s.dae)[i]);
        }
    }
    CHECK(is_finite);
    CHECK(worst < 1e-6);
    CHECK_INT(cg_dae_get_stats(s.dae).failed_steps, 0);
    // Trouble is counted: every step that asked for new pivots is among those, and no others.
    cg_dae_stats stats = cg_dae_get_stats(s.dae);
    printf("%d steps: %d asked for new pivots, %d made in parts, %d ended at rounding; worst violation %g\n",
           (int)stats.steps, (int)stats.pivot_steps, (int)stats.split_steps, (int)stats.stalled_steps, worst);
    CHECK_INT(stats.pivot_steps, prepared);
    CHECK_INT(stats.steps, test_count(300, 20000));
    CHECK(prepared <= test_count(300, 20000) / 1000);
    cg_dae_destroy(s.dae);
}

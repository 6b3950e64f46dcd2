// Sphere trees: building, keeping up, queries, beside the figures of Brown et al., section 3.3. The surfaces are those
// of the experiment sphere_tree.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "app.h"
#include "bench/bench.h"
#include "collide/surface_contacts.h"
#include "experiments/surface_rig.h"
#include "support/json.h"

enum { MOST_ROWS = 40, FOUND = 50000, CONTACTS = 1000 };

static const double SECONDS_EACH = 0.2;

typedef struct sphere_bench {
    cg_surface_rig grid;   // 20,000 triangles
    cg_surface_rig square; // 8,192
    cg_surface_rig ball;   // 1,024
    cg_surface_rig pad;    // another square, that moves
    int steps;             // of the pad
    cg_triangle_list found;
    cg_surface_contact_list contacts;
    cg_surface_contact contact_items[CONTACTS];
    cg_triangle_pair candidate_items[CONTACTS];
    uint64_t state;
    int dents_since_reset;
    cg_bench bench;
    struct sphere_row *rows;
    int row_count;
} sphere_bench;

// One row and what belongs to it.
typedef struct sphere_row {
    sphere_bench *b;
    int dents;         // at once
    bool scans;        // looks for the nodes that moved, instead of being told
    double separation; // of the ball and the square
    long spheres;      // compared, or fitted, in the last sample
    int results;       // triangles deformed, or found
    double published;  // [s] NAN: not
} sphere_row;

// What is timed

static double time_build(void *state)
{
    sphere_row *r = state;
    double begin = cg_thread_cpu_seconds();
    cg_surface_rig_reset(&r->b->grid);
    r->results = r->b->grid.triangle_count;
    return (cg_thread_cpu_seconds() - begin) / r->results;
}

// Dents up and down go on and on; now and then the grid is made flat again, or it would be torn to needles.
static double time_dents(void *state)
{
    sphere_row *r = state;
    sphere_bench *b = r->b;
    if (b->dents_since_reset++ >= 50) {
        cg_surface_rig_reset(&b->grid);
        b->dents_since_reset = 0;
    }
    for (int i = 0; i < r->dents; i++) {
        double reach = cg_surface_rig_random(&b->state, 1, 10);
        cg_surface_rig_dent(&b->grid, reach, 1, i > 0, &b->state);
    }
    r->results = cg_surface_rig_deformed(&b->grid, NULL);
    double begin = cg_thread_cpu_seconds();
    if (r->scans) {
        cg_sphere_tree_mark_moved(&b->grid.tree, b->grid.positions);
        r->spheres = cg_sphere_tree_update(&b->grid.tree, b->grid.positions);
    } else {
        r->spheres = cg_surface_rig_maintain(&b->grid);
    }
    return (cg_thread_cpu_seconds() - begin) / r->results;
}

static double time_all(void *state)
{
    sphere_row *r = state;
    cg_surface_rig *grid = &r->b->grid;
    for (int i = 0; i < grid->node_count; i++) {
        grid->positions[i].z += 0.01;
    }
    r->results = grid->triangle_count;
    double begin = cg_thread_cpu_seconds();
    cg_sphere_tree_mark_moved(&grid->tree, grid->positions);
    r->spheres = cg_sphere_tree_update(&grid->tree, grid->positions);
    return (cg_thread_cpu_seconds() - begin) / r->results;
}

static cg_transform ball_pose(double separation)
{
    return (cg_transform){v3(0.01, 0.02, 1 + separation), quat_identity()};
}

static double time_hit(void *state)
{
    sphere_row *r = state;
    cg_transform pose = ball_pose(r->separation);
    cg_triangle_pair hit;
    double begin = cg_thread_cpu_seconds();
    r->results = cg_sphere_tree_find_hit(&r->b->square.tree, &r->b->ball.tree, &pose, &hit, &r->spheres);
    return cg_thread_cpu_seconds() - begin;
}

// All pairs nearer than a fiftieth of a unit.
static double time_pairs(void *state)
{
    sphere_row *r = state;
    cg_transform pose = ball_pose(r->separation);
    double begin = cg_thread_cpu_seconds();
    cg_sphere_tree_find_pairs(&r->b->square.tree, &r->b->ball.tree, &pose, 0.02, &r->b->found);
    r->spheres = r->b->found.spheres;
    r->results = r->b->found.count;
    return cg_thread_cpu_seconds() - begin;
}

static double time_own(void *state)
{
    sphere_row *r = state;
    double begin = cg_thread_cpu_seconds();
    cg_sphere_tree_find_own_pairs(&r->b->square.tree, 0.02, &r->b->found);
    r->spheres = r->b->found.spheres;
    r->results = r->b->found.count;
    return cg_thread_cpu_seconds() - begin;
}

// A probe of radius 0.3 that stands on the square, slanted.
static double time_capsule(void *state)
{
    sphere_row *r = state;
    const cg_vec3 ends[2] = {{0.1, 0.2, 0.3 + r->separation}, {1.1, 0.5, 4}};
    double begin = cg_thread_cpu_seconds();
    cg_sphere_tree_find_near(&r->b->square.tree, ends, NULL, 0.35, &r->b->found);
    r->spheres = r->b->found.spheres;
    r->results = r->b->found.count;
    return cg_thread_cpu_seconds() - begin;
}

// The same probe pressed on and moved on along the square.
static void press_probe(sphere_row *r, const cg_sphere_tree *tree)
{
    sphere_bench *b = r->b;
    cg_moving_shape probe = {
        .shape = shape_capsule(0.3, 2), .before = {v3(0.1, 0.2, 2.31), quat_identity()}, .after = transform_identity()};
    probe.after = probe.before;
    probe.after.position = v3_add(probe.before.position, v3(0.02, 0.01, -0.02));
    cg_motion_rule rule = motion_rule_default();
    cg_surface_contacts_find(tree, 0.02, &rule, &probe, 1, 0.02, &b->contacts);
    r->spheres = b->contacts.spheres;
    r->results = b->contacts.count;
}

static double time_probe(void *state)
{
    sphere_row *r = state;
    double begin = cg_thread_cpu_seconds();
    press_probe(r, &r->b->square.tree);
    return cg_thread_cpu_seconds() - begin;
}

// With a square whose nodes all go to and fro by a tenth of a unit, 0.0005 a step and each in its own time; the tree
// has a slack of 0.02, so that one node in forty is fitted anew.
static double time_probe_step(void *state)
{
    sphere_row *r = state;
    cg_surface_rig *pad = &r->b->pad;
    r->b->steps++;
    for (int i = 0; i < pad->node_count; i++) {
        pad->positions[i].x = pad->flat[i].x + 0.0005 * abs((r->b->steps + 7 * i) % 400 - 200) - 0.05;
    }
    double begin = cg_thread_cpu_seconds();
    cg_sphere_tree_mark_moved(&pad->tree, pad->positions);
    cg_sphere_tree_update(&pad->tree, pad->positions);
    press_probe(r, &pad->tree);
    return cg_thread_cpu_seconds() - begin;
}

static void leave(void *state)
{
    (void)state;
}

static void add_row(sphere_bench *b, const char *name, double (*sample)(void *), sphere_row row)
{
    sphere_row *r = &b->rows[b->row_count++];
    *r = row;
    r->b = b;
    cg_subject subject = {.sample = sample, .release = leave, .state = r};
    snprintf(subject.name, sizeof subject.name, "sphere_tree/%s", name);
    cg_bench_add(&b->bench, subject);
}

static bool set_up(sphere_bench *b)
{
    b->rows = calloc(MOST_ROWS, sizeof *b->rows);
    b->found = (cg_triangle_list){.capacity = FOUND, .items = malloc(FOUND * sizeof *b->found.items)};
    if (!b->rows || !b->found.items || !cg_surface_rig_grid(&b->grid, 100, 100) ||
        !cg_surface_rig_grid(&b->square, 64, 8) || !cg_surface_rig_grid(&b->pad, 64, 8) ||
        !cg_surface_rig_ball(&b->ball, 17, 32, 1)) {
        return false;
    }
    b->pad.tree.slack = 0.02;
    b->contacts = (cg_surface_contact_list){.items = b->contact_items, .capacity = CONTACTS};
    b->contacts.candidates = (cg_triangle_list){.items = b->candidate_items, .capacity = CONTACTS};
    add_row(b, "build", time_build, (sphere_row){.published = 1e-4});
    add_row(b, "dent", time_dents, (sphere_row){.dents = 1, .published = 6e-5});
    add_row(b, "dents", time_dents, (sphere_row){.dents = 10, .published = 6e-5});
    add_row(b, "dent_searched", time_dents, (sphere_row){.dents = 1, .scans = true, .published = NAN});
    add_row(b, "all", time_all, (sphere_row){.published = NAN});
    static const struct {
        double separation, published;
    } places[] = {{64, NAN},   {8, NAN},      {1, NAN},      {0.3, NAN},   {0.1, NAN}, {0.03, NAN},
                  {0.01, NAN}, {0.001, 0.06}, {-0.01, 0.01}, {-0.3, 0.01}, {-1, 0.01}};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        char name[40];
        snprintf(name, sizeof name, "hit/%g", places[i].separation);
        add_row(b, name, time_hit, (sphere_row){.separation = places[i].separation, .published = places[i].published});
    }
    add_row(b, "pairs/0.01", time_pairs, (sphere_row){.separation = 0.01, .published = NAN});
    add_row(b, "pairs/-0.3", time_pairs, (sphere_row){.separation = -0.3, .published = NAN});
    add_row(b, "capsule", time_capsule, (sphere_row){.published = NAN});
    add_row(b, "probe", time_probe, (sphere_row){.published = NAN});
    add_row(b, "probe_step", time_probe_step, (sphere_row){.published = NAN});
    add_row(b, "own_pairs", time_own, (sphere_row){.published = NAN});
    return true;
}

// What is printed

static void print_table(const sphere_bench *b, const char *machine, FILE *out)
{
    fprintf(out, "%s\n\nthe first five: a triangle that was built or deformed (grid of 20,000); the others: a query\n",
            machine);
    fprintf(out,
            "(ball of 1,024 triangles and its separation from a square of 8,192). Published: 400 MHz Pentium II\n\n");
    fprintf(out, "%-28s %11s %11s %11s %13s %10s %10s\n", "", "median us", "p99 us", "worst us", "published us",
            "spheres", "triangles");
    for (int i = 0; i < b->bench.count; i++) {
        const cg_subject *subject = &b->bench.subjects[i];
        const sphere_row *r = &b->rows[i];
        char published[24] = "-";
        if (isfinite(r->published)) {
            snprintf(published, sizeof published, "%g", 1e6 * r->published);
        }
        fprintf(out, "%-28s %11.4f %11.4f %11.4f %13s %10ld %10d\n", subject->name, 1e6 * subject->median,
                1e6 * subject->p99, 1e6 * subject->worst, published, r->spheres, r->results);
    }
}

static void print_json(const sphere_bench *b, const char *machine, FILE *out)
{
    cg_json json = cg_json_start(out);
    cg_json_begin_object(&json);
    cg_json_string_member(&json, "machine", machine);
    cg_json_name(&json, "results");
    cg_json_begin_array(&json);
    for (int i = 0; i < b->bench.count; i++) {
        const cg_subject *subject = &b->bench.subjects[i];
        const sphere_row *r = &b->rows[i];
        cg_json_begin_line_object(&json);
        cg_json_string_member(&json, "name", subject->name);
        cg_json_number_member(&json, "median_us", 1e6 * subject->median);
        cg_json_number_member(&json, "p99_us", 1e6 * subject->p99);
        cg_json_number_member(&json, "worst_us", 1e6 * subject->worst);
        cg_json_number_member(&json, "published_us", 1e6 * r->published);
        cg_json_number_member(&json, "spheres", (double)r->spheres);
        cg_json_number_member(&json, "triangles", r->results);
        cg_json_end_object(&json);
    }
    cg_json_end_array(&json);
    cg_bench_write_troubles(&b->bench, &json);
    cg_json_end_object(&json);
}

int cg_bench_sphere_tree(bool as_json, const char *machine, FILE *out, FILE *err)
{
    sphere_bench *b = calloc(1, sizeof *b);
    bool good = b && set_up(b);
    if (good) {
        cg_bench_measure(&b->bench, SECONDS_EACH);
        if (b->found.lost != 0 || b->contacts.lost != 0) {
            cg_bench_fail(&b->bench, "sphere_tree", "a list is too short for what was found");
        }
        good = !b->bench.failed;
        (as_json ? print_json : print_table)(b, machine, out);
    } else {
        fputs("catgut bench: sphere_tree: no memory left\n", err);
    }
    if (b) {
        cg_bench_print_troubles(&b->bench, err);
        cg_bench_free(&b->bench);
        cg_surface_rig_free(&b->grid);
        cg_surface_rig_free(&b->square);
        cg_surface_rig_free(&b->ball);
        cg_surface_rig_free(&b->pad);
        free(b->found.items);
        free(b->rows);
    }
    free(b);
    return good ? CG_EXIT_DONE : CG_EXIT_BAD_RESULT;
}

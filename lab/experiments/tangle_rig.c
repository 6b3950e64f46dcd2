#include "experiments/tangle_rig.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "geometry/closest.h"
#include "support/vector.h"

static const double RADIUS = 0.11e-3; // [m] 3-0

static double random_between(cg_tangle *tangle, double low, double high)
{
    tangle->random = tangle->random * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * ((double)(tangle->random >> 11) / 9007199254740992.0);
}

static bool open_world(cg_tangle *tangle)
{
    *tangle = (cg_tangle){.random = 7};
    cg_world_def def = cg_world_def_default();
    def.max_contacts = 400;
    return cg_world_create(&def, &tangle->world).code == CG_OK;
}

static bool add_thread(cg_tangle *tangle, const cg_vec3 *points)
{
    cg_thread_def def = cg_thread_def_default();
    def.radius = RADIUS;
    def.vertex_count = CG_TANGLE_VERTICES;
    def.positions = points;
    int t = tangle->thread_count++;
    return cg_world_add_thread(tangle->world, &def, &tangle->threads[t]).code == CG_OK;
}

bool cg_tangle_open_ball(cg_tangle *tangle)
{
    bool is_good = open_world(tangle);
    cg_vec3 points[CG_TANGLE_VERTICES];
    for (int t = 0; is_good && t < CG_TANGLE_THREADS; t++) {
        for (int i = 0; i < CG_TANGLE_VERTICES; i++) { // a little wave, or they would buckle all one way
            double along = 2 * RADIUS * (i - 0.5 * CG_TANGLE_VERTICES);
            points[i] =
                vec(along, 4 * RADIUS * (t - 2) + 0.5 * RADIUS * sin(0.3 * i + t), RADIUS * cos(0.2 * i + 2 * t));
        }
        is_good = add_thread(tangle, points);
    }
    return is_good;
}

bool cg_tangle_open_inside(cg_tangle *tangle)
{
    bool is_good = open_world(tangle);
    cg_vec3 points[CG_TANGLE_VERTICES];
    for (int t = 0; is_good && t < 2; t++) {
        for (int i = 0; i < CG_TANGLE_VERTICES; i++) {
            double along = 2 * RADIUS * (i - 0.5 * CG_TANGLE_VERTICES), wave = i < 80 ? sin(0.3 * i) : 0.2;
            points[i] = vec(along, t == 0 ? 0 : 2 * RADIUS * wave, t == 0 ? 0 : 0.3 * RADIUS);
        }
        is_good = add_thread(tangle, points);
    }
    return is_good;
}

void cg_tangle_close(cg_tangle *tangle)
{
    cg_world_destroy(tangle->world);
    tangle->world = NULL;
}

// [m/s] and [m]: how fast the centre goes at most, and how far.
static const double FASTEST = 2, FARTHEST = 5e-3;
// [N/m] that a vertex is drawn by, over its distance from the centre: some five times its weight at the rim of the
// ball, where more contacts close than a world has room for.
static const double DRAWN = 0.0002;

void cg_tangle_shake(cg_tangle *tangle)
{
    bool is_far = vec_length(tangle->centre) > FARTHEST;
    if (tangle->steps % 8 == 0 || is_far) {
        cg_vec3 way = vec(random_between(tangle, -1, 1), random_between(tangle, -1, 1), random_between(tangle, -1, 1));
        way = is_far ? vec_scale(-1, tangle->centre) : way;
        tangle->velocity = vec_scale(random_between(tangle, 0, FASTEST), vec_unit(way));
    }
    tangle->centre = vec_add(tangle->centre, vec_scale(1e-3, tangle->velocity));
    for (int t = 0; t < tangle->thread_count; t++) {
        const cg_vec3 *points = cg_thread_positions(tangle->world, tangle->threads[t], NULL);
        for (int i = 0; i < CG_TANGLE_VERTICES; i++) {
            cg_vec3 pull = vec_scale(DRAWN, vec_sub(tangle->centre, points[i]));
            cg_thread_push_vertex(tangle->world, tangle->threads[t], i, pull);
        }
    }
}

void cg_tangle_step(cg_tangle *tangle)
{
    for (int t = 0; t < tangle->thread_count; t++) {
        memcpy(tangle->before[t], cg_thread_positions(tangle->world, tangle->threads[t], NULL),
               sizeof tangle->before[t]);
    }
    cg_world_step(tangle->world);
    tangle->steps++;
}

double cg_tangle_least_move(const cg_tangle *tangle)
{
    double least = INFINITY;
    for (int t = 0; t < tangle->thread_count; t++) {
        const cg_vec3 *points = cg_thread_positions(tangle->world, tangle->threads[t], NULL);
        double most = 0;
        for (int i = 0; i < CG_TANGLE_VERTICES; i++) {
            most = fmax(most, vec_length(vec_sub(points[i], tangle->before[t][i])));
        }
        least = fmin(least, most);
    }
    return least;
}

// The least squared distance of the axes of two threads.
static double least_square(const cg_vec3 *a, const cg_vec3 *b)
{
    double least = INFINITY;
    for (int i = 0; i + 1 < CG_TANGLE_VERTICES; i++) {
        for (int j = 0; j + 1 < CG_TANGLE_VERTICES; j++) {
            least = fmin(least, cg_closest_segments(a[i], a[i + 1], b[j], b[j + 1]).squared_distance);
        }
    }
    return least;
}

double cg_tangle_overlap(const cg_tangle *tangle)
{
    double least = INFINITY;
    for (int t = 0; t < tangle->thread_count; t++) {
        for (int u = 0; u < t; u++) {
            least = fmin(least, least_square(cg_thread_positions(tangle->world, tangle->threads[t], NULL),
                                             cg_thread_positions(tangle->world, tangle->threads[u], NULL)));
        }
    }
    return 1 - sqrt(least) / (2 * RADIUS);
}

cg_knot_setup cg_yank_setup(cg_curve_kind kind, int threads)
{
    cg_knot_setup setup = cg_knot_suture_setup(kind, threads, RADIUS, 0.3);
    setup.world.max_contacts = 300;
    setup.curve.tail = 20e-3;
    return setup;
}

// [m] that each hand yanks, far more than the slack of the knot; [s] until the hands relent; [m/s] how they do.
static const double YANK_WAY = 100e-3, YANK_TIME = 0.3, RELENT_SPEED = 0.1;

bool cg_yank(cg_knot_rig *rig, double speed, int step)
{
    double time = step * rig->setup.world.time_step, since = time - YANK_TIME;
    double way = since <= 0 ? fmin(YANK_WAY, speed * time) : fmax(0, YANK_WAY - RELENT_SPEED * since);
    cg_knot_rig_hold(rig, way);
    return since <= 0;
}

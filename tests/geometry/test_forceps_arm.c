// The nearest point of a forceps' arm against a dense sampling of its surface, which knows nothing of pieces.
#include <math.h>
#include <stdlib.h>

#include "base/trig.h"
#include "geometry/forceps_arm.h"
#include "harness.h"

enum { ACROSS = 240, ALONG = 240 }; // samples of each piece
enum { MOST_SAMPLES = 8 * (ACROSS + 1) * (ALONG + 1) };

typedef struct sampling {
    cg_vec3 *points;
    int count;
    double spacing; // [m] no point of the surface is farther from a sample than this
} sampling;

static const cg_forceps_arm ARMS[] = {
    {0.3e-3, 0.8e-3, 4e-3, 0.5e-3}, {0.5e-3, 0.5e-3, 3e-3, 0.3e-3}, {0.2e-3, 1.6e-3, 1.5e-3, 1.2e-3}};

static void add(sampling *s, cg_vec3 point)
{
    s->points[s->count++] = point;
}

// A flat piece between two rows, the corners of which are given.
static void add_patch(sampling *s, cg_vec3 a, cg_vec3 b, cg_vec3 c, cg_vec3 d)
{
    for (int i = 0; i <= ACROSS; i++) {
        for (int k = 0; k <= ALONG; k++) {
            double u = (double)i / ACROSS, v = (double)k / ALONG;
            cg_vec3 from = v3_add_scaled(v3_scale(1 - u, a), u, b), to = v3_add_scaled(v3_scale(1 - u, d), u, c);
            add(s, v3_add_scaled(v3_scale(1 - v, from), v, to));
        }
    }
}

// u from 0 to pi about the axis, v from 0 to 1 along it: the mantle; the end; and the tip by v from 0 to pi/2.
static void add_round(sampling *s, const cg_forceps_arm *arm, int piece)
{
    for (int i = 0; i <= ACROSS; i++) {
        double sine, cosine;
        cg_sincos(CG_PI * i / ACROSS, &sine, &cosine);
        for (int k = 0; k <= ALONG; k++) {
            double v = (double)k / ALONG, before, round;
            double radius = arm->tip_radius + v * (arm->end_radius - arm->tip_radius), r = arm->tip_radius;
            cg_sincos(0.5 * CG_PI * v, &before, &round);
            if (piece == 0) {
                add(s, v3(radius * cosine, radius * sine, v * arm->length));
            } else if (piece == 1) {
                add(s, v3(v * arm->end_radius * cosine, v * arm->end_radius * sine, arm->length));
            } else if (piece == 2) {
                add(s, v3(r * cosine, r * sine * round, -r * sine * before));
            } else {
                add(s, v3(v * r * cosine, 0, -v * r * sine));
            }
        }
    }
}

static sampling sample(const cg_forceps_arm *arm)
{
    sampling s = {.points = malloc(MOST_SAMPLES * sizeof(cg_vec3))};
    double r = arm->tip_radius, R = arm->end_radius, l = arm->length, d = arm->depth;
    for (int piece = 0; piece < 4; piece++) {
        add_round(&s, arm, piece);
    }
    add_patch(&s, v3(-r, 0, 0), v3(r, 0, 0), v3(R, -d, l), v3(-R, -d, l));
    add_patch(&s, v3(-r, 0, 0), v3(-r, 0, 0), v3(-R, 0, l), v3(-R, -d, l));
    add_patch(&s, v3(r, 0, 0), v3(r, 0, 0), v3(R, 0, l), v3(R, -d, l));
    add_patch(&s, v3(-R, 0, l), v3(R, 0, l), v3(R, -d, l), v3(-R, -d, l));
    double widest = CG_PI * R > l + R ? CG_PI * R : l + R;
    s.spacing = widest / ALONG;
    return s;
}

static double nearest_sample(const sampling *s, cg_vec3 point)
{
    double best = HUGE_VAL;
    for (int i = 0; i < s->count; i++) {
        cg_vec3 apart = v3_sub(s->points[i], point);
        double square = v3_dot(apart, apart);
        best = square < best ? square : best;
    }
    return sqrt(best);
}

// By region, above and below, before, beside and behind; near the surface, far away and inside; and on edges.
static cg_vec3 any_point(uint64_t *random, const cg_forceps_arm *arm, int i)
{
    double far = i % 3 == 0 ? 3 : 1.2, reach = far * (arm->end_radius + arm->depth);
    cg_vec3 p = v3(test_random(random, -reach, reach), test_random(random, -reach, reach),
                   test_random(random, -reach, arm->length + reach));
    p.x = i % 11 == 0 ? 0 : p.x;
    p.y = i % 7 == 0 ? 0 : p.y;
    p.z = i % 5 == 0 ? (i % 2 == 0 ? 0 : arm->length) : p.z;
    return p;
}

TEST(nearest_point_is_that_of_a_dense_sampling)
{
    uint64_t random = 3;
    for (int a = 0; a < 3; a++) {
        sampling s = sample(&ARMS[a]);
        int seen[5] = {0};
        for (int i = 0; i < test_count(150, 3000); i++) {
            cg_vec3 p = any_point(&random, &ARMS[a], i);
            cg_forceps_nearest nearest = cg_forceps_arm_nearest(&ARMS[a], p);
            double sampled = nearest_sample(&s, p);
            CHECK(nearest.distance <= sampled + 1e-12);
            CHECK_NEAR(nearest.distance, sampled, s.spacing);
            CHECK_NEAR(nearest_sample(&s, nearest.point), 0, s.spacing); // it is on the surface
            CHECK_NEAR(v3_distance(nearest.point, p), nearest.distance, 1e-12);
            seen[nearest.piece]++;
        }
        for (int piece = 0; piece < 5; piece++) {
            CHECK(seen[piece] > 0);
        }
        free(s.points);
    }
}

// The text says that a point before the tip, and above, is nearest to the tip. Far from the axis it is not.
TEST(region_alone_does_not_tell_the_piece)
{
    cg_forceps_nearest nearest = cg_forceps_arm_nearest(&ARMS[2], v3(0, 3e-3, -0.1e-3));
    CHECK_INT(nearest.piece, CG_FORCEPS_CONE);
    CHECK(nearest.distance < v3_length(v3(0, 3e-3, -0.1e-3)) - ARMS[2].tip_radius);
}

TEST(inside_and_outside)
{
    uint64_t random = 8;
    int inside = 0;
    for (int i = 0; i < 2000; i++) {
        const cg_forceps_arm *arm = &ARMS[i % 3];
        cg_vec3 p = any_point(&random, arm, i);
        cg_forceps_nearest nearest = cg_forceps_arm_nearest(arm, p);
        bool is_in = cg_forceps_arm_contains(arm, p);
        inside += is_in;
        // A little beyond the surface it is the other way round.
        if (nearest.distance > 1e-5) {
            cg_vec3 beyond = v3_add_scaled(nearest.point, 1e-9 / nearest.distance, v3_sub(nearest.point, p));
            CHECK(!is_in || !cg_forceps_arm_contains(arm, beyond));
            cg_vec3 before = v3_add_scaled(nearest.point, 1e-9 / nearest.distance, v3_sub(p, nearest.point));
            CHECK(cg_forceps_arm_contains(arm, before) == is_in);
        }
    }
    CHECK(inside > 50);
}

#include "support/tube.h"

#include <math.h>
#include <stdlib.h>

#include "support/special.h"
#include "support/vector.h"

// A short straight piece on the picture.
typedef struct cg_tube_stroke {
    double x0, y0, x1, y1; // [px]
    double depth;          // towards the eye [px]
    double light;          // how brightly its flank is lit, 0 to 1
    double line_x, line_y; // [px] of the painted line's middle from the axis
    double line_facing;    // above 0 when the painted line is on this side
    int order;             // as added: breaks ties
    bool is_triangle;      // then its third corner is the next, and `light` its brightness
    double x2, y2;         // [px]
    cg_tube_look look;
} cg_tube_stroke;

cg_tube_camera cg_camera_around(double turn, double lift)
{
    double a = turn * CG_PI / 180, e = lift * CG_PI / 180;
    cg_vec3 back = vec(sin(a) * cos(e), -cos(a) * cos(e), sin(e));
    cg_vec3 right = vec(cos(a), sin(a), 0);
    return (cg_tube_camera){.right = right, .up = vec_cross(back, right), .back = back, .scale = 1};
}

cg_tube_camera cg_camera_of_view(cg_view view)
{
    switch (view) {
    case CG_VIEW_X:
        return (cg_tube_camera){.right = {0, 1, 0}, .up = {0, 0, 1}, .back = {1, 0, 0}, .scale = 1};
    case CG_VIEW_Y:
        return (cg_tube_camera){.right = {1, 0, 0}, .up = {0, 0, 1}, .back = {0, -1, 0}, .scale = 1};
    case CG_VIEW_Z:
        return (cg_tube_camera){.right = {1, 0, 0}, .up = {0, 1, 0}, .back = {0, 0, 1}, .scale = 1};
    case CG_VIEW_ISO:
        break;
    }
    return cg_camera_around(35, 28);
}

cg_vec3 cg_camera_project(const cg_tube_camera *camera, cg_vec3 point)
{
    return vec(camera->x + camera->scale * vec_dot(camera->right, point),
               camera->y - camera->scale * vec_dot(camera->up, point), camera->scale * vec_dot(camera->back, point));
}

void cg_camera_fit(cg_tube_camera *camera, const cg_vec3 *points, int count, double left, double top, double width,
                   double height)
{
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (int i = 0; i < count; i++) {
        double place[2] = {vec_dot(camera->right, points[i]), vec_dot(camera->up, points[i])};
        for (int k = 0; k < 2; k++) {
            low[k] = fmin(low[k], place[k]);
            high[k] = fmax(high[k], place[k]);
        }
    }
    double across = fmax(high[0] - low[0], 1e-12), along = fmax(high[1] - low[1], 1e-12);
    camera->scale = fmin(width / across, height / along);
    camera->x = left + width / 2 - camera->scale * (low[0] + high[0]) / 2;
    camera->y = top + height / 2 + camera->scale * (low[1] + high[1]) / 2;
}

static cg_tube_stroke *next_stroke(cg_tubes *tubes)
{
    if (tubes->count == tubes->capacity) {
        int capacity = tubes->capacity ? 2 * tubes->capacity : 1024;
        cg_tube_stroke *larger = realloc(tubes->strokes, (size_t)capacity * sizeof *larger);
        if (!larger) {
            tubes->failed = true;
            return NULL;
        }
        tubes->strokes = larger;
        tubes->capacity = capacity;
    }
    return &tubes->strokes[tubes->count++];
}

// Brightness of a rod: a rod along the light is dim, a rod across it bright.
static double rod_light(const cg_tube_camera *camera, cg_vec3 tangent)
{
    cg_vec3 light = vec_unit(
        vec_add(vec_add(vec_scale(-0.55, camera->right), vec_scale(0.75, camera->up)), vec_scale(0.6, camera->back)));
    double along = vec_dot(light, tangent);
    return sqrt(fmax(0, 1 - along * along));
}

// Point of the curve between b and c, where a and d are their neighbours (Catmull and Rom).
static cg_vec3 curve_point(cg_vec3 a, cg_vec3 b, cg_vec3 c, cg_vec3 d, double t, double roundness)
{
    double t2 = t * t, t3 = t2 * t;
    double wa = (-t3 + 2 * t2 - t) / 2, wb = (3 * t3 - 5 * t2 + 2) / 2;
    double wc = (-3 * t3 + 4 * t2 + t) / 2, wd = (t3 - t2) / 2;
    cg_vec3 curved = vec_add(vec_add(vec_scale(wa, a), vec_scale(wb, b)), vec_add(vec_scale(wc, c), vec_scale(wd, d)));
    cg_vec3 straight = vec_add(vec_scale(1 - t, b), vec_scale(t, c));
    return vec_add(vec_scale(roundness, curved), vec_scale(1 - roundness, straight));
}

// Where the painted line is seen on a piece at the share t between two points.
static void place_line(cg_tube_stroke *stroke, const cg_tube_camera *camera, const cg_vec3 *directors, double t)
{
    cg_vec3 director = vec_unit(vec_add(vec_scale(1 - t, directors[0]), vec_scale(t, directors[1])));
    stroke->line_x = stroke->look.radius * vec_dot(camera->right, director);
    stroke->line_y = -stroke->look.radius * vec_dot(camera->up, director);
    stroke->line_facing = vec_dot(camera->back, director);
}

bool cg_tubes_add(cg_tubes *tubes, const cg_tube_camera *camera, const cg_vec3 *points, int count, cg_tube_look look)
{
    // Pieces short enough that neighbours meet almost straight, long enough to keep the file small.
    double longest = fmax(4, 0.8 * look.radius);
    for (int i = 0; i + 1 < count; i++) {
        cg_vec3 b = points[i], c = points[i + 1];
        cg_vec3 a = i > 0 ? points[i - 1] : vec_sub(vec_scale(2, b), c);
        cg_vec3 d = i + 2 < count ? points[i + 2] : vec_sub(vec_scale(2, c), b);
        double length = camera->scale * vec_distance(b, c);
        int pieces = look.roundness > 0 ? (int)fmin(64, fmax(1, ceil(length / longest))) : 1;
        cg_vec3 from = b;
        for (int k = 1; k <= pieces; k++) {
            cg_vec3 to = curve_point(a, b, c, d, (double)k / pieces, look.roundness);
            cg_tube_stroke *stroke = next_stroke(tubes);
            if (!stroke) {
                return false;
            }
            cg_vec3 p = cg_camera_project(camera, from), q = cg_camera_project(camera, to);
            *stroke = (cg_tube_stroke){.x0 = p.x,
                                       .y0 = p.y,
                                       .x1 = q.x,
                                       .y1 = q.y,
                                       .depth = (p.z + q.z) / 2,
                                       .order = tubes->count,
                                       .light = rod_light(camera, vec_unit(vec_sub(to, from))),
                                       .look = look};
            if (look.directors) {
                place_line(stroke, camera, look.directors + i, (k - 0.5) / pieces);
            }
            from = to;
        }
    }
    return true;
}

bool cg_tubes_add_triangle(cg_tubes *tubes, const cg_tube_camera *camera, const cg_vec3 corners[3], cg_rgb colour)
{
    cg_vec3 normal = vec_unit(vec_cross(vec_sub(corners[1], corners[0]), vec_sub(corners[2], corners[0])));
    if (!(vec_dot(normal, camera->back) > 0)) {
        return true;
    }
    cg_tube_stroke *stroke = next_stroke(tubes);
    if (!stroke) {
        return false;
    }
    cg_vec3 light = vec_unit(
        vec_add(vec_add(vec_scale(-0.55, camera->right), vec_scale(0.75, camera->up)), vec_scale(0.6, camera->back)));
    cg_vec3 p = cg_camera_project(camera, corners[0]), q = cg_camera_project(camera, corners[1]);
    cg_vec3 r = cg_camera_project(camera, corners[2]);
    *stroke = (cg_tube_stroke){.x0 = p.x,
                               .y0 = p.y,
                               .x1 = q.x,
                               .y1 = q.y,
                               .x2 = r.x,
                               .y2 = r.y,
                               .depth = (p.z + q.z + r.z) / 3,
                               .order = tubes->count,
                               .is_triangle = true,
                               .light = 0.5 + 0.5 * vec_dot(normal, light),
                               .look = {.colour = colour, .opacity = 1}};
    return true;
}

static int farther_first(const void *a, const void *b)
{
    const cg_tube_stroke *left = a, *right = b;
    if (left->depth != right->depth) {
        return left->depth < right->depth ? -1 : 1;
    }
    return left->order - right->order;
}

// Draws the piece, made longer at both ends and moved sideways by `shift` towards the light (upper left).
static void draw_line(FILE *out, const cg_tube_stroke *s, double extension, double shift, double width, cg_rgb colour)
{
    char code[8];
    cg_rgb_code(colour, code);
    double dx = s->x1 - s->x0, dy = s->y1 - s->y0;
    double length = fmax(hypot(dx, dy), 1e-9);
    double tx = dx / length, ty = dy / length;
    double across = 0.59 * ty - 0.81 * tx; // light times normal
    double sx = -shift * across * ty, sy = shift * across * tx;
    fprintf(out, "<path d=\"M%.2f %.2fL%.2f %.2f\" stroke=\"%s\" stroke-width=\"%.2f\"", s->x0 - extension * tx + sx,
            s->y0 - extension * ty + sy, s->x1 + extension * tx + sx, s->y1 + extension * ty + sy, code, width);
    if (s->look.opacity < 1) {
        fprintf(out, " opacity=\"%.3g\"", s->look.opacity);
    }
    fputs("/>\n", out);
}

static void draw_stroke(FILE *out, const cg_tube_stroke *s, double fog)
{
    static const cg_rgb black = {0.05, 0.06, 0.09}, white = {1, 1, 1}, ground = {0.99, 0.985, 0.975};
    double r = s->look.radius;
    cg_rgb base = cg_rgb_mix(s->look.colour, ground, fog);
    cg_rgb edge = cg_rgb_mix(cg_rgb_mix(s->look.colour, black, 0.72), ground, fog);
    cg_rgb core = cg_rgb_mix(cg_rgb_mix(base, black, 0.28), base, s->light);
    // The core reaches over the next stroke's edge, so that only the flanks and crossings keep the dark line.
    draw_line(out, s, 0.15, 0, 2 * r + fmax(1.4, 0.45 * r), edge);
    draw_line(out, s, 0.6 + 0.25 * r, 0, 2 * r, core);
    if (r >= 1.2) {
        cg_rgb shine = cg_rgb_mix(core, white, 0.25 + 0.4 * s->light * s->light);
        draw_line(out, s, 0.6 + 0.25 * r, 0.4 * r, 0.6 * r, shine);
    }
}

// Its own line around it hides the seam to its neighbours.
static void draw_triangle(FILE *out, const cg_tube_stroke *s, double fog)
{
    static const cg_rgb shade = {0.30, 0.14, 0.12}, white = {1, 1, 1}, ground = {0.99, 0.985, 0.975};
    cg_rgb colour = cg_rgb_mix(s->look.colour, shade, 0.62 * (1 - s->light));
    colour = cg_rgb_mix(colour, white, 0.22 * s->light * s->light * s->light);
    char code[8];
    cg_rgb_code(cg_rgb_mix(colour, ground, 0.5 * fog), code);
    fprintf(out, "<path d=\"M%.1f %.1fL%.1f %.1fL%.1f %.1fz\" fill=\"%s\" stroke=\"%s\" stroke-width=\"0.6\"/>\n",
            s->x0, s->y0, s->x1, s->y1, s->x2, s->y2, code, code);
}

// The painted line, where it faces the eye; seen at a slant it gets thinner. It reaches as far as the core does, which
// would cover its ends otherwise.
static void draw_painted_line(FILE *out, const cg_tube_stroke *s, double side, double fog)
{
    static const cg_rgb ground = {0.99, 0.985, 0.975};
    double facing = side * s->line_facing, r = s->look.radius;
    if (!s->look.directors || facing < 0.12) {
        return;
    }
    char code[8];
    cg_rgb_code(cg_rgb_mix(s->look.line_colour, ground, fog), code);
    double dx = 0.5 * (s->x1 - s->x0), dy = 0.5 * (s->y1 - s->y0), length = fmax(hypot(dx, dy), 1e-9);
    double longer = 1 + (0.6 + 0.25 * r) / length;
    double x = 0.5 * (s->x0 + s->x1) + 0.82 * side * s->line_x, y = 0.5 * (s->y0 + s->y1) + 0.82 * side * s->line_y;
    fprintf(out, "<path d=\"M%.2f %.2fL%.2f %.2f\" stroke=\"%s\" stroke-width=\"%.2f\"/>\n", x - longer * dx,
            y - longer * dy, x + longer * dx, y + longer * dy, code, r * (0.2 + 0.4 * facing));
}

void cg_tubes_draw(cg_tubes *tubes, FILE *out)
{
    if (tubes->count > 0) {
        qsort(tubes->strokes, (size_t)tubes->count, sizeof *tubes->strokes, farther_first);
        double far = tubes->strokes[0].depth, near = tubes->strokes[tubes->count - 1].depth;
        fputs("<g fill=\"none\" stroke-linecap=\"butt\">\n", out);
        for (int i = 0; i < tubes->count; i++) {
            // Things far away fade a little; a flat scene does not.
            double fog = near - far > 1 ? 0.22 * (near - tubes->strokes[i].depth) / fmax(near - far, 120) : 0;
            if (tubes->strokes[i].is_triangle) {
                draw_triangle(out, &tubes->strokes[i], fog);
                continue;
            }
            draw_stroke(out, &tubes->strokes[i], fog);
            draw_painted_line(out, &tubes->strokes[i], 1, fog);
            draw_painted_line(out, &tubes->strokes[i], -1, fog);
        }
        fputs("</g>\n", out);
    }
    free(tubes->strokes);
    *tubes = (cg_tubes){0};
}

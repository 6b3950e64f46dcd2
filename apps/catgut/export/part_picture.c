#include "export/part_picture.h"

#include <math.h>

#include "support/special.h"
#include "support/vector.h"

const cg_rgb CG_STEEL = {0.62, 0.65, 0.69};
static const double THINNEST = 1.0; // [px] radius

static cg_vec3 turn(cg_quat q, cg_vec3 v)
{
    cg_vec3 axis = {q.x, q.y, q.z}, twice = vec_scale(2, vec_cross(axis, v));
    return vec_add(vec_add(v, vec_scale(q.w, twice)), vec_cross(axis, twice));
}

static cg_vec3 place(const cg_rigid_part *part, cg_vec3 point)
{
    return vec_add(part->pose.position, turn(part->pose.rotation, point));
}

void cg_part_axis(const cg_rigid_part *part, cg_vec3 ends[2])
{
    const cg_shape *shape = &part->shape;
    double half = shape->kind == CG_SHAPE_CAPSULE  ? shape->half_length
                  : shape->kind == CG_SHAPE_SPHERE ? shape->radius
                                                   : shape->half_extents.z;
    ends[0] = place(part, vec(0, 0, -half));
    ends[1] = place(part, vec(0, 0, half));
}

// Strokes end flat: they reach into the round ends by half a radius.
static void draw_capsule(const cg_rigid_part *part, const cg_tube_camera *camera, cg_tubes *tubes)
{
    double half = part->shape.half_length + 0.5 * part->shape.radius;
    cg_vec3 ends[2] = {place(part, vec(0, 0, -half)), place(part, vec(0, 0, half))};
    cg_tube_look look = {
        .colour = CG_STEEL, .radius = fmax(part->shape.radius * camera->scale, THINNEST), .opacity = 1, .roundness = 1};
    cg_tubes_add(tubes, camera, ends, 2, look);
}

static void draw_quad(const cg_rigid_part *part, const cg_vec3 corners[4], const cg_tube_camera *camera,
                      cg_tubes *tubes)
{
    cg_vec3 at[4];
    for (int i = 0; i < 4; i++) {
        at[i] = place(part, corners[i]);
    }
    cg_tubes_add_triangle(tubes, camera, (cg_vec3[3]){at[0], at[1], at[2]}, CG_STEEL);
    cg_tubes_add_triangle(tubes, camera, (cg_vec3[3]){at[0], at[2], at[3]}, CG_STEEL);
}

// Each side from the one across x, y or z by going round the axes.
static void draw_box(const cg_rigid_part *part, const cg_tube_camera *camera, cg_tubes *tubes)
{
    double h[3] = {part->shape.half_extents.x, part->shape.half_extents.y, part->shape.half_extents.z};
    for (int side = 0; side < 6; side++) {
        static const double round[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
        int across = side / 2;
        double sign = side % 2 ? 1 : -1;
        cg_vec3 corners[4];
        for (int i = 0; i < 4; i++) {
            double at[3];
            at[across] = sign * h[across];
            at[(across + 1) % 3] = sign * round[i][0] * h[(across + 1) % 3];
            at[(across + 2) % 3] = round[i][1] * h[(across + 2) % 3];
            corners[i] = vec(at[0], at[1], at[2]);
        }
        draw_quad(part, corners, camera, tubes);
    }
}

static cg_vec3 on_ball(double radius, int meridian, int parallel, int meridians, int parallels)
{
    double a = 2 * CG_PI * meridian / meridians, e = CG_PI * ((double)parallel / parallels - 0.5);
    return vec(radius * cos(e) * cos(a), radius * cos(e) * sin(a), radius * sin(e));
}

static void draw_ball(const cg_rigid_part *part, const cg_tube_camera *camera, cg_tubes *tubes)
{
    enum { MERIDIANS = 24, PARALLELS = 12 };
    for (int i = 0; i < MERIDIANS * PARALLELS; i++) {
        int m = i % MERIDIANS, p = i / MERIDIANS;
        cg_vec3 corners[4];
        for (int k = 0; k < 4; k++) {
            corners[k] = on_ball(part->shape.radius, m + (k == 1 || k == 2), p + k / 2, MERIDIANS, PARALLELS);
        }
        draw_quad(part, corners, camera, tubes);
    }
}

void cg_part_draw(const cg_rigid_part *part, const cg_tube_camera *camera, cg_tubes *tubes)
{
    switch (part->shape.kind) {
    case CG_SHAPE_CAPSULE:
        draw_capsule(part, camera, tubes);
        break;
    case CG_SHAPE_SPHERE:
        draw_ball(part, camera, tubes);
        break;
    case CG_SHAPE_BOX:
        draw_box(part, camera, tubes);
        break;
    case CG_SHAPE_HALF_SPACE:
        break;
    }
}

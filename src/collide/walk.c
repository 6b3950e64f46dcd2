// Conservative walks. See collide/safe_motion.h for the bounds.
//
// In the axes of a turning shape a point is at x = R^T y, y = p - c its place from the shape's centre, which moves by
// w:
//     x'  = R^T (w - omega x y)
//     x'' = R^T (-2 omega x w + omega x (omega x y) - omega' x y),
// so |x''| <= B = 2 omega |w| + (omega^2 + |omega'|) |y|. quat_nlerp turns about a fixed axis by the angle
// 4 atan(k (2 T - 1)) up to a constant, k = tan(angle / 4): omega <= 4 k and |omega'| <= 16 k^3.
// By shares of a turn it is the same all the way.
//
// A point that is itself carried by a turning body bends its own path too: with a its arm there, p'' is bounded by
// (omega_a^2 + |omega_a'|) |a|, which is added to B, and w by the difference of the shifts and omega_a |a|.
#include "collide/walk.h"

#include "geometry/closest.h"
#include "geometry/triangle.h"

// "No approach" is meant up to this share of d.
#define ROUNDING 1e-12

cg_walk_levels cg_walk_levels_for(const cg_motion_rule *rule, double start, double d, bool is_signed)
{
    if (start < rule->freeze * d) {
        // Between two looks the distance may dip by the margin; where the motion ends it is looked at again. A distance
        // without a sign must not dip to the other side.
        double margin = 0.0005 * d;
        if (!is_signed && 0.01 * start < margin) {
            margin = 0.01 * start;
        }
        return (cg_walk_levels){start - ROUNDING * d, margin, true};
    }
    double threshold = rule->keep * d;
    if (start - rule->give * d < threshold) {
        threshold = start - rule->give * d;
    }
    double margin = 0.001 * d, room = 0.25 * (start - threshold);
    margin = room < margin ? room : margin;
    return (cg_walk_levels){threshold + margin, margin, false};
}

// The time after which h + rate T - bend T^2 / 2 is down at `level`; 0 when it is below already, or infinite.
static double time_to_level(double h, double rate, double bend, double level)
{
    double height = h - level;
    if (!(height > 0)) {
        return 0;
    }
    // The larger root of bend T^2 / 2 - rate T - height = 0, by whichever form does not cancel.
    double root = sqrt(rate * rate + 2 * bend * height);
    if (rate < 0) {
        return 2 * height / (root - rate);
    }
    return bend > 0 ? (rate + root) / bend : INFINITY;
}

// How far the next look is.
typedef struct pace {
    double shortest; // a step so short that the distance cannot dip by more than the margin on the way
    double longest;  // halved whenever a look found the distance below the level
} pace;

static double next_look(const pace *p, double reached, double stride, double limit)
{
    double step = stride > p->shortest ? stride : p->shortest;
    step = step < p->longest ? step : p->longest;
    return reached + step < limit ? reached + step : limit;
}

// After a look at a distance `step` ahead that was below the level: true when it is worth while to look nearer.
static bool look_nearer(pace *p, double step)
{
    p->longest = 0.5 * step;
    return p->longest > 0.1 * p->shortest;
}

// Two segments, or a point or a segment and a triangle

static cg_vec3 at(cg_vec3 point, cg_vec3 move, double time)
{
    return v3_add_scaled(point, time, move);
}

cg_sides_closest cg_moving_sides_closest(const cg_moving_sides *sides, double time)
{
    cg_vec3 a[3], b[3];
    for (int i = 0; i < sides->count_a; i++) {
        a[i] = at(sides->a[i], sides->move_a[i], time);
    }
    for (int i = 0; i < sides->count_b; i++) {
        b[i] = at(sides->b[i], sides->move_b[i], time);
    }
    if (sides->count_b == 3) {
        cg_triangle_closest closest =
            sides->count_a == 1 ? cg_closest_point_triangle(a[0], b) : cg_closest_segment_triangle(a[0], a[1], b);
        return (cg_sides_closest){closest.point, closest.on_triangle, closest.squared_distance};
    }
    cg_closest closest = cg_closest_segments(a[0], a[1], b[0], b[1]);
    return (cg_sides_closest){closest.a, closest.b, closest.squared_distance};
}

double cg_moving_sides_distance(const cg_moving_sides *sides, double time)
{
    return sqrt(cg_moving_sides_closest(sides, time).squared_distance);
}

double cg_moving_sides_speed(const cg_moving_sides *sides)
{
    double largest = 0;
    for (int i = 0; i < sides->count_a; i++) {
        for (int j = 0; j < sides->count_b; j++) {
            cg_vec3 relative = v3_sub(sides->move_b[j], sides->move_a[i]);
            double squared = v3_dot(relative, relative);
            largest = squared > largest ? squared : largest;
        }
    }
    return sqrt(largest);
}

// How long the two are certainly above the level from `time` on, where their closest points are those given.
static double sides_stride(const cg_moving_sides *sides, const cg_sides_closest *closest, double time, double speed,
                           double level)
{
    double distance = sqrt(closest->squared_distance);
    double by_speed = time_to_level(distance, -speed, 0, level);
    cg_vec3 n = v3_unit_or(v3_sub(closest->b, closest->a), v3_zero());
    double by_direction = INFINITY;
    for (int i = 0; i < sides->count_a; i++) {
        for (int j = 0; j < sides->count_b; j++) {
            cg_vec3 between = v3_sub(at(sides->b[j], sides->move_b[j], time), at(sides->a[i], sides->move_a[i], time));
            double rate = v3_dot(n, v3_sub(sides->move_b[j], sides->move_a[i]));
            double stride = time_to_level(v3_dot(n, between), rate, 0, level);
            by_direction = stride < by_direction ? stride : by_direction;
        }
    }
    return by_speed > by_direction ? by_speed : by_direction;
}

cg_walk cg_walk_sides(const cg_moving_sides *sides, const cg_sides_closest *start, double speed,
                      const cg_walk_levels *levels, double limit, int max_looks)
{
    cg_walk walk = {0, 0, false};
    if (!(speed > 0)) {
        walk.reached = limit;
        return walk;
    }
    pace p = {2 * levels->margin / speed, INFINITY};
    cg_sides_closest closest = *start;
    while (walk.reached < limit) {
        if (walk.looks == max_looks) {
            walk.is_cut_off = true;
            break;
        }
        double stride = sides_stride(sides, &closest, walk.reached, speed, levels->level);
        if (stride >= limit - walk.reached && !levels->is_frozen) {
            walk.reached = limit;
            break;
        }
        double next = next_look(&p, walk.reached, stride, limit);
        cg_sides_closest seen = cg_moving_sides_closest(sides, next);
        walk.looks++;
        if (!(seen.squared_distance < levels->level * levels->level)) {
            walk.reached = next;
            closest = seen;
        } else if (!look_nearer(&p, next - walk.reached)) {
            break;
        }
    }
    return walk;
}

// A segment or a triangle, and a shape

cg_transform cg_moving_shape_pose(const cg_moving_shape *shape, double time)
{
    cg_vec3 shift = v3_sub(shape->after.position, shape->before.position);
    cg_quat rotation = shape->by_turn
                           ? quat_multiply(quat_from_vector(v3_scale(time, shape->turn)), shape->before.rotation)
                           : quat_nlerp(shape->before.rotation, shape->after.rotation, time);
    return (cg_transform){v3_add_scaled(shape->before.position, time, shift), rotation};
}

// Angular velocity at T in world axes: 2 q' q^*, q' the part across q of the straight way from one end to the other.
static cg_vec3 spin_at(const cg_moving_shape *shape, double time)
{
    if (shape->by_turn) {
        return shape->turn;
    }
    cg_quat p = shape->before.rotation, r = shape->after.rotation;
    double s = quat_dot(p, r) < 0 ? -1 : 1;
    cg_quat way = quat(s * r.x - p.x, s * r.y - p.y, s * r.z - p.z, s * r.w - p.w);
    cg_quat q = quat(p.x + time * way.x, p.y + time * way.y, p.z + time * way.z, p.w + time * way.w);
    double squared = quat_dot(q, q);
    cg_quat product = quat_multiply(way, quat_conjugate(q));
    return v3_scale(2 / squared, v3(product.x, product.y, product.z));
}

cg_shape_motion cg_shape_motion_of(const cg_moving_shape *shape)
{
    if (shape->by_turn) {
        return (cg_shape_motion){shape, v3_sub(shape->after.position, shape->before.position), v3_length(shape->turn),
                                 0, shape->turn};
    }
    cg_quat p = shape->before.rotation, r = shape->after.rotation;
    double cosine = fabs(quat_dot(p, r)); // of half the angle
    cosine = cosine < 1 ? cosine : 1;
    double s = quat_dot(p, r) < 0 ? -1 : 1;
    cg_quat way = quat(s * r.x - p.x, s * r.y - p.y, s * r.z - p.z, s * r.w - p.w);
    // tan(angle / 4) = sqrt((1 - cosine) / (1 + cosine)); 1 - cosine from the chord, which keeps small angles.
    double k = sqrt(0.5 * quat_dot(way, way) / (1 + cosine));
    return (cg_shape_motion){shape, v3_sub(shape->after.position, shape->before.position), 4 * k, 16 * k * k * k,
                             spin_at(shape, 0)};
}

// B of the top of the file for a point at y that moves by w.
static double path_bend(const cg_shape_motion *motion, double w, double y)
{
    return 2 * motion->turn * w + (motion->turn * motion->turn + motion->turn_change) * y;
}

double cg_shape_motion_bound(const cg_shape_motion *motion, cg_vec3 point, cg_vec3 move, double radius, double spread)
{
    cg_vec3 y = v3_sub(point, motion->shape->before.position), w = v3_sub(move, motion->shift);
    double speed = v3_length(v3_sub(w, v3_cross(motion->spin_at_zero, y))) + spread + motion->turn * radius;
    double far = v3_length(y) + v3_length(w) + radius + spread;
    return speed + 0.5 * path_bend(motion, v3_length(w) + spread, far);
}

// A segment or a triangle by its corners, and how they move: along straight lines, or as points of a body.
typedef struct corners {
    const cg_vec3 *points; // of the world; of a body in its axes
    const cg_vec3 *moves;
    int count;                      // 2 or 3
    const cg_shape_motion *carrier; // the body; NULL: none
} corners;

// A corner and its velocity at one moment.
typedef struct moving_point {
    cg_vec3 place, speed;
} moving_point;

static moving_point corner_at(const corners *c, int i, double time)
{
    if (c->carrier == NULL) {
        return (moving_point){at(c->points[i], c->moves[i], time), c->moves[i]};
    }
    const cg_shape_motion *carrier = c->carrier;
    cg_transform pose = cg_moving_shape_pose(carrier->shape, time);
    cg_vec3 arm = quat_rotate(pose.rotation, c->points[i]);
    cg_vec3 turning = v3_cross(spin_at(carrier->shape, time), arm);
    return (moving_point){v3_add(pose.position, arm), v3_add(carrier->shift, turning)};
}

// Bounds of a corner over the whole motion: its speed against the shape's shift, its distance from the shape's centre,
// and how much its own path bends.
typedef struct corner_bounds {
    double w, y, bend;
} corner_bounds;

static corner_bounds bounds_of(const cg_shape_motion *motion, const corners *c, int i)
{
    if (c->carrier == NULL) {
        double w = v3_length(v3_sub(c->moves[i], motion->shift));
        return (corner_bounds){w, v3_distance(c->points[i], motion->shape->before.position) + w, 0};
    }
    const cg_shape_motion *carrier = c->carrier;
    double arm = v3_length(c->points[i]), apart = v3_length(v3_sub(carrier->shift, motion->shift));
    double between = v3_distance(carrier->shape->before.position, motion->shape->before.position);
    return (corner_bounds){apart + carrier->turn * arm, between + apart + arm,
                           (carrier->turn * carrier->turn + carrier->turn_change) * arm};
}

// The corners in the axes of the shape at one moment.
typedef struct shape_view {
    cg_vec3 ends[3], speeds[3];
    cg_shape_distance nearest;
} shape_view;

static shape_view look_at_shape(const cg_shape_motion *motion, const corners *c, double time)
{
    cg_transform pose = cg_moving_shape_pose(motion->shape, time);
    cg_vec3 spin = spin_at(motion->shape, time);
    shape_view view;
    for (int i = 0; i < c->count; i++) {
        moving_point corner = corner_at(c, i, time);
        cg_vec3 y = v3_sub(corner.place, pose.position);
        cg_vec3 w = v3_sub(corner.speed, motion->shift);
        view.ends[i] = transform_vector_back(pose, y);
        view.speeds[i] = transform_vector_back(pose, v3_sub(w, v3_cross(spin, y)));
        if (motion->shape->is_part) {
            view.ends[i] = transform_point_back(motion->shape->part, view.ends[i]);
            view.speeds[i] = transform_vector_back(motion->shape->part, view.speeds[i]);
        }
    }
    const cg_shape *shape = &motion->shape->shape;
    view.nearest = c->count == 2 ? cg_shape_local_distance_segment(shape, view.ends[0], view.ends[1])
                                 : cg_shape_local_distance_triangle(shape, view.ends).nearest;
    return view;
}

static double shape_stride(const shape_view *view, int count, double bend, double level)
{
    double speed = 0, by_direction = INFINITY;
    for (int i = 0; i < count; i++) {
        double length = v3_length(view->speeds[i]);
        speed = length > speed ? length : speed;
        double height = v3_dot(view->nearest.normal, v3_sub(view->ends[i], view->nearest.surface));
        double stride = time_to_level(height, v3_dot(view->nearest.normal, view->speeds[i]), bend, level);
        by_direction = stride < by_direction ? stride : by_direction;
    }
    double by_speed = time_to_level(view->nearest.distance, -speed, bend, level);
    return by_speed > by_direction ? by_speed : by_direction;
}

static cg_walk walk_corners(const cg_shape_motion *motion, const corners *c, const cg_walk_levels *levels, double limit,
                            int max_looks)
{
    cg_walk walk = {0, 0, false};
    shape_view view = look_at_shape(motion, c, 0);
    double bend = 0, speed = 0;
    for (int i = 0; i < c->count; i++) {
        corner_bounds most = bounds_of(motion, c, i);
        double here = path_bend(motion, most.w, most.y) + most.bend, fast = v3_length(view.speeds[i]);
        bend = here > bend ? here : bend;
        speed = fast > speed ? fast : speed;
    }
    speed += bend;
    if (!(speed > 0)) {
        walk.reached = limit;
        return walk;
    }
    pace p = {2 * levels->margin / speed, INFINITY};
    while (walk.reached < limit) {
        if (walk.looks == max_looks) {
            walk.is_cut_off = true;
            break;
        }
        double stride = shape_stride(&view, c->count, bend, levels->level);
        if (stride >= limit - walk.reached && !levels->is_frozen) {
            walk.reached = limit;
            break;
        }
        double next = next_look(&p, walk.reached, stride, limit);
        shape_view seen = look_at_shape(motion, c, next);
        walk.looks++;
        if (!(seen.nearest.distance < levels->level)) {
            walk.reached = next;
            view = seen;
        } else if (!look_nearer(&p, next - walk.reached)) {
            break;
        }
    }
    return walk;
}

double cg_shape_walk_distance(const cg_shape_motion *motion, const cg_moving_segment_ends *segment, double time)
{
    return look_at_shape(motion, &(corners){segment->ends, segment->moves, 2, NULL}, time).nearest.distance;
}

cg_walk cg_walk_shape(const cg_shape_motion *motion, const cg_moving_segment_ends *segment,
                      const cg_walk_levels *levels, double limit, int max_looks)
{
    return walk_corners(motion, &(corners){segment->ends, segment->moves, 2, NULL}, levels, limit, max_looks);
}

double cg_shape_walk_triangle_distance(const cg_shape_motion *motion, const cg_moving_triangle *triangle, double time)
{
    return look_at_shape(motion, &(corners){triangle->corners, triangle->moves, 3, NULL}, time).nearest.distance;
}

cg_walk cg_walk_shape_triangle(const cg_shape_motion *motion, const cg_moving_triangle *triangle,
                               const cg_walk_levels *levels, double limit, int max_looks)
{
    return walk_corners(motion, &(corners){triangle->corners, triangle->moves, 3, NULL}, levels, limit, max_looks);
}

double cg_shape_walk_carried_distance(const cg_shape_motion *motion, const cg_carried_segment *segment, double time)
{
    return look_at_shape(motion, &(corners){segment->ends, NULL, 2, segment->carrier}, time).nearest.distance;
}

cg_walk cg_walk_shape_carried(const cg_shape_motion *motion, const cg_carried_segment *segment,
                              const cg_walk_levels *levels, double limit, int max_looks)
{
    return walk_corners(motion, &(corners){segment->ends, NULL, 2, segment->carrier}, levels, limit, max_looks);
}

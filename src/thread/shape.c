#include "base/vec3.h"
#include "thread/thread.h"

void cg_shape_layout(cg_thread_shape *shape, int vertex_count, cg_arena *arena)
{
    int segment_count = vertex_count - 1;
    shape->position = cg_arena_push_array(arena, cg_vec3, vertex_count);
    shape->length = cg_arena_push_array(arena, double, segment_count);
    shape->inverse = cg_arena_push_array(arena, double, segment_count);
    shape->firmness = cg_arena_push_array(arena, double, segment_count);
    shape->tangent = cg_arena_push_array(arena, cg_vec3, segment_count);
    shape->director = cg_arena_push_array(arena, cg_vec3, segment_count);
    shape->reference_twist = cg_arena_push_array(arena, double, vertex_count);
    shape->angle = cg_arena_push_array(arena, double, segment_count);
    shape->torque = cg_arena_push_array(arena, double, vertex_count);
}

void cg_shape_measure(const cg_thread *thread, cg_thread_shape *shape, const cg_thread_shape *before)
{
    const double no_length = 1e-9;
    for (int i = 0; i < thread->segment_count; i++) {
        cg_vec3 along = v3_sub(shape->position[i + 1], shape->position[i]);
        double length = v3_length(along), rest = thread->rest_length[i];
        double shortest = CG_COLLAPSED_SHARE * rest;
        bool collapsed = !(length >= shortest);
        shape->length[i] = length;
        shape->inverse[i] = 1.0 / (collapsed ? shortest : length);
        shape->firmness[i] = collapsed ? length / shortest : 1.0;
        shape->tangent[i] = length > no_length * rest ? v3_scale(1.0 / length, along) : before->tangent[i];
    }
}

#include "export/bytes.h"
#include "export/glb_parts.h"

static cg_glb_accessor *begin_array(cg_glb_scene *s, size_t count, int width, int component, int target)
{
    cg_glb_accessor *a = &s->accessors[s->accessor_count++];
    *a = (cg_glb_accessor){.offset = (size_t)(s->end - s->bytes),
                           .count = count,
                           .width = width,
                           .component = component,
                           .target = target};
    return a;
}

void cg_glb_add_floats(cg_glb_scene *s, const float *values, const float *minus, size_t count, int width, int target,
                       bool has_bounds)
{
    cg_glb_accessor *a = begin_array(s, count, width, CG_GLB_FLOAT, target);
    a->has_bounds = has_bounds;
    for (size_t i = 0; i < count * (size_t)width; i++) {
        float value = minus ? values[i] - minus[i] : values[i];
        size_t axis = i % (size_t)width;
        a->low[axis] = i < (size_t)width || value < a->low[axis] ? value : a->low[axis];
        a->high[axis] = i < (size_t)width || value > a->high[axis] ? value : a->high[axis];
        s->end = cg_put_float(s->end, value);
    }
}

void cg_glb_add_indices(cg_glb_scene *s, const uint32_t *indices, size_t count)
{
    begin_array(s, count, 1, CG_GLB_UNSIGNED_INT, CG_GLB_INDEX_DATA);
    for (size_t i = 0; i < count; i++) {
        s->end = cg_put_bits32(s->end, indices[i]);
    }
}

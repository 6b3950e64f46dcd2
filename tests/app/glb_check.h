// A judge of binary glTF 2.0 for tests, written from the specification and apart from the program's writer: chunks,
// buffer views, accessors with their bounds, indices, normals, morph targets, animation.
#ifndef CATGUT_TESTS_APP_GLB_CHECK_H
#define CATGUT_TESTS_APP_GLB_CHECK_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json_check.h"

typedef struct glb_file {
    char *json; // with a closing zero; free it
    const unsigned char *binary;
    size_t binary_size;
    char fault[128]; // empty when all is well
} glb_file;

// An accessor and where its numbers are.
typedef struct glb_accessor {
    const unsigned char *at;
    int count, width, component;
    const char *low, *high; // JSON arrays, or NULL
} glb_accessor;

static inline bool glb_fault(glb_file *file, const char *what, int where)
{
    if (file->fault[0] == '\0') {
        snprintf(file->fault, sizeof file->fault, "%s (%d)", what, where);
    }
    return false;
}

static inline uint32_t glb_word(const unsigned char *at)
{
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static inline float glb_float(const unsigned char *at)
{
    uint32_t bits = glb_word(at);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

// A whole number member; -1 when it is missing.
static inline int glb_int(const char *object, const char *name)
{
    const char *value = json_member(object, name);
    return value ? (int)strtol(value, NULL, 10) : -1;
}

static inline bool glb_is_word(const char *object, const char *name, const char *word)
{
    const char *value = json_member(object, name);
    size_t length = strlen(word);
    return value && value[0] == '"' && strncmp(value + 1, word, length) == 0 && value[length + 1] == '"';
}

static inline int glb_length(const char *array)
{
    int count = 0;
    while (json_item(array, count)) {
        count++;
    }
    return count;
}

static inline bool glb_open(glb_file *file, const unsigned char *bytes, size_t size)
{
    memset(file, 0, sizeof *file);
    if (size < 28 || memcmp(bytes, "glTF", 4) != 0 || glb_word(bytes + 4) != 2) {
        return glb_fault(file, "no glTF 2 head", 0);
    }
    if (glb_word(bytes + 8) != size || size % 4 != 0) {
        return glb_fault(file, "the length of the file", (int)glb_word(bytes + 8));
    }
    size_t json_size = glb_word(bytes + 12);
    if (json_size % 4 != 0 || json_size > size - 28 || memcmp(bytes + 16, "JSON", 4) != 0) {
        return glb_fault(file, "the JSON chunk", (int)json_size);
    }
    const unsigned char *second = bytes + 20 + json_size;
    file->binary_size = glb_word(second);
    if (file->binary_size % 4 != 0 || memcmp(second + 4, "BIN\0", 4) != 0 ||
        file->binary_size != size - 28 - json_size) {
        return glb_fault(file, "the binary chunk", (int)file->binary_size);
    }
    file->binary = second + 8;
    file->json = calloc(json_size + 1, 1);
    memcpy(file->json, bytes + 20, json_size);
    return json_is_valid(file->json) ? true : glb_fault(file, "the JSON", 0);
}

// Finds an accessor; checks that it lies inside its view and its view inside the buffer, aligned.
static inline bool glb_find(glb_file *file, int index, glb_accessor *found)
{
    const char *accessor = index >= 0 ? json_item(json_member(file->json, "accessors"), index) : NULL;
    const char *view =
        accessor ? json_item(json_member(file->json, "bufferViews"), glb_int(accessor, "bufferView")) : NULL;
    if (!view || glb_int(view, "buffer") != 0) {
        return glb_fault(file, "an accessor without a view", index);
    }
    int offset = glb_int(view, "byteOffset"), length = glb_int(view, "byteLength");
    int inner = glb_int(accessor, "byteOffset");
    offset = offset < 0 ? 0 : offset;
    inner = inner < 0 ? 0 : inner;
    found->component = glb_int(accessor, "componentType");
    found->count = glb_int(accessor, "count");
    found->width = glb_is_word(accessor, "type", "VEC4")     ? 4
                   : glb_is_word(accessor, "type", "VEC3")   ? 3
                   : glb_is_word(accessor, "type", "SCALAR") ? 1
                                                             : 0;
    int size = found->component == 5126 || found->component == 5125 ? 4 : found->component == 5123 ? 2 : 0;
    if (size == 0 || found->width == 0 || found->count < 1) {
        return glb_fault(file, "the type or count of an accessor", index);
    }
    if (length < 1 || (size_t)offset + (size_t)length > file->binary_size ||
        inner + found->count * found->width * size > length || (offset + inner) % size != 0) {
        return glb_fault(file, "an accessor outside of its view", index);
    }
    found->at = file->binary + offset + inner;
    found->low = json_member(accessor, "min");
    found->high = json_member(accessor, "max");
    return true;
}

// The bounds in the file are those of the numbers, to the bit of a float.
static inline bool glb_check_bounds(glb_file *file, const glb_accessor *a, int index)
{
    for (int axis = 0; axis < a->width; axis++) {
        float low = INFINITY, high = -INFINITY;
        for (int i = 0; i < a->count; i++) {
            float value = glb_float(a->at + 4 * (i * a->width + axis));
            if (!isfinite(value)) {
                return glb_fault(file, "a number that is not finite", index);
            }
            low = value < low ? value : low;
            high = value > high ? value : high;
        }
        const char *least = json_item(a->low, axis), *most = json_item(a->high, axis);
        if (!least || !most || strtof(least, NULL) != low || strtof(most, NULL) != high) {
            return glb_fault(file, "bounds that are not those of the numbers", index);
        }
    }
    return true;
}

static inline bool glb_check_indices(glb_file *file, int index, int vertices)
{
    glb_accessor a = {0};
    if (!glb_find(file, index, &a)) {
        return false;
    }
    if (a.width != 1 || a.component != 5125 || a.count % 3 != 0) {
        return glb_fault(file, "indices that make no triangles", index);
    }
    for (int i = 0; i < a.count; i += 3) {
        uint32_t p = glb_word(a.at + 4 * i), q = glb_word(a.at + 4 * i + 4), r = glb_word(a.at + 4 * i + 8);
        if (p >= (uint32_t)vertices || q >= (uint32_t)vertices || r >= (uint32_t)vertices) {
            return glb_fault(file, "an index of a vertex that is not there", index);
        }
        if (p == q || q == r || r == p) {
            return glb_fault(file, "a triangle with a corner twice", index);
        }
    }
    return true;
}

// Positions with bounds and normals of the same count; for a morph target both are differences from `base_normals`.
static inline bool glb_check_attributes(glb_file *file, const char *attributes, const glb_accessor *base_normals,
                                        glb_accessor *positions, glb_accessor *normals)
{
    int place = glb_int(attributes, "POSITION"), normal_place = glb_int(attributes, "NORMAL");
    if (!glb_find(file, place, positions) || !glb_find(file, normal_place, normals) ||
        !glb_check_bounds(file, positions, place)) {
        return false;
    }
    if (positions->width != 3 || positions->component != 5126 || normals->width != 3 || normals->component != 5126 ||
        normals->count != positions->count) {
        return glb_fault(file, "positions and normals", place);
    }
    for (int i = 0; i < normals->count; i++) {
        double square = 0;
        for (int axis = 0; axis < 3; axis++) {
            double value = (double)glb_float(normals->at + 4 * (3 * i + axis));
            value += base_normals ? (double)glb_float(base_normals->at + 4 * (3 * i + axis)) : 0;
            square += value * value;
        }
        if (!(fabs(sqrt(square) - 1) < 1e-5)) {
            return glb_fault(file, "a normal that is not of unit length", i);
        }
    }
    return true;
}

static inline bool glb_check_mesh(glb_file *file, const char *mesh, int *targets)
{
    const char *primitive = json_item(json_member(mesh, "primitives"), 0);
    glb_accessor positions = {0}, normals = {0}, moved = {0}, turned = {0};
    if (!primitive || !glb_check_attributes(file, json_member(primitive, "attributes"), NULL, &positions, &normals) ||
        !glb_check_indices(file, glb_int(primitive, "indices"), positions.count)) {
        return glb_fault(file, "a mesh without a whole primitive", 0);
    }
    if (!json_item(json_member(file->json, "materials"), glb_int(primitive, "material"))) {
        return glb_fault(file, "a material that is not there", 0);
    }
    const char *list = json_member(primitive, "targets");
    *targets = list ? glb_length(list) : 0;
    for (int i = 0; i < *targets; i++) {
        if (!glb_check_attributes(file, json_item(list, i), &normals, &moved, &turned)) {
            return false;
        }
        if (moved.count != positions.count) {
            return glb_fault(file, "a target with another number of vertices", i);
        }
    }
    if (list && glb_length(json_member(mesh, "weights")) != *targets) {
        return glb_fault(file, "not as many weights as targets", *targets);
    }
    return true;
}

// The times and values of a channel: times in order, with bounds.
static inline bool glb_find_channel(glb_file *file, const char *animation, const char *channel, glb_accessor *times,
                                    glb_accessor *values, const char **sampler)
{
    *sampler = json_item(json_member(animation, "samplers"), glb_int(channel, "sampler"));
    int input = *sampler ? glb_int(*sampler, "input") : -1;
    if (!*sampler || !glb_find(file, input, times) || !glb_check_bounds(file, times, input) ||
        !glb_find(file, glb_int(*sampler, "output"), values)) {
        return glb_fault(file, "the sampler of the animation", 0);
    }
    for (int i = 0; i + 1 < times->count; i++) {
        if (!(glb_float(times->at + 4 * i) < glb_float(times->at + 4 * i + 4))) {
            return glb_fault(file, "times that are not in order", i);
        }
    }
    return times->width == 1 ? true : glb_fault(file, "times that are no numbers", 0);
}

// Weights, one a target and time; or scales of 0 and 1 that change at once.
static inline bool glb_check_animation(glb_file *file, const char *animation)
{
    const char *channels = json_member(animation, "channels");
    for (int i = 0; json_item(channels, i); i++) {
        const char *channel = json_item(channels, i), *target = json_member(channel, "target"), *sampler = NULL;
        const char *node = json_item(json_member(file->json, "nodes"), glb_int(target, "node"));
        const char *mesh = node ? json_item(json_member(file->json, "meshes"), glb_int(node, "mesh")) : NULL;
        glb_accessor times = {0}, values = {0};
        if (!mesh) {
            return glb_fault(file, "a channel that moves no mesh", i);
        }
        if (!glb_find_channel(file, animation, channel, &times, &values, &sampler)) {
            return false;
        }
        if (glb_is_word(target, "path", "scale")) {
            bool good =
                values.count == times.count && values.width == 3 && glb_is_word(sampler, "interpolation", "STEP");
            for (int k = 0; k < 3 * values.count && good; k++) {
                float value = glb_float(values.at + 4 * k);
                good = value == 0 || value == 1;
            }
            if (!good) {
                return glb_fault(file, "scales that show and hide nothing", i);
            }
            continue;
        }
        if (glb_is_word(target, "path", "translation") || glb_is_word(target, "path", "rotation")) {
            int width = glb_is_word(target, "path", "rotation") ? 4 : 3;
            bool good = values.count == times.count && values.width == width;
            for (int k = 0; k < values.count && good && width == 4; k++) {
                double sum = 0;
                for (int c = 0; c < 4; c++) {
                    double value = (double)glb_float(values.at + 4 * (4 * k + c));
                    sum += value * value;
                }
                good = fabs(sum - 1) < 1e-6;
            }
            if (!good) {
                return glb_fault(file, "a turn or place that is none", i);
            }
            continue;
        }
        const char *primitive = json_item(json_member(mesh, "primitives"), 0);
        int targets = glb_length(json_member(primitive, "targets"));
        if (!glb_is_word(target, "path", "weights") || values.count != times.count * targets || values.width != 1) {
            return glb_fault(file, "not one weight a target and time", values.count);
        }
    }
    return true;
}

// Judges the whole file; file->fault is empty when it is good.
static inline bool glb_check(glb_file *file, const unsigned char *bytes, size_t size)
{
    if (!glb_open(file, bytes, size)) {
        return false;
    }
    const char *json = file->json;
    if (!glb_is_word(json_member(json, "asset"), "version", "2.0")) {
        return glb_fault(file, "the version", 0);
    }
    const char *buffers = json_member(json, "buffers");
    if (glb_length(buffers) != 1 || (size_t)glb_int(json_item(buffers, 0), "byteLength") != file->binary_size) {
        return glb_fault(file, "the buffer", 0);
    }
    const char *meshes = json_member(json, "meshes"), *nodes = json_member(json, "nodes");
    int mesh_count = 0, all_targets = 0;
    for (int i = 0; json_item(meshes, i); i++) {
        int targets = 0;
        if (!glb_check_mesh(file, json_item(meshes, i), &targets)) {
            return false;
        }
        all_targets += targets;
        mesh_count++;
    }
    for (int i = 0; json_item(nodes, i); i++) {
        int mesh = glb_int(json_item(nodes, i), "mesh");
        if (mesh >= 0 && !json_item(meshes, mesh)) {
            return glb_fault(file, "a node with a mesh that is not there", i);
        }
    }
    const char *scene = json_item(json_member(json, "scenes"), glb_int(json, "scene"));
    const char *root = scene ? json_item(json_member(scene, "nodes"), 0) : NULL;
    if (!root || !json_item(nodes, (int)strtol(root, NULL, 10))) {
        return glb_fault(file, "the scene", 0);
    }
    const char *animation = json_item(json_member(json, "animations"), 0);
    bool goes = animation && strstr(animation, "\"path\": \"translation\"") != NULL; // a body
    if ((all_targets > 0 && !animation) || (all_targets == 0 && mesh_count == 1 && animation && !goes)) {
        return glb_fault(file, "targets and an animation go together", all_targets);
    }
    return !animation || glb_check_animation(file, animation);
}

#endif

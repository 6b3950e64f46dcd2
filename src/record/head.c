#include "record/head.h"

#include <assert.h>

#include "base/status.h"
#include "operation/fields.h"
#include "record/chunk.h"
#include "world/world.h"

void cg_totals_write(const cg_recording_totals *totals, unsigned char bytes[CG_TOTALS_BYTES])
{
    cg_byte_sink sink = cg_write_to(bytes, CG_TOTALS_BYTES);
    cg_put_u64(&sink, totals->steps);
    cg_put_u64(&sink, totals->operations);
    cg_put_u64(&sink, totals->events);
    cg_put_u64(&sink, totals->frames);
    cg_put_u64(&sink, totals->hashes);
    cg_put_u64(&sink, totals->keys);
}

bool cg_totals_read(cg_recording_totals *totals, const void *bytes, size_t size)
{
    cg_byte_source source = cg_read_from(bytes, size);
    totals->steps = cg_take_u64(&source);
    totals->operations = cg_take_u64(&source);
    totals->events = cg_take_u64(&source);
    totals->frames = cg_take_u64(&source);
    totals->hashes = cg_take_u64(&source);
    totals->keys = cg_take_u64(&source);
    return source.good && source.left == 0;
}

size_t cg_text_length(const char *text, size_t most)
{
    size_t length = 0;
    while (length < most && text[length] != '\0') {
        length++;
    }
    // The byte that was left out continues a character: leave out the rest of that character too.
    while (length > 0 && ((unsigned char)text[length] & 0xc0) == 0x80) {
        length--;
    }
    return length;
}

void cg_put_text(cg_byte_sink *sink, const char *text, size_t length)
{
    assert(length <= UINT16_MAX);
    cg_put_u16(sink, (unsigned)length);
    cg_put_bytes(sink, text, length);
    cg_put_u8(sink, 0);
}

const char *cg_take_text(cg_byte_source *source)
{
    size_t length = cg_take_u16(source);
    const unsigned char *bytes = cg_take_bytes(source, length + 1);
    if (bytes == NULL || memchr(bytes, '\0', length + 1) != bytes + length) {
        source->good = false;
        return NULL;
    }
    return (const char *)bytes;
}

size_t cg_frame_front_bytes(int body_count, int own_counts, int frame_count)
{
    assert(own_counts >= 0 && own_counts <= body_count);
    assert(body_count >= 0 && frame_count >= 0);
    return 2 + (size_t)body_count + 4 * (size_t)own_counts + 12 * (size_t)frame_count;
}

enum {
    HEAD_FIXED_BYTES = 2 + CG_TEXT_MOST_BYTES + 1 + 2 * 4 + 8 + 3 * 4 + 4,
    HEAD_THREAD_BYTES = 4 + 8 + 2 + CG_TEXT_MOST_BYTES + 1,
    HEAD_TISSUE_BYTES = 4 + 2 + CG_TEXT_MOST_BYTES + 1
};

size_t cg_head_size(const cg_scene *scene)
{
    return HEAD_FIXED_BYTES + HEAD_THREAD_BYTES * (size_t)cg_scene_thread_count(scene) + 4 +
           HEAD_TISSUE_BYTES * (size_t)cg_scene_tissue_count(scene);
}

static void put_name(cg_byte_sink *sink, const char *name)
{
    name = name != NULL ? name : "";
    cg_put_text(sink, name, cg_text_length(name, CG_TEXT_MOST_BYTES));
}

static void put_tissues(cg_byte_sink *sink, const cg_scene *scene, const cg_world *world)
{
    int tissue_count = cg_scene_tissue_count(scene);
    cg_put_u32(sink, (uint32_t)tissue_count);
    for (int t = 0; t < tissue_count; t++) {
        cg_put_u32(sink, (uint32_t)cg_tissue_max_nodes(world, cg_operation_tissue(world, t)));
        put_name(sink, cg_scene_tissue_name(scene, t));
    }
}

size_t cg_head_write(const cg_recorder_def *def, const cg_scene *scene, const cg_world *world, void *bytes, size_t room)
{
    assert(room >= cg_head_size(scene));
    cg_byte_sink sink = cg_write_to(bytes, room);
    put_name(&sink, def->program);
    cg_put_u32(&sink, CG_SNAPSHOT_VERSION);
    cg_put_u32(&sink, CG_MOTION_VERSION);
    cg_put_double(&sink, world->def.time_step);
    cg_put_u32(&sink, (uint32_t)def->frame_every);
    cg_put_u32(&sink, (uint32_t)def->hash_every);
    cg_put_u32(&sink, (uint32_t)def->key_every);
    int thread_count = cg_scene_thread_count(scene);
    cg_put_u32(&sink, (uint32_t)thread_count);
    for (int t = 0; t < thread_count; t++) {
        cg_put_u32(&sink, (uint32_t)cg_world_thread_room(world, t));
        cg_put_double(&sink, cg_scene_thread_radius(scene, t));
        put_name(&sink, cg_scene_thread_name(scene, t));
    }
    put_tissues(&sink, scene, world);
    return room - sink.left;
}

static bool is_positive(double value)
{
    return value > 0 && value - value == 0;
}

static int take_every(cg_byte_source *source)
{
    uint32_t value = cg_take_u32(source);
    source->good = source->good && value >= 1 && value <= INT32_MAX;
    return (int)value;
}

// Programs that wrote the first format had the first states and the first motion.
static int take_version(cg_byte_source *source, int format_version)
{
    return format_version == 1 ? 1 : take_every(source);
}

bool cg_head_read(cg_recording_info *info, cg_byte_source *threads, const void *bytes, size_t size)
{
    *threads = cg_read_from(bytes, size);
    info->program = cg_take_text(threads);
    info->state_version = take_version(threads, info->format_version);
    info->motion_version = take_version(threads, info->format_version);
    info->time_step = cg_take_double(threads);
    info->frame_every = take_every(threads);
    info->hash_every = take_every(threads);
    info->key_every = take_every(threads);
    uint32_t thread_count = cg_take_u32(threads);
    info->thread_count = thread_count <= CG_RECORDED_MOST_THREADS ? (int)thread_count : 0;
    return threads->good && thread_count <= CG_RECORDED_MOST_THREADS && is_positive(info->time_step);
}

bool cg_head_take_thread(cg_byte_source *threads, cg_recorded_thread *thread)
{
    uint32_t vertex_count = cg_take_u32(threads);
    thread->radius = cg_take_double(threads);
    thread->name = cg_take_text(threads);
    bool good = threads->good && vertex_count >= 2 && vertex_count <= CG_RECORDED_MOST_VERTICES;
    thread->vertex_count = good ? (int)vertex_count : 0;
    return good && is_positive(thread->radius);
}

bool cg_head_take_tissue_count(cg_byte_source *tissues, cg_recording_info *info)
{
    // In the first format, a recording without tissue ends its head here.
    bool is_told = info->format_version > 1 || tissues->left > 0;
    uint32_t count = is_told ? cg_take_u32(tissues) : 0;
    info->tissue_count = count <= CG_RECORDED_MOST_TISSUES ? (int)count : 0;
    return tissues->good && count <= CG_RECORDED_MOST_TISSUES;
}

bool cg_head_take_tissue(cg_byte_source *tissues, cg_recorded_tissue *tissue)
{
    uint32_t node_count = cg_take_u32(tissues);
    tissue->name = cg_take_text(tissues);
    bool good = tissues->good && node_count >= 1 && node_count <= CG_RECORDED_MOST_VERTICES;
    tissue->max_node_count = good ? (int)node_count : 0;
    return good;
}

enum { PATH_MOST_BYTES = 60000 };

// A count; then for each text its path, its size in 8 bytes, and the text itself.
size_t cg_sources_size(const cg_scene *scene)
{
    size_t total = 4;
    for (int i = 0; i < cg_scene_source_count(scene); i++) {
        const char *path, *text;
        size_t size;
        if (cg_scene_source(scene, i, &path, &text, &size)) {
            total += 2 + cg_text_length(path, PATH_MOST_BYTES) + 1 + 8 + size;
        }
    }
    return total;
}

void cg_sources_write(const cg_scene *scene, void *bytes, size_t room)
{
    assert(room >= cg_sources_size(scene));
    cg_byte_sink sink = cg_write_to(bytes, room);
    int count = cg_scene_source_count(scene);
    cg_put_u32(&sink, (uint32_t)count);
    for (int i = 0; i < count; i++) {
        const char *path, *text;
        size_t size;
        if (cg_scene_source(scene, i, &path, &text, &size)) {
            cg_put_text(&sink, path, cg_text_length(path, PATH_MOST_BYTES));
            cg_put_u64(&sink, size);
            cg_put_bytes(&sink, text, size);
        }
    }
}

// One text; false at the end.
static bool take_source(cg_byte_source *source, const char **path, const char **text, size_t *size)
{
    *path = cg_take_text(source);
    *size = (size_t)cg_take_u64(source);
    *text = (const char *)cg_take_bytes(source, *size);
    return source->good;
}

typedef struct source_bytes {
    const void *bytes;
    size_t size;
} source_bytes;

static bool open_source(void *context, const char *wanted, const char **text, size_t *size)
{
    const source_bytes *all = context;
    cg_byte_source source = cg_read_from(all->bytes, all->size);
    uint32_t count = cg_take_u32(&source);
    for (uint32_t i = 0; i < count && source.good; i++) {
        const char *path;
        // The first is the scene itself, under whatever name it had.
        if (take_source(&source, &path, text, size) && i > 0 && strcmp(path, wanted) == 0) {
            return true;
        }
    }
    return false;
}

cg_status cg_sources_read(const void *bytes, size_t size, const cg_allocator *allocator, cg_scene **scene,
                          cg_scene_error *error)
{
    *scene = NULL;
    source_bytes all = {.bytes = bytes, .size = size};
    cg_scene_files files = {.open = open_source, .context = &all};
    cg_byte_source source = cg_read_from(bytes, size);
    uint32_t count = cg_take_u32(&source);
    const char *path, *text;
    size_t text_size;
    if (count < 1 || !take_source(&source, &path, &text, &text_size)) {
        return cg_error(CG_BAD_INPUT, "the recording has no scene");
    }
    return cg_scene_read(text, text_size, path, &files, allocator, scene, error);
}

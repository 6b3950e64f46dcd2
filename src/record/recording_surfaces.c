// The surfaces of tissues in a recording that is open. Those of a moment are the last whole ones before it and all
// changes since; they are kept, so that going forward costs only what is new. Nothing in the bytes is believed: a
// surface grows only by what the bytes themselves list. A change costs what it lists, however large the surface:
// corners are checked and homes converted once all changes of a moment are in.
#include "base/memory.h"
#include "base/status.h"
#include "record/frame_code.h"
#include "record/recording_parts.h"

// What a surface is read into: kept numbers, and what is handed out. Where there is no memory the room is what it was.
static bool grow_surface(cg_read_surface *surface, const cg_allocator *allocator, int nodes, int triangles)
{
    cg_kept_surface *kept = &surface->kept;
    if (nodes > kept->node_room) {
        size_t room = (size_t)nodes + (size_t)nodes / 4, used = 3 * (size_t)kept->node_count;
        void *homes = kept->homes, *places = surface->homes;
        bool good = cg_memory_grow(allocator, &homes, used * sizeof(int32_t), 3 * room * sizeof(int32_t)) &&
                    cg_memory_grow(allocator, &places, 0, 3 * room * sizeof(float));
        kept->homes = homes;
        surface->homes = places;
        kept->node_room = good ? (int)room : kept->node_room;
    }
    if (triangles > kept->triangle_room) {
        size_t room = (size_t)triangles + (size_t)triangles / 4, used = (size_t)kept->triangle_count;
        void *corners = kept->corners, *sides = kept->sides;
        bool good = cg_memory_grow(allocator, &corners, 3 * used * sizeof(int32_t), 3 * room * sizeof(int32_t)) &&
                    cg_memory_grow(allocator, &sides, used, room);
        kept->corners = corners;
        kept->sides = sides;
        kept->triangle_room = good ? (int)room : kept->triangle_room;
    }
    return nodes <= kept->node_room && triangles <= kept->triangle_room;
}

static bool make_work_room(cg_surface_reader *reader, const cg_allocator *allocator, const cg_surface_front *front)
{
    size_t nodes = front->difference.nodes, triangles = front->difference.triangles;
    cg_arena arena;
    cg_arena_init(&arena, NULL, 0);
    cg_surface_work_lay_out(&reader->work, &arena, (int)nodes, (int)triangles);
    size_t size = cg_arena_used(&arena);
    if (!cg_byte_room_ensure(&reader->work_memory, size, allocator)) {
        return false;
    }
    cg_arena_init(&arena, reader->work_memory.bytes, reader->work_memory.size);
    cg_surface_work_lay_out(&reader->work, &arena, (int)nodes, (int)triangles);
    return true;
}

static void forget_all(cg_surface_reader *reader)
{
    for (int i = 0; i < CG_RECORDED_MOST_TISSUES; i++) {
        reader->surfaces[i].kept.there = false;
        reader->surfaces[i].is_new = false;
    }
    reader->count = 0;
}

static bool take_surface(cg_recording *recording, cg_byte_source *source)
{
    cg_surface_reader *reader = &recording->surfaces;
    cg_surface_front front;
    if (!cg_surface_take_front(source, &front) || front.place >= reader->count) {
        return false;
    }
    cg_read_surface *surface = &reader->surfaces[front.place];
    if (!cg_surface_has_source(&front, &surface->kept) || !make_work_room(reader, &recording->allocator, &front) ||
        !grow_surface(surface, &recording->allocator, front.node_count, front.triangle_count) ||
        !cg_surface_take(source, &front, &surface->kept, &reader->work)) {
        return false;
    }
    surface->is_new = true;
    return true;
}

// Makes the surfaces that changed ready to be handed out; false when one of them has a corner that is no node.
static bool finish_surfaces(cg_surface_reader *reader)
{
    for (int i = 0; i < reader->count; i++) {
        cg_read_surface *surface = &reader->surfaces[i];
        if (!surface->is_new) {
            continue;
        }
        if (!cg_surface_has_nodes(&surface->kept)) {
            return false;
        }
        double quantum = cg_frame_quantum(surface->kept.exponent);
        for (size_t k = 0; k < 3 * (size_t)surface->kept.node_count; k++) {
            surface->homes[k] = (float)(quantum * surface->kept.homes[k]);
        }
        surface->is_new = false;
    }
    return true;
}

// Applies one chunk. False when it is not well formed; nothing is known then.
static bool apply_chunk(cg_recording *recording, const cg_chunk *chunk)
{
    cg_surface_reader *reader = &recording->surfaces;
    const unsigned char *bytes = cg_expand_into(recording, chunk, &reader->expanded);
    if (bytes == NULL) {
        return false;
    }
    if (chunk->kind == CG_CHUNK_SURFACES) {
        forget_all(reader);
        reader->count = (int)chunk->item_count;
    }
    cg_byte_source source = cg_read_from(bytes, chunk->raw_size);
    uint32_t items = cg_take_u32(&source);
    bool good = source.good && items <= chunk->item_count;
    for (uint32_t i = 0; i < items && good; i++) {
        good = take_surface(recording, &source);
    }
    return good && source.left == 0;
}

// The last chunk of a list that stands before another chunk; the list's count when there is none.
static size_t last_before(const cg_chunk_list *list, uint32_t sequence)
{
    size_t low = 0, high = list->count; // those below `low` stand before it, those from `high` on do not
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (list->chunks[middle].chunk.sequence < sequence) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low > 0 ? low - 1 : list->count;
}

bool cg_recording_surfaces_at(cg_recording *recording, uint32_t sequence)
{
    cg_surface_reader *reader = &recording->surfaces;
    const cg_chunk_list *wholes = &recording->lists[CG_CHUNK_SURFACES], *changes = &recording->lists[CG_CHUNK_CHANGES];
    size_t whole = last_before(wholes, sequence);
    if (whole == wholes->count) {
        forget_all(reader); // none yet: the scene says what they are
        reader->reached = 0;
        return true;
    }
    uint32_t start = wholes->chunks[whole].chunk.sequence;
    bool good = true;
    if (reader->reached < start || reader->reached >= sequence) {
        good = apply_chunk(recording, &wholes->chunks[whole].chunk);
        reader->reached = start;
    }
    size_t next = last_before(changes, reader->reached + 1);
    next = next == changes->count ? 0 : next + 1;
    for (; good && next < changes->count && changes->chunks[next].chunk.sequence < sequence; next++) {
        good = apply_chunk(recording, &changes->chunks[next].chunk);
        reader->reached = changes->chunks[next].chunk.sequence;
    }
    good = good && finish_surfaces(reader);
    if (!good) {
        forget_all(reader);
        reader->reached = 0;
    }
    return good;
}

void cg_recording_list_surfaces(cg_recording *recording)
{
    cg_surface_reader *reader = &recording->surfaces;
    for (int i = 0; i < CG_RECORDED_MOST_TISSUES; i++) {
        const cg_read_surface *surface = &reader->surfaces[i];
        const cg_kept_surface *kept = &surface->kept;
        reader->told[i] = (cg_recorded_surface){0};
        if (kept->there) {
            reader->told[i] = (cg_recorded_surface){.version = kept->version,
                                                    .node_count = kept->node_count,
                                                    .homes = surface->homes,
                                                    .triangle_count = kept->triangle_count,
                                                    .corners = kept->corners,
                                                    .sides = kept->sides};
        }
    }
}

void cg_recording_free_surfaces(cg_recording *recording)
{
    cg_surface_reader *reader = &recording->surfaces;
    for (int i = 0; i < CG_RECORDED_MOST_TISSUES; i++) {
        cg_read_surface *surface = &reader->surfaces[i];
        cg_memory_give(&recording->allocator, surface->kept.homes);
        cg_memory_give(&recording->allocator, surface->kept.corners);
        cg_memory_give(&recording->allocator, surface->kept.sides);
        cg_memory_give(&recording->allocator, surface->homes);
    }
    cg_memory_give(&recording->allocator, reader->expanded.bytes);
    cg_memory_give(&recording->allocator, reader->work_memory.bytes);
}

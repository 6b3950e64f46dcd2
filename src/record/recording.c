// Opens a recording: walks its chunks and checks each of them, up to the first that is wrong. Nothing in the bytes is
// believed: sizes are held against what is there and against limits, numbers of items against the items themselves.
// Frames are only checked from outside here; what is inside is checked when one is asked for.
#include <stdio.h>

#include "base/memory.h"
#include "base/status.h"
#include "record/hand_items.h"
#include "record/recording_parts.h"

// The walk over the chunks.
typedef struct chunk_walk {
    cg_recording *recording;
    uint32_t sequence;
    uint64_t last_step;
    uint64_t small_bytes;
    uint64_t body_bytes;
    uint64_t hand_bytes;
    uint64_t suture_bytes;
    uint64_t last_item_step[CG_CHUNK_KIND_COUNT]; // by kind
    uint64_t covered;
    uint32_t tissue_places; // that frames have now
    uint64_t whole_bytes;   // of the last whole surfaces
    uint64_t change_bytes;  // of the changes since
    bool ended;
} chunk_walk;

bool cg_byte_room_ensure(cg_byte_room *room, size_t size, const cg_allocator *allocator)
{
    if (room->bytes == NULL || room->size < size) {
        cg_memory_give(allocator, room->bytes);
        room->bytes = cg_memory_take(allocator, size);
        room->size = room->bytes != NULL ? size : 0;
    }
    return room->bytes != NULL;
}

const unsigned char *cg_expand_into(const cg_recording *recording, const cg_chunk *chunk, cg_byte_room *room)
{
    if (chunk->codec != 0 && !cg_byte_room_ensure(room, chunk->raw_size, &recording->allocator)) {
        return NULL;
    }
    return cg_chunk_expand(chunk, &recording->codec, room->bytes);
}

bool cg_take_operation(cg_byte_source *source, cg_operation *operation)
{
    size_t size = cg_operation_decode(operation, source->next, source->left);
    return size > 0 && cg_take_bytes(source, size) != NULL;
}

bool cg_take_event(cg_byte_source *source, uint64_t *step, const char **text)
{
    *step = cg_take_u64(source);
    *text = cg_take_text(source);
    return source->good;
}

bool cg_take_hash(cg_byte_source *source, uint64_t first_step, uint64_t *step, uint64_t *hash)
{
    *step = first_step + cg_take_u32(source);
    *hash = cg_take_u64(source);
    return source->good;
}

static bool take_item_step(cg_byte_source *source, const cg_chunk *chunk, uint64_t *step)
{
    cg_operation operation;
    const char *text;
    uint64_t hash;
    int count;
    bool good;
    switch (chunk->kind) {
    case CG_CHUNK_OPERATIONS:
        good = cg_take_operation(source, &operation);
        *step = operation.step;
        return good;
    case CG_CHUNK_EVENTS:
        return cg_take_event(source, step, &text);
    case CG_CHUNK_HANDS:
        return cg_hands_read(source, step, NULL, &count);
    case CG_CHUNK_BODIES:
        return cg_bodies_read(source, step, NULL, &count);
    case CG_CHUNK_SUTURES:
        return cg_sutures_read(source, step, NULL);
    default:
        return cg_take_hash(source, chunk->first_step, step, &hash);
    }
}

// Operations, events, hands or hashes: as many as the header says, each well formed, steps in order.
static bool check_items(chunk_walk *walk, const cg_chunk *chunk, const unsigned char *bytes)
{
    cg_byte_source source = cg_read_from(bytes, chunk->raw_size);
    uint64_t *last = &walk->last_item_step[chunk->kind];
    for (uint32_t i = 0; i < chunk->item_count; i++) {
        uint64_t step = 0;
        if (!take_item_step(&source, chunk, &step) || step < *last || step > chunk->last_step) {
            return false;
        }
        if (i == 0 && step != chunk->first_step) {
            return false;
        }
        *last = step;
    }
    return source.left == 0;
}

static cg_status add_to_list(cg_recording *recording, const cg_chunk *chunk)
{
    cg_chunk_list *list = &recording->lists[chunk->kind];
    if (list->count == list->room) {
        size_t room = list->room == 0 ? 16 : 2 * list->room;
        void *chunks = list->chunks;
        if (!cg_memory_grow(&recording->allocator, &chunks, list->count * sizeof *list->chunks,
                            room * sizeof *list->chunks)) {
            return cg_error(CG_OUT_OF_MEMORY, "no memory to read the recording");
        }
        list->chunks = chunks;
        list->room = room;
    }
    list->chunks[list->count++] = (cg_stored_chunk){.chunk = *chunk, .first_item = list->item_count};
    list->item_count += chunk->item_count;
    return cg_ok();
}

static cg_status check_small_chunk(chunk_walk *walk, const cg_chunk *chunk)
{
    cg_recording *recording = walk->recording;
    uint64_t *sum = chunk->kind == CG_CHUNK_HANDS     ? &walk->hand_bytes
                    : chunk->kind == CG_CHUNK_BODIES  ? &walk->body_bytes
                    : chunk->kind == CG_CHUNK_SUTURES ? &walk->suture_bytes
                                                      : &walk->small_bytes;
    *sum += chunk->raw_size;
    if (*sum > CG_SMALL_MOST_BYTES) {
        return cg_error(CG_BAD_INPUT, "more than %llu bytes of %s", (unsigned long long)CG_SMALL_MOST_BYTES,
                        sum == &walk->small_bytes ? "operations, events and hashes" : cg_chunk_name(chunk->kind));
    }
    cg_expanded_chunk *expanded = &recording->expanded[chunk->kind];
    const unsigned char *bytes = cg_expand_into(recording, chunk, &expanded->room);
    if (bytes == NULL) {
        return cg_error(CG_BAD_INPUT, "the %s cannot be expanded (codec %u)", cg_chunk_name(chunk->kind),
                        (unsigned)chunk->codec);
    }
    if (!check_items(walk, chunk, bytes)) {
        return cg_error(CG_BAD_INPUT, "the %s are not well formed", cg_chunk_name(chunk->kind));
    }
    return add_to_list(recording, chunk);
}

// Frames have what the head says, or as many vertices as any recording may have where surfaces say how many: tissues
// may have come later, or taken the places of smaller ones.
static cg_status check_frames_chunk(chunk_walk *walk, const cg_chunk *chunk)
{
    const cg_recording *recording = walk->recording;
    int count = chunk->item_count <= CG_FRAMES_PER_CHUNK ? (int)chunk->item_count : 0;
    bool has_more = walk->tissue_places > (uint32_t)recording->info.tissue_count;
    int bodies = recording->info.thread_count + (has_more ? (int)walk->tissue_places : recording->info.tissue_count);
    size_t front = cg_frame_front_bytes(bodies, 0, count);
    size_t vertices = walk->tissue_places > 0 ? CG_RECORDED_MOST_VERTICES : recording->vertex_count;
    size_t most = cg_frame_front_bytes(bodies, bodies, count) + (size_t)count * 12 * vertices;
    if (count < 1 || chunk->raw_size < front || chunk->raw_size > most) {
        return cg_error(CG_BAD_INPUT, "a chunk of frames has an impossible size");
    }
    if (chunk->first_step < walk->last_item_step[CG_CHUNK_FRAMES]) {
        return cg_error(CG_BAD_INPUT, "frames are out of order");
    }
    walk->last_item_step[CG_CHUNK_FRAMES] = chunk->first_step + 1;
    return add_to_list(walk->recording, chunk);
}

// Whole surfaces, or changes of the last ones: never more than those, so that no moment is far from whole ones.
static cg_status check_surfaces_chunk(chunk_walk *walk, const cg_chunk *chunk)
{
    bool whole = chunk->kind == CG_CHUNK_SURFACES;
    if (chunk->item_count < 1 || chunk->item_count > CG_RECORDED_MOST_TISSUES ||
        chunk->item_count < (uint32_t)walk->recording->info.tissue_count ||
        (!whole && chunk->item_count != walk->tissue_places)) {
        return cg_error(CG_BAD_INPUT, "a chunk of %s has an impossible number of tissues", cg_chunk_name(chunk->kind));
    }
    walk->tissue_places = chunk->item_count;
    walk->change_bytes = whole ? 0 : walk->change_bytes + chunk->raw_size;
    walk->whole_bytes = whole ? chunk->raw_size : walk->whole_bytes;
    if (walk->change_bytes > walk->whole_bytes) {
        return cg_error(CG_BAD_INPUT, "surfaces change too often for those that they began with");
    }
    return add_to_list(walk->recording, chunk);
}

static cg_status check_end(chunk_walk *walk, const cg_chunk *chunk)
{
    const cg_chunk_list *lists = walk->recording->lists;
    cg_recording_totals totals;
    if (chunk->codec != 0 || !cg_totals_read(&totals, chunk->payload, chunk->raw_size)) {
        return cg_error(CG_BAD_INPUT, "the end is not well formed");
    }
    if (totals.steps != chunk->last_step || totals.operations != lists[CG_CHUNK_OPERATIONS].item_count ||
        totals.events != lists[CG_CHUNK_EVENTS].item_count || totals.frames != lists[CG_CHUNK_FRAMES].item_count ||
        totals.hashes != lists[CG_CHUNK_HASHES].item_count || totals.keys != lists[CG_CHUNK_KEY].item_count) {
        return cg_error(CG_BAD_INPUT, "the totals at the end do not agree with what is there");
    }
    walk->ended = true;
    return cg_ok();
}

static cg_status check_chunk(chunk_walk *walk, const cg_chunk *chunk)
{
    cg_recording *recording = walk->recording;
    if (chunk->sequence != walk->sequence || chunk->last_step < walk->last_step ||
        (chunk->kind == CG_CHUNK_SOURCES) != (walk->sequence == 1)) {
        return cg_error(CG_BAD_INPUT, "a chunk (%s) is not in its place", cg_chunk_name(chunk->kind));
    }
    walk->sequence++;
    walk->last_step = chunk->last_step;
    cg_status status;
    switch (chunk->kind) {
    case CG_CHUNK_SOURCES:
        recording->sources = *chunk;
        recording->has_sources = true;
        return cg_ok();
    case CG_CHUNK_OPERATIONS:
    case CG_CHUNK_EVENTS:
    case CG_CHUNK_HANDS:
    case CG_CHUNK_BODIES:
    case CG_CHUNK_SUTURES:
        return check_small_chunk(walk, chunk);
    case CG_CHUNK_HASHES:
        status = check_small_chunk(walk, chunk);
        walk->covered = status.code == CG_OK ? chunk->last_step : walk->covered;
        return status;
    case CG_CHUNK_FRAMES:
        return check_frames_chunk(walk, chunk);
    case CG_CHUNK_SURFACES:
    case CG_CHUNK_CHANGES:
        return check_surfaces_chunk(walk, chunk);
    case CG_CHUNK_KEY:
        if (chunk->item_count != 1 || chunk->first_step != chunk->last_step) {
            return cg_error(CG_BAD_INPUT, "a key is not well formed");
        }
        return add_to_list(recording, chunk);
    case CG_CHUNK_END:
        return check_end(walk, chunk);
    case CG_CHUNK_HEAD:
    case CG_CHUNK_KIND_COUNT:
        break;
    }
    return cg_error(CG_BAD_INPUT, "a second head");
}

// Walks the chunks behind the head. Damage ends the walk and is noted; only a lack of memory is an error.
static cg_status walk_chunks(cg_recording *recording, const unsigned char *bytes, size_t size, size_t offset)
{
    chunk_walk walk = {.recording = recording, .sequence = 1};
    cg_status status = cg_ok();
    while (offset < size && status.code == CG_OK && !walk.ended) {
        cg_chunk chunk;
        status = cg_chunk_read(bytes + offset, size - offset, &chunk);
        status = status.code == CG_OK ? check_chunk(&walk, &chunk) : status;
        offset += status.code == CG_OK ? CG_CHUNK_HEADER_BYTES + (size_t)chunk.stored_size : 0;
    }
    recording->step_count = walk.covered;
    if (status.code == CG_OUT_OF_MEMORY) {
        return status;
    }
    if (status.code == CG_OK && !walk.ended) {
        status = cg_error(CG_BAD_INPUT, "it was cut off: its end is missing");
    } else if (status.code == CG_OK && offset < size) {
        status = cg_error(CG_BAD_INPUT, "bytes behind its end");
    }
    if (status.code != CG_OK) {
        snprintf(recording->damage, sizeof recording->damage, "at byte %zu: %s", offset, status.message);
    }
    return cg_ok();
}

static cg_status read_head(cg_recording *recording, const cg_chunk *chunk)
{
    cg_byte_source source;
    if (chunk->kind != CG_CHUNK_HEAD || chunk->codec != 0 || chunk->sequence != 0 || chunk->last_step != 0 ||
        !cg_head_read(&recording->info, &source, chunk->payload, chunk->raw_size)) {
        return cg_error(CG_BAD_INPUT, "the head of the recording is not well formed");
    }
    size_t count = (size_t)recording->info.thread_count;
    recording->threads = cg_memory_take(&recording->allocator, count * sizeof *recording->threads);
    recording->expanded = cg_memory_take(&recording->allocator, CG_CHUNK_KIND_COUNT * sizeof *recording->expanded);
    if (recording->threads == NULL || recording->expanded == NULL) {
        return cg_error(CG_OUT_OF_MEMORY, "no memory to read the recording");
    }
    for (size_t t = 0; t < count; t++) {
        if (!cg_head_take_thread(&source, &recording->threads[t])) {
            return cg_error(CG_BAD_INPUT, "thread %zu in the head of the recording is not well formed", t);
        }
        recording->vertex_count += (size_t)recording->threads[t].vertex_count;
    }
    bool good = cg_head_take_tissue_count(&source, &recording->info);
    for (int t = 0; good && t < recording->info.tissue_count; t++) {
        good = cg_head_take_tissue(&source, &recording->tissues[t]);
        recording->vertex_count += (size_t)recording->tissues[t].max_node_count;
    }
    if (!good || source.left != 0 || recording->vertex_count > CG_RECORDED_MOST_VERTICES) {
        return cg_error(CG_BAD_INPUT, "the head of the recording is not well formed");
    }
    return cg_ok();
}

cg_status cg_recording_open(const void *bytes, size_t size, const cg_codec *codec, const cg_allocator *allocator,
                            cg_recording **out)
{
    *out = NULL;
    cg_allocator source = allocator != NULL ? *allocator : cg_memory_default();
    cg_chunk head;
    int version = 0;
    cg_status status = cg_preamble_check(bytes, size, &version);
    if (status.code == CG_OK) {
        const unsigned char *chunks = (const unsigned char *)bytes + CG_PREAMBLE_BYTES;
        status = cg_chunk_read(chunks, size - CG_PREAMBLE_BYTES, &head);
        status = status.code == CG_OK ? status : cg_error(status.code, "the head cannot be read: %s", status.message);
    }
    if (status.code != CG_OK) {
        return status;
    }
    cg_recording *recording = cg_memory_take(&source, sizeof *recording);
    if (recording == NULL) {
        return cg_error(CG_OUT_OF_MEMORY, "no memory to read the recording");
    }
    recording->allocator = source;
    recording->codec = codec != NULL ? *codec : (cg_codec){0};
    recording->info.format_version = version;
    status = read_head(recording, &head);
    if (status.code == CG_OK) {
        status =
            walk_chunks(recording, bytes, size, CG_PREAMBLE_BYTES + CG_CHUNK_HEADER_BYTES + (size_t)head.stored_size);
    }
    if (status.code != CG_OK) {
        cg_recording_close(recording);
        return status;
    }
    *out = recording;
    return status;
}

void cg_recording_close(cg_recording *recording)
{
    if (recording == NULL) {
        return;
    }
    cg_allocator allocator = recording->allocator;
    for (int kind = 0; kind < CG_CHUNK_KIND_COUNT; kind++) {
        cg_memory_give(&allocator, recording->lists[kind].chunks);
        if (recording->expanded != NULL) {
            cg_memory_give(&allocator, recording->expanded[kind].room.bytes);
        }
    }
    cg_memory_give(&allocator, recording->expanded);
    cg_memory_give(&allocator, recording->threads);
    cg_memory_give(&allocator, recording->frames.expanded.room.bytes);
    cg_memory_give(&allocator, recording->frames.body_memory.bytes);
    cg_memory_give(&allocator, recording->frames.memory.bytes);
    cg_recording_free_surfaces(recording);
    cg_memory_give(&allocator, recording);
}

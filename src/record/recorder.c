// Writes a recording. docs/recording.md has the bytes.
//
// Operations, events, frames and hashes are gathered in four buffers. When one of them is full all are written, hashes
// last: whoever reads a chunk of hashes knows all that went before its last step. That is what makes a recording that
// was cut off replayable up to there.
#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "base/bytes.h"
#include "base/memory.h"
#include "base/status.h"
#include "operation/fields.h"
#include "record/hand_items.h"
#include "record/recorder_parts.h"
#include "record/suture_items.h"
#include "world/world.h"

enum {
    OPERATION_ROOM = 64 * 1024,
    EVENT_ROOM = 16 * 1024,
    HAND_ROOM = 32 * 1024,
    SUTURE_ROOM = 64 * 1024, // an item may be large, and few are
    HASHES_PER_CHUNK = 512,
    HASH_BYTES = 12,              // step after the first of the chunk, hash
    FRAME_ROOM = 2 * 1024 * 1024, // a chunk of frames stays below, unless a single frame is larger
    KEY_GROWTH = 1024 * 1024,     // room for contacts, which come and go
    VERTEX_GROWTH = 512,          // and for a vertex that comes: above what the state of one takes
    SMALLEST_SQUEEZED = 64        // bytes; below this a codec only adds
};

cg_recorder_def cg_recorder_def_default(void)
{
    return (cg_recorder_def){.frame_every = 16, .hash_every = 64, .key_every = 4096};
}

bool cg_recorder_is_good(const cg_recorder *recorder)
{
    return recorder->status.code == CG_OK;
}

static void write_bytes(cg_recorder *recorder, const void *bytes, size_t size)
{
    if (cg_recorder_is_good(recorder) && size > 0 && !recorder->def.write(recorder->def.context, bytes, size)) {
        recorder->status = cg_error(CG_FULL, "the recording could not be written further at step %llu",
                                    (unsigned long long)recorder->step);
    }
}

// Writes a chunk, squeezed where there is a codec, room to squeeze into, and something gained.
void cg_recorder_write_chunk(cg_recorder *recorder, cg_chunk chunk, const void *payload, size_t size)
{
    assert(chunk.kind > 0 && chunk.kind < CG_CHUNK_KIND_COUNT);
    assert(payload != NULL || size == 0);
    const cg_codec *codec = &recorder->def.codec;
    chunk.sequence = recorder->sequence++;
    chunk.last_step = recorder->step;
    chunk.raw_size = chunk.stored_size = (uint32_t)size;
    if (codec->squeeze != NULL && chunk.kind != CG_CHUNK_HEAD && size >= SMALLEST_SQUEEZED) {
        size_t room = size - 1 < recorder->squeezed_room ? size - 1 : recorder->squeezed_room;
        size_t got = codec->squeeze(codec->context, payload, size, recorder->squeezed, room);
        if (got > 0 && got <= room) {
            chunk.codec = codec->id;
            chunk.stored_size = (uint32_t)got;
            payload = recorder->squeezed;
        }
    }
    assert(chunk.stored_size <= chunk.raw_size);
    chunk.payload_checksum = cg_chunk_checksum(payload, chunk.stored_size);
    unsigned char header[CG_CHUNK_HEADER_BYTES];
    cg_chunk_write_header(&chunk, header);
    write_bytes(recorder, header, sizeof header);
    write_bytes(recorder, payload, chunk.stored_size);
}

static void flush_items(cg_recorder *recorder, cg_item_buffer *items, cg_chunk_kind kind)
{
    cg_chunk chunk = {.kind = kind, .item_count = items->count};
    chunk.first_step = items->count > 0 ? items->first_step : recorder->step;
    uint64_t *bytes = kind == CG_CHUNK_HANDS     ? &recorder->hands.bytes
                      : kind == CG_CHUNK_BODIES  ? &recorder->bodies.bytes
                      : kind == CG_CHUNK_SUTURES ? &recorder->sutures.bytes
                                                 : &recorder->small_bytes;
    *bytes += items->used;
    if (cg_recorder_is_good(recorder) && recorder->small_bytes > CG_SMALL_MOST_BYTES) {
        recorder->status =
            cg_error(CG_FULL, "the recording has all the operations and events that it may have at step %llu",
                     (unsigned long long)recorder->step);
    }
    cg_recorder_write_chunk(recorder, chunk, items->bytes, items->used);
    items->used = 0;
    items->count = 0;
}

void cg_recorder_flush(cg_recorder *recorder)
{
    if (recorder->operations.count > 0) {
        flush_items(recorder, &recorder->operations, CG_CHUNK_OPERATIONS);
    }
    if (recorder->events.count > 0) {
        flush_items(recorder, &recorder->events, CG_CHUNK_EVENTS);
    }
    if (recorder->hands.items.count > 0) {
        flush_items(recorder, &recorder->hands.items, CG_CHUNK_HANDS);
    }
    if (recorder->bodies.items.count > 0) {
        flush_items(recorder, &recorder->bodies.items, CG_CHUNK_BODIES);
    }
    if (recorder->sutures.items.count > 0) {
        flush_items(recorder, &recorder->sutures.items, CG_CHUNK_SUTURES);
    }
    if (recorder->frames.count > 0) {
        cg_recorder_flush_frames(recorder);
    }
    flush_items(recorder, &recorder->hashes, CG_CHUNK_HASHES);
}

// Room for one more item, after a flush if need be.
static cg_byte_sink begin_item(cg_recorder *recorder, cg_item_buffer *items, size_t most)
{
    if (items->room - items->used < most) {
        cg_recorder_flush(recorder);
    }
    if (items->count == 0) {
        items->first_step = recorder->step;
    }
    return cg_write_to(items->bytes + items->used, most);
}

static void end_item(cg_item_buffer *items, size_t size, uint64_t *total)
{
    items->used += size;
    items->count++;
    *total += 1;
}

void cg_recorder_note_operation(cg_recorder *recorder, const cg_operation *operation)
{
    assert((unsigned)operation->kind < CG_OPERATION_COUNT);
    if (!cg_recorder_is_good(recorder)) {
        return;
    }
    cg_operation stamped = *operation;
    stamped.step = recorder->step;
    cg_byte_sink sink = begin_item(recorder, &recorder->operations, CG_OPERATION_MOST_BYTES);
    size_t size = cg_operation_encode(&stamped, sink.next, sink.left);
    if (size == 0) {
        recorder->status = cg_error(CG_BAD_INPUT, "kind %d is no operation", (int)operation->kind);
        return;
    }
    end_item(&recorder->operations, size, &recorder->totals.operations);
    recorder->changed_since_step = true;
}

void cg_recorder_note_event(cg_recorder *recorder, const char *text)
{
    assert(text != NULL);
    if (!cg_recorder_is_good(recorder)) {
        return;
    }
    size_t length = cg_text_length(text, CG_TEXT_MOST_BYTES);
    cg_byte_sink sink = begin_item(recorder, &recorder->events, 8 + 2 + CG_TEXT_MOST_BYTES + 1);
    size_t room = sink.left;
    cg_put_u64(&sink, recorder->step);
    cg_put_text(&sink, text, length);
    end_item(&recorder->events, room - sink.left, &recorder->totals.events);
}

// What stands beside a frame: one item each, as long as there is room. Without it a recording is whole all the same.
static void take_beside(cg_recorder *recorder, const cg_world *world, cg_items_beside *beside, size_t most,
                        void (*write)(cg_byte_sink *, uint64_t, const cg_world *))
{
    bool is_next = recorder->totals.frames == beside->count + 1;
    if (!cg_recorder_is_good(recorder) || !is_next || beside->bytes + beside->items.used + most > CG_SMALL_MOST_BYTES) {
        return;
    }
    cg_byte_sink sink = begin_item(recorder, &beside->items, most);
    size_t room = sink.left;
    write(&sink, recorder->step, world);
    assert(sink.good);
    end_item(&beside->items, room - sink.left, &beside->count);
}

static void take_hands(cg_recorder *recorder, const cg_world *world)
{
    if (cg_hands_count(world) > 0) {
        take_beside(recorder, world, &recorder->hands, CG_HANDS_MOST_BYTES, cg_hands_write);
    }
}

static void take_bodies(cg_recorder *recorder, const cg_world *world)
{
    if (cg_bodies_count(world) > 0) {
        take_beside(recorder, world, &recorder->bodies, CG_BODIES_MOST_BYTES, cg_bodies_write);
    }
}

// Needles, holes and what jaws hold.
static void take_sutures(cg_recorder *recorder, const cg_world *world)
{
    if (cg_sutures_are_there(world)) {
        take_beside(recorder, world, &recorder->sutures, CG_SUTURES_MOST_BYTES, cg_sutures_write);
    }
}

static void take_hash(cg_recorder *recorder, const cg_world *world)
{
    cg_item_buffer *hashes = &recorder->hashes;
    if (recorder->step - hashes->first_step > UINT32_MAX) {
        cg_recorder_flush(recorder);
    }
    cg_byte_sink sink = begin_item(recorder, hashes, HASH_BYTES);
    cg_put_u32(&sink, (uint32_t)(recorder->step - hashes->first_step));
    cg_put_u64(&sink, cg_world_state_hash(world));
    end_item(hashes, HASH_BYTES, &recorder->totals.hashes);
    recorder->last_hash_step = recorder->step;
}

static int most_points_of(const cg_recorder *recorder, const cg_world *world, int body)
{
    int tissue = body - recorder->thread_count;
    return tissue < 0 ? cg_world_thread_room(world, body)
                      : cg_tissue_max_nodes(world, cg_operation_tissue(world, tissue));
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

// The one list of a recorder's arrays, to measure and to carve.
static void lay_out(cg_arena *arena, cg_recorder *recorder, const cg_world *world)
{
    cg_frame_buffer *frames = &recorder->frames;
    size_t numbers = 3 * recorder->vertex_count;
    size_t per_frame = numbers * sizeof(int32_t);
    size_t fitting = per_frame > 0 ? FRAME_ROOM / per_frame : CG_FRAMES_PER_CHUNK;
    frames->capacity = fitting < 1 ? 1 : fitting > CG_FRAMES_PER_CHUNK ? CG_FRAMES_PER_CHUNK : (int)fitting;
    frames->front_room = cg_frame_front_bytes(recorder->body_count, recorder->body_count, frames->capacity);
    size_t frame_room = frames->front_room + (size_t)frames->capacity * per_frame;
    frames->bytes = cg_arena_push(arena, 1, frame_room);
    frames->vertex_counts = cg_arena_push_array(arena, int, recorder->body_count);
    recorder->most_vertices = cg_arena_push_array(arena, int, recorder->body_count);
    frames->numbers[0] = cg_arena_push_array(arena, int32_t, numbers);
    frames->numbers[1] = cg_arena_push_array(arena, int32_t, numbers);
    frames->residuals = cg_arena_push_array(arena, uint32_t, numbers);
    frames->steps = cg_arena_push_array(arena, uint32_t, frames->capacity);
    frames->times = cg_arena_push_array(arena, double, frames->capacity);
    recorder->operations.room = OPERATION_ROOM;
    recorder->events.room = EVENT_ROOM;
    recorder->hashes.room = (size_t)HASHES_PER_CHUNK * HASH_BYTES;
    recorder->hands.items.room = HAND_ROOM;
    recorder->bodies.items.room = HAND_ROOM;
    recorder->sutures.items.room = SUTURE_ROOM;
    recorder->operations.bytes = cg_arena_push(arena, 1, recorder->operations.room);
    recorder->events.bytes = cg_arena_push(arena, 1, recorder->events.room);
    recorder->hashes.bytes = cg_arena_push(arena, 1, recorder->hashes.room);
    recorder->hands.items.bytes = cg_arena_push(arena, 1, recorder->hands.items.room);
    recorder->bodies.items.bytes = cg_arena_push(arena, 1, recorder->bodies.items.room);
    recorder->sutures.items.bytes = cg_arena_push(arena, 1, recorder->sutures.items.room);
    recorder->key = cg_arena_push(arena, 1, recorder->key_room);
    cg_surface_keeper_lay_out(&recorder->surfaces, arena, world, recorder->body_count - recorder->thread_count);
    bool squeezes = recorder->def.codec.squeeze != NULL;
    recorder->squeezed_room =
        squeezes ? larger(larger(frame_room, recorder->key_room), larger(OPERATION_ROOM, recorder->surfaces.room)) : 0;
    recorder->squeezed = cg_arena_push(arena, 1, recorder->squeezed_room);
}

// Takes memory for the bodies that the world has now, as much as they can need.
static cg_status take_memory(cg_recorder *recorder, const cg_world *world)
{
    recorder->vertex_count = 0;
    for (int t = 0; t < recorder->body_count; t++) {
        recorder->vertex_count += (size_t)most_points_of(recorder, world, t);
    }
    if (recorder->vertex_count > CG_RECORDED_MOST_VERTICES) {
        return cg_error(CG_FULL, "%zu vertices are more than a recording takes", recorder->vertex_count);
    }
    size_t key_size = 2 * cg_world_snapshot_size(world) + KEY_GROWTH + VERTEX_GROWTH * recorder->vertex_count;
    recorder->key_room = key_size < CG_CHUNK_MOST_BYTES ? key_size : CG_CHUNK_MOST_BYTES;
    void *before = recorder->memory;
    const int *most_before = recorder->most_vertices;
    cg_arena arena;
    cg_arena_init(&arena, NULL, 0);
    lay_out(&arena, recorder, world);
    size_t bytes = cg_arena_used(&arena);
    recorder->memory = cg_memory_take(&recorder->def.allocator, bytes);
    if (recorder->memory == NULL) {
        recorder->memory = before;
        return cg_error(CG_OUT_OF_MEMORY, "no memory for a recorder");
    }
    cg_arena_init(&arena, recorder->memory, bytes);
    lay_out(&arena, recorder, world);
    for (int t = 0; t < recorder->body_count; t++) {
        bool in_head = t < recorder->thread_count + recorder->tissue_count;
        recorder->most_vertices[t] = !in_head         ? 0
                                     : before != NULL ? most_before[t]
                                                      : most_points_of(recorder, world, t);
    }
    cg_memory_give(&recorder->def.allocator, before);
    return cg_ok();
}

// The places of tissues that the world uses, at least those of the head.
static int tissue_places(const cg_recorder *recorder, const cg_world *world)
{
    int places = recorder->tissue_count;
    for (int i = places; i < world->tissues.capacity; i++) {
        places = cg_operation_tissue(world, i).index != 0 ? i + 1 : places;
    }
    return places;
}

// False when a tissue came for which there is no room.
bool cg_recorder_has_room(const cg_recorder *recorder, const cg_world *world)
{
    int places = tissue_places(recorder, world);
    bool fits = places <= recorder->surfaces.count;
    for (int i = 0; i < places && fits; i++) {
        fits = cg_surface_keeper_has_room(&recorder->surfaces, world, i);
    }
    return fits;
}

// Tissues that come do so between steps, by a call that takes memory; then more is taken here too.
void cg_recorder_make_room(cg_recorder *recorder, const cg_world *world)
{
    if (!cg_recorder_is_good(recorder) || cg_recorder_has_room(recorder, world)) {
        return;
    }
    cg_recorder_flush(recorder);
    int places = tissue_places(recorder, world);
    recorder->body_count = recorder->thread_count + places;
    cg_status status = take_memory(recorder, world);
    recorder->status = cg_recorder_is_good(recorder) ? status : recorder->status;
}

// A frame, what the hands did then, where bodies were and what was sewn: the items of all go together, by their
// numbers.
static void take_frame(cg_recorder *recorder, const cg_world *world)
{
    cg_recorder_take_frame(recorder, world);
    take_hands(recorder, world);
    take_bodies(recorder, world);
    take_sutures(recorder, world);
}

static void take_key(cg_recorder *recorder, const cg_world *world)
{
    size_t size = cg_world_snapshot_size(world);
    if (size > recorder->key_room) {
        cg_recorder_note_event(recorder, "no key here: the state has grown too large");
        return;
    }
    cg_recorder_flush(recorder);
    cg_status status = cg_world_snapshot(world, recorder->key, size);
    if (status.code != CG_OK) {
        recorder->status = status;
        return;
    }
    recorder->totals.keys++;
    cg_recorder_write_chunk(recorder, (cg_chunk){.kind = CG_CHUNK_KEY, .item_count = 1, .first_step = recorder->step},
                            recorder->key, size);
}

static void flush_full_frames(cg_recorder *recorder)
{
    if (recorder->frames.count == recorder->frames.capacity) {
        cg_recorder_flush(recorder);
    }
}

void cg_recorder_note_step(cg_recorder *recorder, const cg_world *world)
{
    assert(recorder->frames.count <= recorder->frames.capacity);
    if (!cg_recorder_is_good(recorder)) {
        return;
    }
    recorder->step++;
    recorder->changed_since_step = false;
    if (recorder->step % (uint64_t)recorder->def.frame_every == 0) {
        take_frame(recorder, world);
    }
    if (recorder->step % (uint64_t)recorder->def.hash_every == 0) {
        take_hash(recorder, world);
    }
    if (recorder->step % (uint64_t)recorder->def.key_every == 0) {
        take_key(recorder, world);
    }
    flush_full_frames(recorder);
}

cg_status cg_recorder_status(const cg_recorder *recorder)
{
    return recorder->status;
}

static void write_end(cg_recorder *recorder)
{
    unsigned char payload[CG_TOTALS_BYTES];
    recorder->totals.steps = recorder->step;
    cg_totals_write(&recorder->totals, payload);
    cg_recorder_write_chunk(recorder, (cg_chunk){.kind = CG_CHUNK_END, .item_count = 1, .first_step = recorder->step},
                            payload, sizeof payload);
}

cg_status cg_recorder_finish(cg_recorder *recorder, const cg_world *world)
{
    if (recorder == NULL) {
        return cg_ok();
    }
    if (cg_recorder_is_good(recorder)) {
        // A hash taken after operations that no step followed would belong to no step.
        bool is_whole = world != NULL && !recorder->changed_since_step;
        if (is_whole && recorder->last_frame_step != recorder->step) {
            take_frame(recorder, world);
        }
        if (is_whole && recorder->last_hash_step != recorder->step) {
            take_hash(recorder, world);
        }
        cg_recorder_flush(recorder);
        write_end(recorder);
    }
    cg_status status = recorder->status;
    cg_allocator allocator = recorder->def.allocator;
    cg_memory_give(&allocator, recorder->memory);
    cg_memory_give(&allocator, recorder);
    return status;
}

static cg_status check_def(const cg_recorder_def *def, const cg_scene *scene, const cg_world *world)
{
    if (def->write == NULL) {
        return cg_error(CG_BAD_INPUT, "a recorder needs a place to write to");
    }
    if (def->frame_every < 1 || def->hash_every < 1 || def->key_every < 1) {
        return cg_error(CG_BAD_INPUT, "frame_every, hash_every and key_every are %d, %d and %d; expected 1 or more",
                        def->frame_every, def->hash_every, def->key_every);
    }
    if (def->codec.squeeze != NULL && (def->codec.id == 0 || def->codec.id > UINT16_MAX)) {
        return cg_error(CG_BAD_INPUT, "the codec's id is %u; expected 1 to 65535", (unsigned)def->codec.id);
    }
    if (!cg_memory_is_usable(&def->allocator)) {
        return cg_error(CG_BAD_INPUT, "allocator has one of its two functions only");
    }
    for (int t = 0; t < cg_scene_thread_count(scene); t++) {
        if (cg_world_thread_room(world, t) == 0) {
            return cg_error(CG_BAD_INPUT, "the world lacks thread %d of the scene", t);
        }
    }
    for (int t = 0; t < cg_scene_tissue_count(scene); t++) {
        if (cg_operation_tissue(world, t).index == 0) {
            return cg_error(CG_BAD_INPUT, "the world lacks tissue %d of the scene", t);
        }
    }
    return cg_ok();
}

// Head and scene, made in memory that is given back at once.
static cg_status write_beginning(cg_recorder *recorder, const cg_scene *scene, const cg_world *world)
{
    cg_recorder_def *def = &recorder->def;
    size_t head_size = cg_head_size(scene), sources_size = cg_sources_size(scene);
    if (head_size > CG_SMALL_CHUNK_MOST_BYTES || sources_size > CG_CHUNK_MOST_BYTES) {
        return cg_error(CG_FULL, "the scene's texts are too long for a recording");
    }
    unsigned char *bytes = cg_memory_take(&def->allocator, larger(head_size, sources_size));
    if (bytes == NULL) {
        return cg_error(CG_OUT_OF_MEMORY, "no memory for the head of a recording");
    }
    unsigned char preamble[CG_PREAMBLE_BYTES];
    cg_preamble_write(preamble);
    write_bytes(recorder, preamble, sizeof preamble);
    head_size = cg_head_write(def, scene, world, bytes, head_size);
    cg_recorder_write_chunk(recorder, (cg_chunk){.kind = CG_CHUNK_HEAD, .item_count = 1}, bytes, head_size);
    cg_sources_write(scene, bytes, sources_size);
    cg_recorder_write_chunk(recorder, (cg_chunk){.kind = CG_CHUNK_SOURCES, .item_count = 1}, bytes, sources_size);
    cg_memory_give(&def->allocator, bytes);
    def->program = NULL; // the caller's
    return recorder->status;
}

// A recorder with its beginning written, nothing noted yet.
static cg_status begin(const cg_recorder_def *def, const cg_scene *scene, const cg_world *world, cg_recorder **out)
{
    *out = NULL;
    cg_status status = check_def(def, scene, world);
    if (status.code != CG_OK) {
        return status;
    }
    cg_recorder *recorder = cg_memory_take(&def->allocator, sizeof *recorder);
    if (recorder == NULL) {
        return cg_error(CG_OUT_OF_MEMORY, "no memory for a recorder");
    }
    recorder->def = *def;
    recorder->status = cg_ok();
    recorder->thread_count = cg_scene_thread_count(scene);
    recorder->tissue_count = cg_scene_tissue_count(scene);
    recorder->body_count = recorder->thread_count + tissue_places(recorder, world);
    status = take_memory(recorder, world);
    status = status.code == CG_OK ? write_beginning(recorder, scene, world) : status;
    if (status.code != CG_OK) {
        cg_memory_give(&def->allocator, recorder->memory);
        cg_memory_give(&def->allocator, recorder);
        return status;
    }
    *out = recorder;
    return cg_ok();
}

cg_status cg_recorder_create(const cg_recorder_def *def, const cg_scene *scene, const cg_world *world,
                             cg_recorder **out)
{
    *out = NULL;
    if (cg_world_get_stats(world).step_count != 0) {
        return cg_error(CG_BAD_INPUT, "the world has made steps already; a recording starts with a new world");
    }
    cg_status status = begin(def, scene, world, out);
    if (status.code == CG_OK) {
        take_frame(*out, world);
        take_hash(*out, world);
        flush_full_frames(*out);
    }
    return status;
}

cg_status cg_recorder_create_here(const cg_recorder_def *def, const cg_scene *scene, const cg_world *world,
                                  cg_recorder **out)
{
    cg_status status = begin(def, scene, world, out);
    if (status.code != CG_OK) {
        return status;
    }
    cg_recorder *recorder = *out;
    recorder->step = cg_world_get_stats(world).step_count;
    take_frame(recorder, world);
    take_hash(recorder, world);
    if (cg_recorder_is_good(recorder)) {
        take_key(recorder, world);
    }
    if (cg_recorder_is_good(recorder) && recorder->totals.keys == 0) {
        recorder->status = cg_error(CG_FULL, "the state is too large for a key");
    }
    if (!cg_recorder_is_good(recorder)) {
        *out = NULL;
        return cg_recorder_finish(recorder, NULL);
    }
    return cg_ok();
}

cg_status cg_recorder_snapshot(const cg_recorder_def *def, const cg_scene *scene, const cg_world *world)
{
    cg_recorder *recorder;
    cg_status status = cg_recorder_create_here(def, scene, world, &recorder);
    return status.code == CG_OK ? cg_recorder_finish(recorder, world) : status;
}

// Gets things out of a recording that is open.
#include <assert.h>

#include "base/arena.h"
#include "base/memory.h"
#include "base/status.h"
#include "record/frame_code.h"
#include "record/hand_items.h"
#include "record/recording_parts.h"

const char *cg_recording_damage(const cg_recording *recording)
{
    return recording->damage;
}

cg_status cg_recording_check_versions(const cg_recording *recording)
{
    const cg_recording_info *info = &recording->info;
    if (info->state_version == CG_SNAPSHOT_VERSION && info->motion_version == CG_MOTION_VERSION) {
        return cg_ok();
    }
    return cg_error(CG_MISMATCH,
                    "it was recorded with motion %d and states %d; this program has motion %d and states %d. It can be "
                    "watched and exported, not run again",
                    info->motion_version, info->state_version, CG_MOTION_VERSION, CG_SNAPSHOT_VERSION);
}

cg_recording_info cg_recording_get_info(const cg_recording *recording)
{
    return recording->info;
}

bool cg_recording_thread(const cg_recording *recording, int index, cg_recorded_thread *thread)
{
    if (index < 0 || index >= recording->info.thread_count) {
        return false;
    }
    *thread = recording->threads[index];
    return true;
}

bool cg_recording_tissue(const cg_recording *recording, int index, cg_recorded_tissue *tissue)
{
    if (index < 0 || index >= recording->info.tissue_count) {
        return false;
    }
    *tissue = recording->tissues[index];
    return true;
}

uint64_t cg_recording_step_count(const cg_recording *recording)
{
    return recording->step_count;
}

cg_status cg_recording_scene(const cg_recording *recording, const cg_allocator *allocator, cg_scene **scene,
                             cg_scene_error *error)
{
    *scene = NULL;
    memset(error, 0, sizeof *error);
    if (!recording->has_sources) {
        return cg_error(CG_BAD_INPUT, "the scene in the recording is lost: %.140s", recording->damage);
    }
    cg_byte_room room = {0};
    const unsigned char *bytes = cg_expand_into(recording, &recording->sources, &room);
    cg_status status = bytes != NULL
                           ? cg_sources_read(bytes, recording->sources.raw_size, allocator, scene, error)
                           : cg_error(CG_BAD_INPUT, "the scene in the recording cannot be expanded (codec %u)",
                                      (unsigned)recording->sources.codec);
    cg_memory_give(&recording->allocator, room.bytes);
    return status;
}

// The number of the chunk that has an item; the index is good.
static size_t chunk_of_item(const cg_chunk_list *list, size_t index)
{
    size_t low = 0, high = list->count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (list->chunks[middle].first_item <= index) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

// Makes `expanded` stand in the chunk that has item `index`. False when it cannot be expanded.
static bool go_to_chunk(const cg_recording *recording, cg_chunk_kind kind, size_t index, cg_expanded_chunk *expanded)
{
    const cg_chunk_list *list = &recording->lists[kind];
    size_t number = chunk_of_item(list, index);
    if (expanded->number == number + 1) {
        return true;
    }
    const cg_stored_chunk *stored = &list->chunks[number];
    expanded->bytes = cg_expand_into(recording, &stored->chunk, &expanded->room);
    expanded->number = expanded->bytes != NULL ? number + 1 : 0;
    expanded->item = stored->first_item;
    expanded->offset = 0;
    return expanded->bytes != NULL;
}

// One item of any kind that stands in a small chunk.
typedef struct small_item {
    cg_operation operation;
    uint64_t step, hash;
    const char *text;
    cg_recorded_hand *hands; // where to put them; NULL: nowhere
    int hand_count;
    cg_recorded_body *bodies; // the same
    int body_count;
    cg_suture_item *sutures; // the same
} small_item;

static bool take_item(cg_byte_source *source, const cg_chunk *chunk, small_item *item)
{
    switch (chunk->kind) {
    case CG_CHUNK_OPERATIONS:
        return cg_take_operation(source, &item->operation);
    case CG_CHUNK_EVENTS:
        return cg_take_event(source, &item->step, &item->text);
    case CG_CHUNK_HANDS:
        return cg_hands_read(source, &item->step, item->hands, &item->hand_count);
    case CG_CHUNK_BODIES:
        return cg_bodies_read(source, &item->step, item->bodies, &item->body_count);
    case CG_CHUNK_SUTURES:
        return cg_sutures_read(source, &item->step, item->sutures);
    default:
        return cg_take_hash(source, chunk->first_step, &item->step, &item->hash);
    }
}

static bool find_item(const cg_recording *recording, cg_chunk_kind kind, size_t index, small_item *item)
{
    const cg_chunk_list *list = &recording->lists[kind];
    cg_expanded_chunk *expanded = &recording->expanded[kind];
    if (index >= list->item_count || !go_to_chunk(recording, kind, index, expanded)) {
        return false;
    }
    const cg_stored_chunk *stored = &list->chunks[expanded->number - 1];
    if (index < expanded->item) {
        expanded->item = stored->first_item;
        expanded->offset = 0;
    }
    cg_byte_source source = cg_read_from(expanded->bytes + expanded->offset, stored->chunk.raw_size - expanded->offset);
    for (size_t i = expanded->item; i <= index; i++) {
        expanded->item = i;
        expanded->offset = stored->chunk.raw_size - source.left;
        if (!take_item(&source, &stored->chunk, item)) {
            return false;
        }
    }
    return true;
}

size_t cg_recording_operation_count(const cg_recording *recording)
{
    return recording->lists[CG_CHUNK_OPERATIONS].item_count;
}

bool cg_recording_operation(const cg_recording *recording, size_t index, cg_operation *operation)
{
    small_item item;
    if (!find_item(recording, CG_CHUNK_OPERATIONS, index, &item)) {
        return false;
    }
    *operation = item.operation;
    return true;
}

size_t cg_recording_hash_count(const cg_recording *recording)
{
    return recording->lists[CG_CHUNK_HASHES].item_count;
}

bool cg_recording_hash(const cg_recording *recording, size_t index, uint64_t *step, uint64_t *hash)
{
    small_item item;
    if (!find_item(recording, CG_CHUNK_HASHES, index, &item)) {
        return false;
    }
    *step = item.step;
    *hash = item.hash;
    return true;
}

size_t cg_recording_event_count(const cg_recording *recording)
{
    return recording->lists[CG_CHUNK_EVENTS].item_count;
}

bool cg_recording_event(const cg_recording *recording, size_t index, uint64_t *step, const char **text)
{
    small_item item;
    if (!find_item(recording, CG_CHUNK_EVENTS, index, &item)) {
        return false;
    }
    *step = item.step;
    *text = item.text;
    return true;
}

bool cg_recording_key(cg_recording *recording, uint64_t at_or_before, uint64_t *step, const void **bytes, size_t *size)
{
    assert(bytes != NULL && size != NULL);
    const cg_chunk_list *keys = &recording->lists[CG_CHUNK_KEY];
    size_t low = 0, high = keys->count; // keys before `low` are early enough, those from `high` on are not
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (keys->chunks[middle].chunk.first_step <= at_or_before) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    cg_expanded_chunk *expanded = &recording->expanded[CG_CHUNK_KEY];
    if (low == 0 || !go_to_chunk(recording, CG_CHUNK_KEY, low - 1, expanded)) {
        return false;
    }
    const cg_chunk *chunk = &keys->chunks[low - 1].chunk;
    *step = chunk->first_step;
    *bytes = expanded->bytes;
    *size = chunk->raw_size;
    return true;
}

size_t cg_recording_frame_count(const cg_recording *recording)
{
    return recording->lists[CG_CHUNK_FRAMES].item_count;
}

// Room for what there is per body, as many as there can ever be.
static bool take_body_memory(cg_recording *recording)
{
    cg_frame_reader *frames = &recording->frames;
    size_t count = (size_t)recording->info.thread_count + CG_RECORDED_MOST_TISSUES;
    size_t size = count * (sizeof *frames->vertices + sizeof *frames->vertex_counts);
    if (frames->body_memory.bytes == NULL) {
        if (!cg_byte_room_ensure(&frames->body_memory, size, &recording->allocator)) {
            return false;
        }
        frames->vertices = (const float **)(void *)frames->body_memory.bytes;
        frames->vertex_counts = (int *)(void *)(frames->vertices + count);
    }
    return true;
}

static void lay_out_frame(cg_arena *arena, cg_frame_reader *frames)
{
    frames->numbers = cg_arena_push_array(arena, int32_t, frames->number_count);
    frames->coordinates = cg_arena_push_array(arena, float, frames->number_count);
}

// Room for the numbers of the present chunk.
static bool take_frame_memory(cg_recording *recording)
{
    cg_frame_reader *frames = &recording->frames;
    cg_arena arena;
    cg_arena_init(&arena, NULL, 0);
    lay_out_frame(&arena, frames);
    if (!cg_byte_room_ensure(&frames->memory, cg_arena_used(&arena), &recording->allocator)) {
        return false;
    }
    cg_arena_init(&arena, frames->memory.bytes, frames->memory.size);
    lay_out_frame(&arena, frames);
    const float *next = frames->coordinates;
    for (int t = 0; t < frames->body_count; t++) {
        frames->vertices[t] = next;
        next += 3 * (size_t)frames->vertex_counts[t];
    }
    return true;
}

// The steps of a chunk's frames stand behind what is said of the threads, the times behind the steps.
static cg_byte_source front_part(const cg_recording *recording, const cg_chunk *chunk, const unsigned char *bytes,
                                 size_t skipped)
{
    cg_byte_source source = cg_read_from(bytes, chunk->raw_size);
    cg_take_bytes(&source,
                  cg_frame_front_bytes(recording->frames.body_count, recording->frames.own_counts, 0) + skipped);
    return source;
}

static bool frame_steps_are_good(const cg_recording *recording, const cg_chunk *chunk, const unsigned char *bytes)
{
    cg_byte_source source = front_part(recording, chunk, bytes, 0);
    uint64_t last = 0;
    for (uint32_t f = 0; f < chunk->item_count; f++) {
        uint64_t step = cg_take_u32(&source);
        if ((f == 0) != (step == 0) || (f > 0 && step <= last) || chunk->first_step + step > chunk->last_step) {
            return false;
        }
        last = step;
    }
    for (uint32_t f = 0; f < chunk->item_count; f++) {
        double time = cg_take_double(&source);
        if (!(time - time == 0)) {
            return false;
        }
    }
    return source.good;
}

// What the head says of a body; 0 of a tissue that came later.
static uint32_t head_points_of(const cg_recording *recording, int body)
{
    int tissue = body - recording->info.thread_count;
    return tissue < 0                              ? (uint32_t)recording->threads[body].vertex_count
           : tissue < recording->info.tissue_count ? (uint32_t)recording->tissues[tissue].max_node_count
                                                   : 0;
}

// Which bodies are there, and with how many vertices or nodes. A tissue has all nodes of its surface, where that is
// recorded.
static bool take_vertex_counts(cg_recording *recording, cg_byte_source *source)
{
    cg_frame_reader *frames = &recording->frames;
    bool good = true;
    frames->number_count = 0;
    frames->own_counts = 0;
    cg_byte_source own = *source;
    cg_take_bytes(&own, (size_t)frames->body_count);
    for (int t = 0; t < frames->body_count; t++) {
        int tissue = t - recording->info.thread_count;
        const cg_kept_surface *surface = tissue >= 0 ? &recording->surfaces.surfaces[tissue].kept : NULL;
        unsigned presence = cg_take_u8(source);
        uint32_t most = head_points_of(recording, t), count = presence == CG_FRAME_ABSENT ? 0 : most;
        if (presence == CG_FRAME_OWN_COUNT) {
            count = cg_take_u32(&own);
            good = good && count >= (tissue < 0 ? 2 : 1);
            frames->own_counts++;
        }
        bool fits =
            surface != NULL && surface->there ? count == 0 || count == (uint32_t)surface->node_count : count <= most;
        good = good && presence <= CG_FRAME_OWN_COUNT && fits;
        frames->vertex_counts[t] = good ? (int)count : 0;
        frames->number_count += 3 * (size_t)frames->vertex_counts[t];
    }
    *source = own;
    return good && own.good && frames->number_count <= 3 * (size_t)CG_RECORDED_MOST_VERTICES;
}

// Checks the front of a chunk of frames and stands before its first frame.
static bool begin_frames(cg_recording *recording, const cg_chunk *chunk)
{
    cg_frame_reader *frames = &recording->frames;
    bool held = cg_recording_surfaces_at(recording, chunk->sequence);
    int tissue_count = recording->surfaces.count;
    frames->body_count =
        recording->info.thread_count + (tissue_count > 0 ? tissue_count : recording->info.tissue_count);
    cg_byte_source source = cg_read_from(frames->expanded.bytes, chunk->raw_size);
    frames->plane_count = cg_take_u8(&source);
    frames->exponent = (int)(int8_t)cg_take_u8(&source);
    bool good = take_vertex_counts(recording, &source) && held;
    size_t front = cg_frame_front_bytes(recording->frames.body_count, frames->own_counts, (int)chunk->item_count);
    size_t planes = (CG_FRAME_PLANES + (size_t)frames->plane_count * (chunk->item_count - 1)) * frames->number_count;
    good = good && source.good && frames->plane_count <= CG_FRAME_PLANES && chunk->raw_size == front + planes &&
           frames->exponent >= CG_FRAME_FINEST && frames->exponent <= CG_FRAME_COARSEST &&
           frame_steps_are_good(recording, chunk, frames->expanded.bytes);
    frames->error = 0.5 * cg_frame_quantum(frames->exponent);
    return good;
}

// Makes the frame `index`, which is in the present chunk, from the one made last or from the first.
static void make_frame(cg_recording *recording, const cg_stored_chunk *stored, size_t index, bool is_new_chunk)
{
    cg_frame_reader *frames = &recording->frames;
    size_t first = stored->first_item, count = stored->chunk.item_count, numbers = frames->number_count;
    const unsigned char *first_planes =
        frames->expanded.bytes + cg_frame_front_bytes(recording->frames.body_count, frames->own_counts, (int)count);
    const unsigned char *planes = first_planes + CG_FRAME_PLANES * numbers;
    size_t next = frames->expanded.item + 1;
    if (is_new_chunk || index < frames->expanded.item) {
        memset(frames->numbers, 0, sizeof(int32_t) * numbers);
        cg_frame_read_planes(frames->numbers, numbers, first_planes, numbers, CG_FRAME_PLANES);
        next = first + 1;
    }
    for (; next <= index; next++) {
        cg_frame_read_planes(frames->numbers, numbers, planes + (next - first - 1) * numbers, (count - 1) * numbers,
                             frames->plane_count);
    }
    frames->expanded.item = index;
    double quantum = cg_frame_quantum(frames->exponent);
    for (size_t i = 0; i < numbers; i++) {
        frames->coordinates[i] = (float)(quantum * frames->numbers[i]);
    }
}

// What the hands did at a frame; -1 when that is not there. Items and frames have the same numbers.
static int take_hands(cg_recording *recording, size_t index, uint64_t step)
{
    small_item item = {.hands = recording->hands};
    return find_item(recording, CG_CHUNK_HANDS, index, &item) && item.step == step ? item.hand_count : -1;
}

// The same of bodies.
static int take_bodies(cg_recording *recording, size_t index, uint64_t step)
{
    small_item item = {.bodies = recording->bodies};
    return find_item(recording, CG_CHUNK_BODIES, index, &item) && item.step == step ? item.body_count : -1;
}

// The same of needles, holes and grips.
static void take_sutures(cg_recording *recording, size_t index, cg_recorded_frame *frame)
{
    const cg_suture_item *sutures = &recording->sutures;
    small_item item = {.sutures = &recording->sutures};
    bool known = find_item(recording, CG_CHUNK_SUTURES, index, &item) && item.step == frame->step;
    frame->needle_count = known ? sutures->needle_count : -1;
    frame->needles = sutures->needles;
    frame->hole_count = known ? sutures->hole_count : 0;
    frame->holes = sutures->holes;
    frame->grip_count = known ? sutures->grip_count : 0;
    frame->grips = sutures->grips;
}

cg_status cg_recording_frame(cg_recording *recording, size_t index, cg_recorded_frame *frame)
{
    *frame = (cg_recorded_frame){0};
    const cg_chunk_list *list = &recording->lists[CG_CHUNK_FRAMES];
    cg_frame_reader *frames = &recording->frames;
    if (index >= list->item_count) {
        return cg_error(CG_BAD_INPUT, "frame %zu; the recording has %zu", index, list->item_count);
    }
    if (!take_body_memory(recording)) {
        return cg_error(CG_OUT_OF_MEMORY, "no memory for a frame");
    }
    size_t before = frames->expanded.number;
    if (!go_to_chunk(recording, CG_CHUNK_FRAMES, index, &frames->expanded)) {
        return cg_error(CG_BAD_INPUT, "frame %zu cannot be expanded", index);
    }
    const cg_stored_chunk *stored = &list->chunks[frames->expanded.number - 1];
    bool is_new_chunk = frames->expanded.number != before;
    if (is_new_chunk && !begin_frames(recording, &stored->chunk)) {
        frames->expanded.number = 0;
        return cg_error(CG_BAD_INPUT, "frame %zu is not well formed", index);
    }
    if (is_new_chunk && !take_frame_memory(recording)) {
        frames->expanded.number = 0;
        return cg_error(CG_OUT_OF_MEMORY, "no memory for a frame");
    }
    make_frame(recording, stored, index, is_new_chunk);
    cg_recording_list_surfaces(recording);
    size_t in_chunk = index - stored->first_item, count = stored->chunk.item_count;
    cg_byte_source steps = front_part(recording, &stored->chunk, frames->expanded.bytes, 4 * in_chunk);
    cg_byte_source times = front_part(recording, &stored->chunk, frames->expanded.bytes, 4 * count + 8 * in_chunk);
    *frame = (cg_recorded_frame){.step = stored->chunk.first_step + cg_take_u32(&steps),
                                 .time = cg_take_double(&times),
                                 .thread_count = recording->info.thread_count,
                                 .vertex_counts = frames->vertex_counts,
                                 .vertices = frames->vertices,
                                 .tissue_count = frames->body_count - recording->info.thread_count,
                                 .node_counts = frames->vertex_counts + recording->info.thread_count,
                                 .nodes = frames->vertices + recording->info.thread_count,
                                 .surfaces = recording->surfaces.told,
                                 .hands = recording->hands,
                                 .bodies = recording->bodies,
                                 .error = frames->error};
    frame->hand_count = take_hands(recording, index, frame->step);
    frame->body_count = take_bodies(recording, index, frame->step);
    take_sutures(recording, index, frame);
    return cg_ok();
}

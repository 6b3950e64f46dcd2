// The frames of a recording: positions of all threads and tissues as whole numbers in planes (frame_code.h), gathered
// as long as the bodies have the same vertices and surfaces.
#include <assert.h>
#include <string.h>

#include "base/bytes.h"
#include "base/status.h"
#include "operation/fields.h"
#include "record/frame_code.h"
#include "record/recorder_parts.h"
#include "world/world.h"

static unsigned char *first_frame(const cg_frame_buffer *frames)
{
    return frames->bytes + frames->front_room;
}

// The planes of the frames behind the first.
static unsigned char *other_frames(const cg_frame_buffer *frames)
{
    return first_frame(frames) + CG_FRAME_PLANES * frames->number_count;
}

static size_t plane_size_of(const cg_frame_buffer *frames)
{
    return (size_t)(frames->capacity - 1) * frames->number_count;
}

static cg_frame_presence presence_of(const cg_recorder *recorder, int body)
{
    int count = recorder->frames.vertex_counts[body];
    return count == 0                               ? CG_FRAME_ABSENT
           : count == recorder->most_vertices[body] ? CG_FRAME_PRESENT
                                                    : CG_FRAME_OWN_COUNT;
}

// What stands before the frames goes to the end of its room, so that all is one piece.
void cg_recorder_flush_frames(cg_recorder *recorder)
{
    assert(recorder->frames.count > 0 && recorder->frames.count <= recorder->frames.capacity);
    assert(recorder->frames.plane_count <= CG_FRAME_PLANES);
    cg_frame_buffer *frames = &recorder->frames;
    size_t plane_size = plane_size_of(frames);
    size_t used_size = (size_t)(frames->count - 1) * frames->number_count;
    for (int p = 1; p < frames->plane_count && used_size < plane_size; p++) {
        memmove(other_frames(frames) + (size_t)p * used_size, other_frames(frames) + (size_t)p * plane_size, used_size);
    }
    size_t front = cg_frame_front_bytes(recorder->body_count, frames->own_counts, frames->count);
    unsigned char *start = first_frame(frames) - front;
    cg_byte_sink sink = cg_write_to(start, front);
    cg_put_u8(&sink, (unsigned)frames->plane_count);
    cg_put_u8(&sink, (unsigned)(frames->exponent & 0xff));
    for (int t = 0; t < recorder->body_count; t++) {
        cg_put_u8(&sink, (unsigned)presence_of(recorder, t));
    }
    for (int t = 0; t < recorder->body_count; t++) {
        if (presence_of(recorder, t) == CG_FRAME_OWN_COUNT) {
            cg_put_u32(&sink, (uint32_t)frames->vertex_counts[t]);
        }
    }
    for (int f = 0; f < frames->count; f++) {
        cg_put_u32(&sink, frames->steps[f]);
    }
    for (int f = 0; f < frames->count; f++) {
        cg_put_double(&sink, frames->times[f]);
    }
    cg_chunk chunk = {.kind = CG_CHUNK_FRAMES, .item_count = (uint32_t)frames->count, .first_step = frames->first_step};
    size_t size = front + CG_FRAME_PLANES * frames->number_count + (size_t)frames->plane_count * used_size;
    cg_recorder_write_chunk(recorder, chunk, start, size);
    frames->count = 0;
}

// Vertices of a thread, or nodes of a tissue.
static const cg_vec3 *points_of(const cg_recorder *recorder, const cg_world *world, int body, int *count)
{
    int tissue = body - recorder->thread_count;
    return tissue < 0 ? cg_thread_positions(world, cg_operation_thread(world, body), count)
                      : cg_tissue_positions(world, cg_operation_tissue(world, tissue), count);
}

static int vertex_count_of(const cg_recorder *recorder, const cg_world *world, int body)
{
    int count;
    points_of(recorder, world, body, &count);
    return count;
}

static bool same_vertices_present(const cg_recorder *recorder, const cg_world *world)
{
    for (int t = 0; t < recorder->body_count; t++) {
        if (recorder->frames.vertex_counts[t] != vertex_count_of(recorder, world, t)) {
            return false;
        }
    }
    return true;
}

static bool quantise_world(cg_recorder *recorder, const cg_world *world, int32_t *numbers)
{
    bool fits = true;
    for (int t = 0; t < recorder->body_count && fits; t++) {
        int count;
        const cg_vec3 *points = points_of(recorder, world, t, &count);
        if (points != NULL) {
            fits = cg_frame_quantise(points, (size_t)count, recorder->frames.exponent, numbers);
            numbers += 3 * count;
        }
    }
    return fits;
}

// A new block of frames: the bodies and vertices that are here now, the finest steps that hold their coordinates.
static bool begin_block(cg_recorder *recorder, const cg_world *world)
{
    cg_frame_buffer *frames = &recorder->frames;
    frames->number_count = 0;
    frames->own_counts = 0;
    for (int t = 0; t < recorder->body_count; t++) {
        frames->vertex_counts[t] = vertex_count_of(recorder, world, t);
        frames->number_count += 3 * (size_t)frames->vertex_counts[t];
        frames->own_counts += presence_of(recorder, t) == CG_FRAME_OWN_COUNT;
    }
    frames->plane_count = 0;
    frames->first_step = recorder->step;
    for (frames->exponent = CG_FRAME_FINEST; frames->exponent <= CG_FRAME_COARSEST; frames->exponent++) {
        if (quantise_world(recorder, world, frames->numbers[1])) {
            return true;
        }
    }
    recorder->status = cg_error(CG_BAD_INPUT, "a position is not finite at step %llu; the recording ends here",
                                (unsigned long long)recorder->step);
    return false;
}

// Adds a frame behind the first. A plane that the frames before did not need is zero for them.
static void append_frame(cg_frame_buffer *frames, uint32_t bits)
{
    size_t plane_size = plane_size_of(frames), before = (size_t)(frames->count - 1) * frames->number_count;
    for (; frames->plane_count < cg_frame_planes_for(bits); frames->plane_count++) {
        memset(other_frames(frames) + (size_t)frames->plane_count * plane_size, 0, before);
    }
    cg_frame_write_planes(frames->residuals, frames->number_count, other_frames(frames) + before, plane_size,
                          frames->plane_count);
}

// Writes what is new of the surfaces of tissues: it belongs to the frames behind it.
static void write_surfaces(cg_recorder *recorder, const cg_world *world)
{
    cg_surface_keeper *surfaces = &recorder->surfaces;
    if (!cg_recorder_is_good(recorder) || cg_surface_keeper_is_current(surfaces, world)) {
        return;
    }
    cg_chunk chunk = {.item_count = (uint32_t)surfaces->count, .first_step = recorder->step};
    size_t size = cg_surface_keeper_write(surfaces, world, &chunk.kind);
    if (size == 0) {
        recorder->status = cg_error(CG_BAD_INPUT,
                                    "found a home of a tissue that is not finite at step %llu; expected "
                                    "a finite one; the recording ends here",
                                    (unsigned long long)recorder->step);
        return;
    }
    if (size > CG_CHUNK_MOST_BYTES) {
        recorder->status = cg_error(CG_FULL,
                                    "the surfaces of the tissues take %zu bytes at step %llu; expected at most "
                                    "%d; the recording ends here",
                                    size, (unsigned long long)recorder->step, (int)CG_CHUNK_MOST_BYTES);
        return;
    }
    cg_recorder_write_chunk(recorder, chunk, surfaces->bytes, size);
}

void cg_recorder_take_frame(cg_recorder *recorder, const cg_world *world)
{
    assert(recorder->frames.count < recorder->frames.capacity);
    cg_frame_buffer *frames = &recorder->frames;
    bool goes_on = frames->count > 0 && cg_surface_keeper_is_current(&recorder->surfaces, world) &&
                   cg_recorder_has_room(recorder, world) && same_vertices_present(recorder, world) &&
                   recorder->step - frames->first_step <= UINT32_MAX &&
                   quantise_world(recorder, world, frames->numbers[1]);
    if (!goes_on) {
        if (frames->count > 0) {
            cg_recorder_flush(recorder);
        }
        cg_recorder_make_room(recorder, world);
        write_surfaces(recorder, world);
        if (!cg_recorder_is_good(recorder) || !begin_block(recorder, world)) {
            return;
        }
    }
    if (frames->count == 0) {
        cg_frame_residuals(frames->numbers[1], NULL, frames->number_count, frames->residuals);
        cg_frame_write_planes(frames->residuals, frames->number_count, first_frame(frames), frames->number_count,
                              CG_FRAME_PLANES);
    } else {
        uint32_t bits =
            cg_frame_residuals(frames->numbers[1], frames->numbers[0], frames->number_count, frames->residuals);
        append_frame(frames, bits);
    }
    frames->steps[frames->count] = (uint32_t)(recorder->step - frames->first_step);
    frames->times[frames->count] = cg_world_time(world);
    int32_t *last = frames->numbers[0];
    frames->numbers[0] = frames->numbers[1];
    frames->numbers[1] = last;
    frames->count++;
    recorder->totals.frames++;
    recorder->last_frame_step = recorder->step;
}

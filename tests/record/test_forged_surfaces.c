// Surfaces in recordings that no recorder wrote: what they claim is refused before it costs anything, and memory that
// runs out leaves a recording that can be read on.
#include <stddef.h>

#include "base/bytes.h"
#include "catgut/catgut.h"
#include "geometry/mesh.h"
#include "record/chunk.h"
#include "record/frame_code.h"
#include "record/head.h"
#include "session/session_rig.h"

enum { FORGED_ROOM = 4 << 20, MOST_NUMBERS = 12288, GUARD_BYTES = 64, GUARD = 0xa5 };

// A recording that is made chunk by chunk, from the head of a true one.
typedef struct forgery {
    rig_bytes bytes;
    uint32_t sequence;
} forgery;

static void add_chunk(forgery *to, cg_chunk_kind kind, uint32_t items, const void *payload, size_t size)
{
    unsigned char header[CG_CHUNK_HEADER_BYTES];
    cg_chunk chunk = {.kind = kind,
                      .sequence = to->sequence,
                      .item_count = items,
                      .first_step = to->sequence,
                      .last_step = to->sequence,
                      .raw_size = (uint32_t)size,
                      .stored_size = (uint32_t)size,
                      .payload_checksum = cg_chunk_checksum(payload, size)};
    cg_chunk_write_header(&chunk, header);
    CHECK(rig_write(&to->bytes, header, sizeof header) && rig_write(&to->bytes, payload, size));
    to->sequence++;
}

static forgery begin_forgery(void)
{
    static const char scene[] =
        "{\"tissues\": [{\"name\": \"sheet\", \"grid\": {\"length\": \"8 mm\", \"width\": \"8 mm\"}}]}";
    rig_bytes whole = rig_record(scene, NULL, 1, 1, (cg_codec){0});
    forgery made = {.bytes = rig_bytes_make(FORGED_ROOM)};
    size_t at = CG_PREAMBLE_BYTES;
    cg_chunk chunk;
    rig_write(&made.bytes, whole.bytes, at);
    while (cg_chunk_read(whole.bytes + at, whole.size - at, &chunk).code == CG_OK) {
        size_t size = CG_CHUNK_HEADER_BYTES + (size_t)chunk.stored_size;
        if (chunk.kind == CG_CHUNK_HEAD || chunk.kind == CG_CHUNK_SOURCES) {
            rig_write(&made.bytes, whole.bytes + at, size);
            made.sequence++;
        }
        at += size;
    }
    free(whole.bytes);
    return made;
}

// What a forged surface claims to have, and what of it is listed: that from the given places on. Triangle t has nodes
// t, t + 1 and t + 2, again from 0 after `corner_count`.
typedef struct forged_surface {
    uint32_t nodes, triangles, first_node, node_count, first_triangle, triangle_count, corner_count, side;
} forged_surface;

static void put_planes(cg_byte_sink *sink, const int32_t *numbers, size_t count)
{
    static uint32_t residuals[MOST_NUMBERS];
    static unsigned char planes[CG_FRAME_PLANES * MOST_NUMBERS];
    cg_frame_residuals(numbers, NULL, count, residuals);
    cg_frame_write_planes(residuals, count, planes, count, CG_FRAME_PLANES);
    cg_put_bytes(sink, planes, CG_FRAME_PLANES * count);
}

static void add_surface(forgery *to, cg_chunk_kind kind, forged_surface surface)
{
    static unsigned char payload[1 << 18];
    static int32_t numbers[MOST_NUMBERS];
    cg_byte_sink sink = cg_write_to(payload, sizeof payload);
    cg_put_u32(&sink, 1); // surfaces
    cg_put_u32(&sink, 0); // place
    cg_put_u64(&sink, to->sequence);
    cg_put_u32(&sink, surface.nodes);
    cg_put_u32(&sink, surface.triangles);
    cg_put_u8(&sink, (unsigned)(CG_FRAME_FINEST & 0xff));
    cg_put_u32(&sink, surface.node_count);
    cg_put_u32(&sink, surface.triangle_count);
    for (uint32_t i = 0; i < surface.node_count; i++) {
        numbers[i] = (int32_t)(surface.first_node + i);
    }
    put_planes(&sink, numbers, surface.node_count);
    for (uint32_t i = 0; i < 3 * surface.node_count; i++) {
        numbers[i] = (int32_t)(1000 * (3 * surface.first_node + i));
    }
    put_planes(&sink, numbers, 3 * (size_t)surface.node_count);
    for (uint32_t i = 0; i < surface.triangle_count; i++) {
        numbers[i] = (int32_t)(surface.first_triangle + i);
    }
    put_planes(&sink, numbers, surface.triangle_count);
    for (uint32_t i = 0; i < 3 * surface.triangle_count; i++) {
        numbers[i] = (int32_t)((surface.first_triangle + i / 3 + i % 3) % surface.corner_count);
    }
    put_planes(&sink, numbers, 3 * (size_t)surface.triangle_count);
    for (uint32_t i = 0; i < surface.triangle_count; i++) {
        cg_put_u8(&sink, surface.side);
    }
    CHECK(sink.good);
    add_chunk(to, kind, 1, payload, sizeof payload - sink.left);
}

static forged_surface whole_surface(uint32_t nodes, uint32_t triangles)
{
    return (forged_surface){.nodes = nodes,
                            .triangles = triangles,
                            .node_count = nodes,
                            .triangle_count = triangles,
                            .corner_count = nodes,
                            .side = CG_SIDE_COUNT - 1};
}

// A frame with all nodes at zero.
static void add_frame(forgery *to, uint32_t nodes)
{
    static const unsigned char zeros[4 * MOST_NUMBERS];
    static unsigned char payload[1 << 18];
    cg_byte_sink sink = cg_write_to(payload, sizeof payload);
    cg_put_u8(&sink, 0); // planes
    cg_put_u8(&sink, (unsigned)(CG_FRAME_FINEST & 0xff));
    cg_put_u8(&sink, CG_FRAME_OWN_COUNT);
    cg_put_u32(&sink, nodes);
    cg_put_u32(&sink, 0);
    cg_put_double(&sink, 1e-3 * to->sequence);
    cg_put_bytes(&sink, zeros, CG_FRAME_PLANES * 3 * (size_t)nodes);
    CHECK(sink.good);
    add_chunk(to, CG_CHUNK_FRAMES, 1, payload, sizeof payload - sink.left);
}

// An allocator with guards behind its blocks. It can fail once, and knows how much was held at the most.
typedef struct guarded_memory {
    int calls, failing; // the call that fails; 0: none
    size_t held, most;
    bool broken;
} guarded_memory;

static void *take_guarded(void *context, size_t size)
{
    guarded_memory *memory = context;
    if (++memory->calls == memory->failing) {
        return NULL;
    }
    unsigned char *block = malloc(sizeof(max_align_t) + size + GUARD_BYTES);
    if (block == NULL) {
        return NULL;
    }
    memcpy(block, &size, sizeof size);
    memset(block + sizeof(max_align_t) + size, GUARD, GUARD_BYTES);
    memory->held += size;
    memory->most = memory->held > memory->most ? memory->held : memory->most;
    return block + sizeof(max_align_t);
}

static void give_guarded(void *context, void *given)
{
    guarded_memory *memory = context;
    unsigned char *block = (unsigned char *)given - sizeof(max_align_t);
    size_t size;
    memcpy(&size, block, sizeof size);
    for (size_t i = 0; i < GUARD_BYTES; i++) {
        memory->broken = memory->broken || block[sizeof(max_align_t) + size + i] != GUARD;
    }
    memory->held -= size;
    free(block);
}

static cg_recording *open_forgery(const forgery *made, guarded_memory *memory)
{
    cg_allocator allocator = {.allocate = take_guarded, .release = give_guarded, .context = memory};
    cg_recording *recording = NULL;
    cg_status status = cg_recording_open(made->bytes.bytes, made->bytes.size, NULL, &allocator, &recording);
    CHECK(status.code == CG_OK || memory->failing > 0);
    return recording;
}

static bool is_readable(cg_recording *recording, size_t index, cg_recorded_frame *frame)
{
    return cg_recording_frame(recording, index, frame).code == CG_OK;
}

TEST(memory_that_runs_out_once_leaves_what_comes_later_readable)
{
    static const uint32_t sizes[] = {1000, 2000, 10, 3000, 20, 1500, 4000};
    enum { COUNT = sizeof sizes / sizeof sizes[0] };
    forgery made = begin_forgery();
    for (int i = 0; i < COUNT; i++) {
        add_surface(&made, CG_CHUNK_SURFACES, whole_surface(sizes[i], sizes[COUNT - 1 - i]));
        add_frame(&made, sizes[i]);
    }
    int failures = 0;
    for (int failing = 1;; failing++) {
        guarded_memory memory = {.failing = failing};
        cg_recording *recording = open_forgery(&made, &memory);
        int refused = 0;
        for (size_t i = 0; i < COUNT && recording != NULL; i++) {
            cg_recorded_frame frame;
            if (!is_readable(recording, i, &frame)) {
                refused++;
                continue;
            }
            const cg_recorded_surface *surface = &frame.surfaces[0];
            int last = surface->triangle_count - 1, nodes = surface->node_count;
            CHECK_INT(nodes, (int)sizes[i]);
            CHECK_INT(last, (int)sizes[COUNT - 1 - i] - 1);
            CHECK_INT(surface->corners[3 * last + 2], (last + 2) % nodes);
            CHECK_INT(surface->sides[last], CG_SIDE_COUNT - 1);
            CHECK_NEAR((double)surface->homes[3 * nodes - 1], (3.0 * nodes - 1) * 1000 * 0x1p-27, 1e-8);
        }
        cg_recording_close(recording);
        CHECK(!memory.broken);
        CHECK_INT(memory.held, 0);
        CHECK(refused <= 1); // one call failed, so one frame was not to be had
        failures += refused;
        if (memory.broken || memory.calls < failing) {
            break;
        }
    }
    CHECK(failures > 10);
    free(made.bytes.bytes);
}

TEST(a_surface_that_claims_more_than_it_lists_takes_no_memory)
{
    enum { MANY_NODES = 4 * 1024 * 1024, MANY_TRIANGLES = 16 * 1024 * 1024 };
    static const forged_surface claims[] = {
        {.nodes = MANY_NODES, .triangles = MANY_TRIANGLES, .corner_count = 1},
        {.nodes = MANY_NODES, .node_count = 30, .corner_count = 1},
        {.nodes = 10, .node_count = 10, .triangles = MANY_TRIANGLES, .triangle_count = 5, .corner_count = 10},
    };
    for (size_t i = 0; i < sizeof claims / sizeof claims[0]; i++) {
        for (int kind = CG_CHUNK_SURFACES; kind <= CG_CHUNK_CHANGES; kind++) {
            forgery made = begin_forgery();
            if (kind == CG_CHUNK_CHANGES) {
                add_surface(&made, CG_CHUNK_SURFACES, whole_surface(100, 100));
            }
            add_surface(&made, (cg_chunk_kind)kind, claims[i]);
            add_frame(&made, 10);
            guarded_memory memory = {0};
            cg_recording *recording = open_forgery(&made, &memory);
            cg_recorded_frame frame;
            size_t before = memory.most;
            CHECK_INT(cg_recording_frame_count(recording), 1);
            CHECK(!is_readable(recording, 0, &frame));
            CHECK(memory.most < before + (1 << 16));
            cg_recording_close(recording);
            free(made.bytes.bytes);
        }
    }
}

TEST(a_surface_with_sides_that_there_are_not_is_refused)
{
    for (uint32_t side = 0; side < 256; side++) {
        forgery made = begin_forgery();
        forged_surface surface = whole_surface(10, 8);
        surface.side = side;
        add_surface(&made, CG_CHUNK_SURFACES, surface);
        add_frame(&made, 10);
        guarded_memory memory = {0};
        cg_recording *recording = open_forgery(&made, &memory);
        cg_recorded_frame frame;
        CHECK(is_readable(recording, 0, &frame) == (side < CG_SIDE_COUNT));
        cg_recording_close(recording);
        free(made.bytes.bytes);
    }
}

// The recorder writes whole surfaces again before changes would be larger; so a moment costs what those do.
TEST(more_changes_than_whole_surfaces_are_refused)
{
    enum { NODES = 200, TRIANGLES = 200, FRONT = 4 + 29, LISTED = 16 + 17 };
    const uint32_t fitting = (FRONT + LISTED * NODES) / FRONT; // bytes of whole surfaces, and of a change with none
    for (uint32_t more = 0; more < 2; more++) {
        forgery made = begin_forgery();
        add_surface(&made, CG_CHUNK_SURFACES, whole_surface(NODES, TRIANGLES));
        for (uint32_t i = 0; i < fitting + more; i++) {
            add_surface(&made, CG_CHUNK_CHANGES,
                        (forged_surface){.nodes = NODES, .triangles = TRIANGLES - 1, .corner_count = 1});
        }
        add_frame(&made, NODES);
        guarded_memory memory = {0};
        cg_recording *recording = open_forgery(&made, &memory);
        cg_recorded_frame frame;
        CHECK_INT(cg_recording_frame_count(recording), 1 - more);
        CHECK(is_readable(recording, 0, &frame) == (more == 0));
        cg_recording_close(recording);
        free(made.bytes.bytes);
    }
}

// Nodes that triangles still have go away, and come back before a later frame.
TEST(a_triangle_without_its_nodes_is_refused_where_it_is_and_nowhere_else)
{
    enum { NODES = 10 };
    forgery made = begin_forgery();
    add_surface(&made, CG_CHUNK_SURFACES, whole_surface(NODES, NODES));
    add_frame(&made, NODES);
    add_surface(&made, CG_CHUNK_CHANGES, (forged_surface){.nodes = NODES - 1, .triangles = NODES, .corner_count = 1});
    add_frame(&made, NODES - 1);
    forged_surface again = {
        .nodes = NODES, .triangles = NODES, .first_node = NODES - 1, .node_count = 1, .corner_count = 1};
    add_surface(&made, CG_CHUNK_CHANGES, again);
    add_frame(&made, NODES);
    static const size_t orders[][4] = {{0, 1, 2, 0}, {2, 1, 0, 2}, {1, 2, 0, 1}, {1, 0, 1, 2}};
    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++) {
        guarded_memory memory = {0};
        cg_recording *recording = open_forgery(&made, &memory);
        for (int k = 0; k < 4; k++) {
            cg_recorded_frame frame;
            CHECK(is_readable(recording, orders[i][k], &frame) == (orders[i][k] != 1));
        }
        cg_recording_close(recording);
        CHECK(!memory.broken);
    }
    free(made.bytes.bytes);
}

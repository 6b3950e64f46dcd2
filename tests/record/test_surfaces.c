// Surfaces that change: what a recording holds of them, and what a view tells, against the mesh itself.
#include <math.h>
#include <stdio.h>

#include "base/bytes.h"
#include "base/quat.h"
#include "base/transform.h"
#include "catgut/catgut.h"
#include "geometry/mesh_edit.h"
#include "record/chunk.h"
#include "session/session_rig.h"
#include "world/world.h"

static const char SCENE[] =
    "{\"threads\": [{\"name\": \"a\", \"shape\": {\"line\": {\"from\": [0, 0, 0.02], \"to\": [0.01, 0, 0.02]}}, "
    "\"vertices\": 4, \"start\": \"pinned\"}],\n"
    " \"tissues\": [{\"name\": \"pad\", \"pad\": {\"length\": \"16 mm\", \"width\": \"12 mm\", \"tension\": 0.1}, "
    "\"layers\": [{\"thickness\": \"3 mm\"}], \"fix_rim\": true, \"position\": [\"1 mm\", 0, 0], "
    "\"rotation\": {\"axis\": [0, 0, 1], \"angle\": \"30 deg\"}},\n"
    "  {\"name\": \"sheet\", \"grid\": {\"length\": \"8 mm\", \"width\": \"8 mm\"}, \"position\": [0, \"3 cm\", 0]}]}";

enum { EVERY = 2, MOMENTS = 24, MOST_NODES = 4096, MOST_TRIANGLES = 8192 };

static cg_mesh *mesh_of(const cg_session *session, int place)
{
    return cg_world_find_tissue(cg_session_world(session), cg_session_tissue(session, place))->mesh;
}

// Cuts a little further, or takes cells away: the two ways in which numbers change.
static void edit(const cg_session *session, int moment)
{
    cg_mesh *pad = mesh_of(session, 0), *sheet = mesh_of(session, 1);
    if (moment % 5 == 4) {
        int cells[2] = {pad->cell_count / 3, pad->cell_count / 2};
        cg_mesh_remove_cells(pad, cells, 2);
    } else if (moment % 3 != 0) {
        double from = -6e-3 + 0.5e-3 * moment, to = from + 1e-3;
        cg_vec3 path[2] = {{from, 1e-4, 1e-4}, {to, 1e-4, 1e-4}}, down[2] = {{0, 0, -2e-3}, {0, 0, -2e-3}};
        cg_mesh_blade blade = {.path = path, .down = down, .count = 2, .snap = 0.1};
        cg_mesh_cut_result result;
        cg_mesh_cut(pad, &blade, &result);
    }
    if (moment == 7) {
        int triangle = 3;
        cg_mesh_remove_triangles(sheet, &triangle, 1);
    }
    CHECK_STR(cg_mesh_validate(pad).message, "");
}

// What the mesh was at each moment.
typedef struct moment_copy {
    int node_count, triangle_count;
    cg_vec3 homes[MOST_NODES], positions[MOST_NODES];
    int corners[MOST_TRIANGLES][3], sides[MOST_TRIANGLES];
} moment_copy;

static void copy_moment(const cg_mesh *mesh, moment_copy *copy)
{
    if (mesh->node_count > MOST_NODES || mesh->triangle_count > MOST_TRIANGLES) {
        abort();
    }
    copy->node_count = mesh->node_count;
    copy->triangle_count = mesh->triangle_count;
    memcpy(copy->homes, mesh->home, (size_t)mesh->node_count * sizeof *mesh->home);
    memcpy(copy->positions, mesh->position, (size_t)mesh->node_count * sizeof *mesh->position);
    for (int i = 0; i < mesh->triangle_count; i++) {
        memcpy(copy->corners[i], mesh->triangles[i].nodes, sizeof copy->corners[i]);
        copy->sides[i] = (int)mesh->triangles[i].side;
    }
}

// A recording of edits, and the meshes beside it: copies[2 * moment + tissue].
static rig_bytes record_edits(moment_copy *copies, cg_codec codec)
{
    rig_bytes bytes = rig_bytes_make(16 << 20);
    cg_scene *scene = rig_scene(SCENE);
    cg_session *session = rig_session(scene, NULL);
    cg_recorder_def def = rig_recorder_def(&bytes);
    def.frame_every = def.hash_every = EVERY;
    def.key_every = 1 << 20;
    def.codec = codec;
    CHECK_STR(cg_session_record(session, &def).message, "");
    for (int moment = 0; moment < MOMENTS; moment++) {
        for (int step = 0; step < EVERY && moment > 0; step++) {
            if (step == 0) {
                edit(session, moment);
            }
            cg_session_step(session);
        }
        copy_moment(mesh_of(session, 0), &copies[2 * moment]);
        copy_moment(mesh_of(session, 1), &copies[2 * moment + 1]);
    }
    CHECK_STR(cg_session_end_recording(session).message, "");
    cg_session_destroy(session);
    cg_scene_free(scene);
    return bytes;
}

static moment_copy *take_copies(void)
{
    moment_copy *copies = calloc(2 * MOMENTS, sizeof *copies);
    if (copies == NULL) {
        abort();
    }
    return copies;
}

static bool is_same_moment(const cg_recorded_frame *frame, int tissue, const moment_copy *copy, cg_transform pose)
{
    const cg_recorded_surface *surface = &frame->surfaces[tissue];
    bool same = CHECK_INT(frame->node_counts[tissue], copy->node_count) &&
                CHECK_INT(surface->node_count, copy->node_count) &&
                CHECK_INT(surface->triangle_count, copy->triangle_count);
    for (int i = 0; i < copy->triangle_count && same; i++) {
        for (int k = 0; k < 3; k++) {
            same = same && surface->corners[3 * i + k] == copy->corners[i][k];
        }
        same = same && surface->sides[i] == copy->sides[i];
    }
    for (int i = 0; i < copy->node_count && same; i++) {
        const float *at = frame->nodes[tissue] + 3 * i, *home = surface->homes + 3 * i;
        cg_vec3 made = {(double)home[0], (double)home[1], (double)home[2]};
        made = v3_add(quat_rotate(pose.rotation, made), pose.position);
        same = same && fabs((double)at[0] - copy->positions[i].x) <= frame->error + 1e-8 &&
               fabs((double)at[2] - copy->positions[i].z) <= frame->error + 1e-8 &&
               v3_length(v3_sub(made, copy->homes[i])) <= 2e-8;
    }
    return CHECK(same);
}

static void get_poses(cg_transform poses[2])
{
    cg_scene *scene = rig_scene(SCENE);
    cg_session *session = rig_session(scene, NULL);
    for (int t = 0; t < 2; t++) {
        cg_tissue_def def;
        CHECK(cg_tissue_get_def(cg_session_world(session), cg_session_tissue(session, t), &def));
        poses[t] = def.pose;
    }
    cg_session_destroy(session);
    cg_scene_free(scene);
}

TEST(every_frame_has_its_own_surface_in_whatever_order_it_is_asked_for)
{
    static const cg_codec codecs[2] = {{0}, {.id = 77, .squeeze = rig_squeeze, .expand = rig_expand}};
    moment_copy *copies = take_copies();
    cg_transform poses[2];
    get_poses(poses);
    for (int c = 0; c < 2; c++) {
        rig_bytes bytes = record_edits(copies, codecs[c]);
        CHECK(copies[2 * MOMENTS - 2].triangle_count > copies[0].triangle_count + 20); // it was cut
        cg_recording *recording;
        CHECK_STR(cg_recording_open(bytes.bytes, bytes.size, &codecs[c], NULL, &recording).message, "");
        CHECK_STR(cg_recording_damage(recording), "");
        CHECK_INT(cg_recording_frame_count(recording), MOMENTS);
        uint64_t random = 5;
        for (int i = 0; i < 4 * MOMENTS; i++) {
            int moment = i < MOMENTS       ? i
                         : i < 2 * MOMENTS ? 2 * MOMENTS - 1 - i
                                           : test_random_int(&random, 0, MOMENTS - 1);
            cg_recorded_frame frame;
            CHECK_STR(cg_recording_frame(recording, (size_t)moment, &frame).message, "");
            CHECK_INT(frame.tissue_count, 2);
            if (!is_same_moment(&frame, 0, &copies[2 * moment], poses[0]) ||
                !is_same_moment(&frame, 1, &copies[2 * moment + 1], poses[1])) {
                printf("moment %d\n", moment);
                break;
            }
        }
        cg_recording_close(recording);
        free(bytes.bytes);
    }
    free(copies);
}

// How many bytes chunks of a kind take.
static size_t bytes_of_kind(const rig_bytes *bytes, cg_chunk_kind kind, int *count)
{
    size_t at = CG_PREAMBLE_BYTES, sum = 0;
    cg_chunk chunk;
    *count = 0;
    while (cg_chunk_read(bytes->bytes + at, bytes->size - at, &chunk).code == CG_OK) {
        sum += chunk.kind == kind ? chunk.raw_size : 0;
        *count += chunk.kind == kind;
        at += CG_CHUNK_HEADER_BYTES + (size_t)chunk.stored_size;
    }
    return sum;
}

TEST(a_small_cut_takes_few_bytes)
{
    moment_copy *copies = take_copies();
    rig_bytes bytes = record_edits(copies, (cg_codec){0});
    int wholes, changes;
    size_t whole_bytes = bytes_of_kind(&bytes, CG_CHUNK_SURFACES, &wholes);
    size_t change_bytes = bytes_of_kind(&bytes, CG_CHUNK_CHANGES, &changes);
    CHECK(wholes >= 1 && changes >= 10);
    CHECK(change_bytes / (size_t)changes < whole_bytes / (size_t)wholes / 4);
    free(bytes.bytes);
    free(copies);
}

// A surface as a client knows it.
typedef struct client_surface {
    uint32_t version, node_count, triangle_count;
    cg_wire_surface_node nodes[MOST_NODES];
    cg_wire_triangle triangles[MOST_TRIANGLES];
    int wholes, changes;
} client_surface;

static void take_told(client_surface *client, const cg_message *message)
{
    if (message->kind == CG_MESSAGE_surface) {
        const cg_wire_surface *surface = &message->as.surface;
        client->version = surface->topology_version;
        client->node_count = surface->nodes.count;
        client->triangle_count = surface->triangles.count;
        memcpy(client->nodes, surface->nodes.items, surface->nodes.count * sizeof *client->nodes);
        memcpy(client->triangles, surface->triangles.items, surface->triangles.count * sizeof *client->triangles);
        client->wholes++;
        return;
    }
    const cg_wire_surface_change *change = &message->as.surface_change;
    CHECK_INT(change->topology_version, client->version + 1);
    client->version = change->topology_version;
    client->node_count = change->node_count;
    client->triangle_count = change->triangle_count;
    for (uint32_t i = 0; i < change->nodes.count; i++) {
        const cg_wire_changed_node *node = &change->nodes.items[i];
        CHECK(node->place < change->node_count);
        client->nodes[node->place] = (cg_wire_surface_node){.node = node->node, .home = node->home};
    }
    for (uint32_t i = 0; i < change->triangles.count; i++) {
        const cg_wire_changed_triangle *to = &change->triangles.items[i];
        CHECK(to->place < change->triangle_count);
        client->triangles[to->place] = (cg_wire_triangle){.a = to->a, .b = to->b, .c = to->c, .side = to->side};
    }
    client->changes++;
}

// What is new is told, in parts where the view can.
static void tell(cg_session_view *view, client_surface clients[2])
{
    for (int t = cg_view_changed_tissue(view, 0); t >= 0; t = cg_view_changed_tissue(view, t + 1)) {
        cg_message message;
        if (cg_view_surface_change(view, t, &message) || CHECK(cg_view_surface(view, t, &message))) {
            take_told(&clients[t], &message);
        }
    }
}

// What the client would draw, against the mesh.
static void check_drawn(const client_surface *client, const cg_wire_tissue_state *state, const moment_copy *copy)
{
    CHECK_INT(state->topology_version, client->version);
    CHECK_INT(state->positions.count, 3 * client->node_count);
    CHECK_INT(client->triangle_count, copy->triangle_count);
    bool same = true;
    for (int i = 0; i < copy->triangle_count && same; i++) {
        const cg_wire_triangle *triangle = &client->triangles[i];
        const uint32_t places[3] = {triangle->a, triangle->b, triangle->c};
        same = triangle->side == copy->sides[i];
        for (int k = 0; k < 3 && same; k++) {
            same = places[k] < client->node_count && (int)client->nodes[places[k]].node == copy->corners[i][k] &&
                   fabs((double)state->positions.items[3 * places[k]] - copy->positions[copy->corners[i][k]].x) < 2e-8;
        }
    }
    CHECK(same);
    // every place is in use, once
    static unsigned char used[MOST_NODES];
    memset(used, 0, sizeof used);
    for (uint32_t i = 0; i < client->node_count; i++) {
        CHECK(client->nodes[i].node < (uint32_t)copy->node_count && !used[client->nodes[i].node]);
        used[client->nodes[i].node] = 1;
    }
}

TEST(a_view_tells_what_changed_and_a_client_has_the_surface)
{
    static client_surface clients[2];
    static moment_copy copy;
    cg_scene *scene = rig_scene(SCENE);
    cg_session *session = rig_session(scene, NULL);
    cg_session_view *view;
    CHECK_STR(cg_view_create(session, scene, NULL, &view).message, "");
    memset(clients, 0, sizeof clients);
    for (int moment = 0; moment < MOMENTS; moment++) {
        if (moment > 0) {
            edit(session, moment);
            cg_session_step(session);
        }
        cg_message frame;
        CHECK_STR(cg_view_frame(view, &frame).message, "");
        tell(view, clients);
        for (int t = 0; t < 2; t++) {
            copy_moment(mesh_of(session, t), &copy);
            check_drawn(&clients[t], &frame.as.frame.tissues.items[t], &copy);
        }
    }
    CHECK_INT(clients[0].wholes, 1);
    CHECK(clients[0].changes >= 10);
    CHECK_INT(clients[1].wholes + clients[1].changes, 2);
    cg_view_destroy(view);
    cg_session_destroy(session);
    cg_scene_free(scene);
}

// A state that is gone back to has versions that come again, and so has a tissue in the place of another.
TEST(a_view_does_not_take_another_surface_for_the_one_it_knows)
{
    static client_surface clients[2];
    static moment_copy copy;
    cg_scene *scene = rig_scene(SCENE);
    cg_session *session = rig_session(scene, NULL);
    cg_session_view *view;
    cg_session_state *state;
    cg_message frame;
    CHECK_STR(cg_view_create(session, scene, NULL, &view).message, "");
    memset(clients, 0, sizeof clients);
    CHECK_STR(cg_session_keep(session, &state).message, "");
    for (int turn = 0; turn < 3; turn++) {
        int triangle = 3 + 2 * turn;
        if (turn == 1) {
            CHECK_STR(cg_session_return(session, state).message, "");
        } else if (turn == 2) {
            cg_world *world = (cg_world *)(uintptr_t)cg_session_world(session); // no operation does this
            cg_tissue_def def;
            cg_tissue_id id;
            CHECK(cg_tissue_get_def(world, cg_session_tissue(session, 1), &def));
            CHECK_STR(cg_world_remove_tissue(world, cg_session_tissue(session, 1)).message, "");
            CHECK_STR(cg_world_add_tissue(world, &def, &id).message, "");
        }
        CHECK_STR(cg_mesh_remove_triangles(mesh_of(session, 1), &triangle, 1).message, "");
        cg_session_step(session);
        CHECK_STR(cg_view_frame(view, &frame).message, "");
        tell(view, clients);
        copy_moment(mesh_of(session, 1), &copy);
        check_drawn(&clients[1], &frame.as.frame.tissues.items[1], &copy);
        CHECK_INT(cg_tissue_topology_version(cg_session_world(session), cg_session_tissue(session, 1)), 2);
    }
    cg_session_state_free(state);
    cg_view_destroy(view);
    cg_session_destroy(session);
    cg_scene_free(scene);
}

TEST(changes_that_nobody_was_told_are_told_as_a_whole)
{
    static client_surface clients[2];
    static moment_copy copy;
    cg_scene *scene = rig_scene(SCENE);
    cg_session *session = rig_session(scene, NULL);
    cg_session_view *view;
    cg_message frame;
    CHECK_STR(cg_view_create(session, scene, NULL, &view).message, "");
    memset(clients, 0, sizeof clients);
    tell(view, clients);
    for (int moment = 1; moment < 6; moment++) {
        edit(session, moment);
        cg_session_step(session);
        CHECK_STR(cg_view_frame(view, &frame).message, "");
    }
    tell(view, clients);
    CHECK_INT(clients[0].wholes, 2);
    copy_moment(mesh_of(session, 0), &copy);
    check_drawn(&clients[0], &frame.as.frame.tissues.items[0], &copy);
    cg_view_destroy(view);
    cg_session_destroy(session);
    cg_scene_free(scene);
}

TEST(a_recording_is_watched_with_the_surface_of_each_moment)
{
    static client_surface clients[2];
    moment_copy *copies = take_copies();
    rig_bytes bytes = record_edits(copies, (cg_codec){0});
    cg_recording *recording;
    CHECK_STR(cg_recording_open(bytes.bytes, bytes.size, NULL, NULL, &recording).message, "");
    cg_scene *scene = rig_scene(SCENE);
    cg_session *session = rig_session(scene, NULL); // stays at its start
    cg_session_view *view;
    CHECK_STR(cg_view_create(session, scene, NULL, &view).message, "");
    memset(clients, 0, sizeof clients);
    tell(view, clients);
    uint32_t first = clients[0].version;
    uint64_t random = 9;
    for (int i = 0; i < 3 * MOMENTS; i++) {
        int moment = i < MOMENTS ? i : test_random_int(&random, 0, MOMENTS - 1);
        cg_recorded_frame recorded;
        cg_message frame;
        CHECK_STR(cg_recording_frame(recording, (size_t)moment, &recorded).message, "");
        CHECK_STR(cg_view_recorded(view, &recorded, &frame).message, "");
        tell(view, clients);
        CHECK(i > 0 || clients[0].version == first); // the recording begins with what the scene has
        check_drawn(&clients[0], &frame.as.frame.tissues.items[0], &copies[2 * moment]);
        check_drawn(&clients[1], &frame.as.frame.tissues.items[1], &copies[2 * moment + 1]);
    }
    cg_view_destroy(view);
    cg_session_destroy(session);
    cg_scene_free(scene);
    cg_recording_close(recording);
    free(bytes.bytes);
    free(copies);
}

// Spoils bytes of surfaces, with right checksums: reading ends, and what is handed out can be looked at.
TEST(hostile_surfaces_do_no_harm)
{
    moment_copy *copies = take_copies();
    rig_bytes bytes = record_edits(copies, (cg_codec){0});
    free(copies);
    unsigned char *other = malloc(bytes.size);
    uint64_t random = 21;
    int refused = 0;
    for (int i = 0; i < test_count(300, 30000) && other != NULL; i++) {
        memcpy(other, bytes.bytes, bytes.size);
        size_t at = CG_PREAMBLE_BYTES;
        cg_chunk chunk;
        while (cg_chunk_read(other + at, bytes.size - at, &chunk).code == CG_OK) {
            unsigned char *header = other + at, *payload = header + CG_CHUNK_HEADER_BYTES;
            at += CG_CHUNK_HEADER_BYTES + (size_t)chunk.stored_size;
            bool is_surface = chunk.kind == CG_CHUNK_SURFACES || chunk.kind == CG_CHUNK_CHANGES;
            if (!is_surface || test_random_int(&random, 0, 3) > 0) {
                continue;
            }
            int reach = test_random_int(&random, 0, 1) == 0 ? 40 : (int)chunk.stored_size;
            reach = reach < (int)chunk.stored_size ? reach : (int)chunk.stored_size;
            payload[test_random_int(&random, 0, reach - 1)] = (unsigned char)test_random_bits(&random);
            chunk.item_count += test_random_int(&random, 0, 20) == 0;
            chunk.payload_checksum = cg_chunk_checksum(payload, chunk.stored_size);
            cg_chunk_write_header(&chunk, header);
        }
        cg_recording *recording;
        if (cg_recording_open(other, bytes.size, NULL, NULL, &recording).code != CG_OK) {
            refused++;
            continue;
        }
        for (size_t f = 0; f < cg_recording_frame_count(recording); f++) {
            cg_recorded_frame frame;
            if (cg_recording_frame(recording, f, &frame).code != CG_OK) {
                refused++;
                continue;
            }
            for (int t = 0; t < frame.tissue_count; t++) {
                const cg_recorded_surface *surface = &frame.surfaces[t];
                for (int k = 0; k < 3 * surface->triangle_count; k++) {
                    CHECK(surface->corners[k] >= 0 && surface->corners[k] < surface->node_count);
                }
                for (int k = 0; k < surface->triangle_count; k++) {
                    CHECK(surface->sides[k] < CG_SIDE_COUNT);
                }
            }
        }
        cg_recording_close(recording);
    }
    CHECK(refused > 50);
    free(other);
    free(bytes.bytes);
}

// A piece that becomes a tissue of its own: the recording has it from the next frame on.
TEST(a_tissue_that_comes_later_is_recorded)
{
    rig_bytes bytes = rig_bytes_make(16 << 20);
    cg_scene *scene = rig_scene(SCENE);
    cg_session *session = rig_session(scene, NULL);
    cg_recorder_def def = rig_recorder_def(&bytes);
    def.frame_every = def.hash_every = EVERY;
    CHECK_STR(cg_session_record(session, &def).message, "");
    cg_world *world = (cg_world *)(uintptr_t)cg_session_world(session); // no operation does this
    cg_tissue_id pad = cg_session_tissue(session, 0), piece = {0, 0};
    cg_vec3 path[2] = {{1e-3, -2e-2, 2e-3}, {1e-3, 2e-2, 2e-3}}, down[2] = {{0, 0, -8e-3}, {0, 0, -8e-3}};
    static moment_copy rest, part;
    for (int step = 0; step < 4 * EVERY; step++) {
        if (step == 2 * EVERY) {
            cg_tissue_cut_result result;
            CHECK_STR(cg_tissue_cut(world, pad, path, down, 2, &result).message, "");
            CHECK_INT(result.pieces, 2);
            CHECK_STR(cg_world_separate_tissue(world, pad, 0, &piece).message, "");
        }
        cg_session_step(session);
    }
    copy_moment(cg_world_find_tissue(world, pad)->mesh, &rest);
    copy_moment(cg_world_find_tissue(world, piece)->mesh, &part);
    CHECK_STR(cg_session_end_recording(session).message, "");
    cg_recording *recording;
    CHECK_STR(cg_recording_open(bytes.bytes, bytes.size, NULL, NULL, &recording).message, "");
    CHECK_STR(cg_recording_damage(recording), "");
    cg_recorded_frame frame;
    cg_transform poses[2];
    get_poses(poses);
    for (size_t again = 0; again < 2; again++) { // forwards, and back
        CHECK_STR(cg_recording_frame(recording, 1, &frame).message, "");
        CHECK_INT(frame.tissue_count, 2);
        CHECK_STR(cg_recording_frame(recording, 4, &frame).message, "");
        CHECK_INT(frame.tissue_count, (int)piece.index);
        is_same_moment(&frame, 0, &rest, poses[0]);
        is_same_moment(&frame, (int)piece.index - 1, &part, poses[0]);
    }
    cg_recording_close(recording);
    cg_session_destroy(session);
    cg_scene_free(scene);
    free(bytes.bytes);
}

// A closed surface: a ring of nodes between two poles.
static cg_tissue_def double_cone(void)
{
    enum { RING = 23 };
    static cg_vec3 nodes[RING + 2] = {[RING] = {0, 0, 2e-3}, [RING + 1] = {0, 0, -2e-3}};
    static int triangles[2 * RING][3];
    for (int i = 0; i < RING; i++) {
        double angle = 6.283185307179586 * i / RING;
        nodes[i] = (cg_vec3){4e-3 * cos(angle), 4e-3 * sin(angle), 0};
        int next = (i + 1) % RING;
        const int both[2][3] = {{i, next, RING}, {next, i, RING + 1}};
        memcpy(triangles[2 * i], both, sizeof both);
    }
    cg_tissue_def def = cg_tissue_def_default();
    def.shape = CG_TISSUE_MESH;
    def.model = CG_TISSUE_SKIN;
    def.nodes = nodes;
    def.node_count = def.max_nodes = RING + 2;
    def.triangles = (const int(*)[3])triangles;
    def.triangle_count = 2 * RING;
    return def;
}

// Another tissue in an old place, first with as many nodes at the most but more triangles, then with more of both.
TEST(a_tissue_that_is_replaced_by_a_larger_one_is_recorded)
{
    static const char scene_text[] = "{\"tissues\": [{\"name\": \"sheet\", \"max_nodes\": 25, \"spacing\": \"2 mm\", "
                                     "\"grid\": {\"length\": \"8 mm\", \"width\": \"8 mm\"}}]}";
    enum { TURNS = 3 };
    rig_bytes bytes = rig_bytes_make(16 << 20);
    cg_scene *scene = rig_scene(scene_text);
    cg_session *session = rig_session(scene, NULL);
    cg_recorder_def recorder_def = rig_recorder_def(&bytes);
    recorder_def.frame_every = recorder_def.hash_every = 1;
    CHECK_STR(cg_session_record(session, &recorder_def).message, "");
    cg_world *world = (cg_world *)(uintptr_t)cg_session_world(session); // no operation does this
    cg_tissue_def defs[TURNS] = {cg_tissue_def_default(), double_cone(), cg_tissue_def_default()};
    static moment_copy copies[TURNS];
    for (int turn = 0; turn < TURNS; turn++) {
        if (turn > 0) {
            cg_mesh_limits before = mesh_of(session, 0)->limits;
            cg_tissue_id id;
            CHECK_STR(cg_world_remove_tissue(world, cg_session_tissue(session, 0)).message, "");
            CHECK_STR(cg_world_add_tissue(world, &defs[turn], &id).message, "");
            CHECK_INT(id.index, 1); // the old place
            const cg_mesh_limits *now = &mesh_of(session, 0)->limits;
            CHECK(turn == 1 ? now->nodes == before.nodes : now->nodes > before.nodes);
            CHECK(now->triangles > before.triangles);
        }
        cg_session_step(session);
        copy_moment(mesh_of(session, 0), &copies[turn]);
    }
    CHECK_STR(cg_session_end_recording(session).message, "");
    cg_recording *recording;
    CHECK_STR(cg_recording_open(bytes.bytes, bytes.size, NULL, NULL, &recording).message, "");
    CHECK_STR(cg_recording_damage(recording), "");
    CHECK_INT(cg_recording_frame_count(recording), TURNS + 1);
    for (int turn = TURNS - 1; turn >= 0; turn--) {
        cg_recorded_frame frame;
        if (CHECK_STR(cg_recording_frame(recording, (size_t)turn + 1, &frame).message, "")) {
            is_same_moment(&frame, 0, &copies[turn], transform_identity());
        }
    }
    cg_recording_close(recording);
    cg_session_destroy(session);
    cg_scene_free(scene);
    free(bytes.bytes);
}

// A key holds the mesh: whoever joins there has the same state, cuts and all.
TEST(a_recording_is_joined_after_a_cut)
{
    enum { KEY = 8 };
    rig_bytes bytes = rig_bytes_make(32 << 20);
    cg_scene *scene = rig_scene(SCENE);
    cg_session *session = rig_session(scene, NULL);
    cg_recorder_def def = rig_recorder_def(&bytes);
    def.frame_every = def.hash_every = EVERY;
    def.key_every = KEY;
    CHECK_STR(cg_session_record(session, &def).message, "");
    for (int step = 0; step < 2 * KEY; step++) {
        edit(session, step + 1);
        cg_session_step(session);
    }
    CHECK_STR(cg_session_end_recording(session).message, "");
    int cut_nodes = mesh_of(session, 0)->node_count;
    cg_session_destroy(session);
    cg_recording *recording;
    CHECK_STR(cg_recording_open(bytes.bytes, bytes.size, NULL, NULL, &recording).message, "");
    session = rig_session(scene, NULL);
    CHECK(mesh_of(session, 0)->node_count < cut_nodes);
    for (int key = 2; key >= 1; key--) { // the later one first: a mesh may shrink too
        size_t next;
        uint64_t step, hash;
        CHECK_STR(cg_session_jump(session, recording, (uint64_t)(key * KEY), &next).message, "");
        CHECK(cg_recording_hash(recording, (size_t)(key * KEY / EVERY), &step, &hash));
        CHECK_INT(step, key * KEY);
        CHECK_HASH(cg_world_state_hash(cg_session_world(session)), hash);
        CHECK_STR(cg_mesh_validate(mesh_of(session, 0)).message, "");
    }
    cg_recording_close(recording);
    cg_session_destroy(session);
    cg_scene_free(scene);
    free(bytes.bytes);
}

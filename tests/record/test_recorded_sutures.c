// Needles, holes and grips in recordings: what the world told at the moment of every frame.
#include <math.h>
#include <stdlib.h>

#include "catgut/needle.h"
#include "catgut/rigid.h"
#include "catgut/script.h"
#include "catgut/suture.h"
#include "record/suture_items.h"
#include "session/session_rig.h"
#include "support/scene_files.h"
#include "world/world.h"

// A heavy needle falls on a pad point first.
static const char FALLING[] =
    "{\"gravity\": [0, 0, 0], \"max_contacts\": 100, \"bodies\": [{\"name\": \"needle\", \"needle\": \"RB-1\", "
    "\"mass\": "
    "\"2 g\", \"position\": [0, 0, \"1.5 mm\"], \"velocity\": [0, 0, \"-0.4 m/s\"]}], \"tissues\": [{\"pad\": "
    "{\"length\": \"16 mm\", \"width\": \"8 mm\"}, \"spacing\": \"2 mm\", \"pierce_force\": \"20 mN\"}]}";

// The room of every recording here.
static unsigned char recorded[4 << 20];
static rig_bytes memory = {.bytes = recorded, .room = sizeof recorded};

static void record(cg_session *session, int frame_every)
{
    cg_recorder_def def = rig_recorder_def(&memory);
    memory.size = 0;
    def.frame_every = frame_every;
    CHECK_STR(cg_session_record(session, &def).message, "");
}

static cg_recording *read_back(cg_session *session)
{
    cg_recording *recording = NULL;
    CHECK_STR(cg_session_end_recording(session).message, "");
    CHECK_STR(cg_recording_open(memory.bytes, memory.size, NULL, NULL, &recording).message, "");
    CHECK_STR(cg_recording_damage(recording), "");
    CHECK_INT(cg_recording_get_info(recording).format_version, 5);
    return recording;
}

static void check_hole(const cg_recorded_hole *got, const cg_recorded_frame *frame, cg_vec3 position, cg_vec3 force)
{
    const cg_recorded_surface *surface = &frame->surfaces[got->tissue];
    cg_vec3 place = v3_zero();
    for (int k = 0; k < 3; k++) {
        const float *x = &frame->nodes[got->tissue][3 * surface->corners[3 * got->triangle + k]];
        place = v3_add_scaled(place, got->weights[k], v3((double)x[0], (double)x[1], (double)x[2]));
    }
    CHECK_NEAR(v3_distance(place, position), 0, 1e-7);
    CHECK_NEAR(v3_distance(got->force, force), 0, 1e-6 * (1 + v3_length(force)));
    CHECK_INT(surface->sides[got->triangle], got->side);
    CHECK_NEAR(v3_length(got->normal), 1, 1e-6);
}

TEST(holes_of_a_needle_are_told)
{
    cg_scene *scene = rig_scene(FALLING);
    cg_session *session = rig_session(scene, NULL);
    const cg_world *world = cg_session_world(session);
    cg_rigid_id needle = cg_world_rigid_at(world, 0);
    cg_needle_hole hole = {.arc = -1};
    cg_piercing piercing = {0};
    record(session, 1);
    for (int i = 0; i < 40 && !cg_rigid_get_hole(world, needle, 0, &hole); i++) {
        cg_session_step(session);
    }
    CHECK(cg_rigid_get_piercing(world, needle, &piercing));
    cg_recording *recording = read_back(session);
    cg_recorded_frame frame;
    CHECK_STR(cg_recording_frame(recording, cg_recording_frame_count(recording) - 1, &frame).message, "");
    if (CHECK_INT(frame.needle_count, 1) && CHECK_INT(frame.hole_count, 1)) {
        cg_needle def;
        CHECK(cg_rigid_get_needle(world, needle, &def));
        CHECK_NEAR(frame.needles[0].radius, def.radius, 1e-9);
        CHECK_NEAR(frame.needles[0].arc, def.arc, 1e-6);
        CHECK(frame.needles[0].is_inside && !frame.holes[0].is_of_thread && frame.holes[0].inward);
        CHECK_NEAR(frame.needles[0].depth, piercing.depth, 1e-9);
        CHECK_NEAR(frame.holes[0].arc, hole.arc, 1e-9);
        check_hole(&frame.holes[0], &frame, hole.position, hole.force);
        CHECK_NEAR(frame.holes[0].home.x, def.radius, 0.5e-3); // below the tip, and the pad is flat
        CHECK_NEAR(frame.holes[0].normal.z, 1, 1e-6);
    }
    CHECK_STR(cg_recording_frame(recording, 0, &frame).message, "");
    CHECK(frame.needle_count == 1 && frame.hole_count == 0 && !frame.needles[0].is_inside);
    cg_recording_close(recording);
    cg_session_destroy(session);
    cg_scene_free(scene);
}

TEST(anchors_of_a_thread_are_told)
{
    cg_scene *scene = NULL;
    cg_scene_error error;
    if (!CHECK(cg_scene_load(CATGUT_SOURCE_DIR "/scenes/stitch.json", &scene, &error))) {
        return;
    }
    cg_session *session = rig_session(scene, NULL);
    const cg_world *world = cg_session_world(session);
    record(session, 4);
    for (int i = 0; i < 8; i++) {
        cg_session_step(session);
    }
    cg_recording *recording = read_back(session);
    cg_recorded_frame frame;
    CHECK_STR(cg_recording_frame(recording, cg_recording_frame_count(recording) - 1, &frame).message, "");
    int count = cg_world_anchor_count(world);
    CHECK(count >= 4);
    CHECK_INT(frame.needle_count, 0);
    CHECK_INT(frame.hole_count, count);
    for (int k = 0; k < frame.hole_count; k++) {
        cg_anchor anchor;
        CHECK(cg_world_get_anchor(world, k, &anchor));
        CHECK(frame.holes[k].is_of_thread);
        CHECK_INT(frame.holes[k].owner, 0);
        CHECK_NEAR(frame.holes[k].arc, anchor.arc, 1e-7);
        CHECK_NEAR(frame.holes[k].tension[0], anchor.tension[0], 1e-6);
        CHECK_NEAR(frame.holes[k].tension[1], anchor.tension[1], 1e-6);
        check_hole(&frame.holes[k], &frame, anchor.position, anchor.force);
    }
    cg_recording_close(recording);
    cg_session_destroy(session);
    cg_scene_free(scene);
}

TEST(jaws_that_hold_a_needle_are_told)
{
    static const char closing[] = "right move to (-6.7028, -13.7041, 3.1) mm in 0.3 s\nright close\nwait 1 s\n";
    cg_scene *scene = NULL;
    cg_scene_error error;
    if (!CHECK(cg_scene_load(CATGUT_SOURCE_DIR "/scenes/one-stitch.json", &scene, &error))) {
        return;
    }
    cg_session *session = rig_session(scene, NULL);
    const cg_world *world = cg_session_world(session);
    CHECK_STR(cg_session_run_script(session, closing, sizeof closing - 1, "close", &error).message, "");
    record(session, 16);
    for (int i = 0; i < 600 && cg_jaws_grip(world, 0).body < 0; i++) {
        cg_session_step(session);
    }
    CHECK_INT(cg_jaws_grip(world, 1).body, -1);
    cg_recorded_grip told = cg_jaws_grip(world, 0);
    cg_recording *recording = read_back(session);
    cg_recorded_frame frame;
    CHECK_STR(cg_recording_frame(recording, cg_recording_frame_count(recording) - 1, &frame).message, "");
    if (CHECK_INT(frame.grip_count, 1)) {
        CHECK_INT(frame.grips[0].hand, 0);
        CHECK_INT(frame.grips[0].body, 0);
        CHECK_INT(frame.grips[0].thread, -1);
        CHECK_INT(frame.grips[0].tissue, told.tissue); // jaws that are shut on the skin may pinch it too
    }
    CHECK_STR(cg_recording_frame(recording, 0, &frame).message, "");
    CHECK_INT(frame.grip_count, 0);
    cg_recording_close(recording);
    cg_session_destroy(session);
    cg_scene_free(scene);
}

// An item with one of each: a needle, a hole and a grip.
static cg_suture_item one_of_each(void)
{
    return (cg_suture_item){
        .needles = {{.body = 1, .radius = 4e-3, .arc = 2, .is_inside = true, .depth = 1e-3, .tip_force = 0.2}},
        .holes = {{.owner = 1,
                   .tissue = 2,
                   .triangle = 3,
                   .weights = {0.5, 0.25, 0.25},
                   .home = {1e-3, 2e-3, 0},
                   .normal = {0, 0, 1},
                   .inward = true}},
        .grips = {{.hand = 1, .thread = -1, .tissue = -1, .body = 1}},
        .needle_count = 1,
        .hole_count = 1,
        .grip_count = 1,
    };
}

// Writes an item and returns how many bytes it has.
static size_t put_item(unsigned char *bytes, size_t room, const cg_suture_item *item)
{
    cg_byte_sink sink = cg_write_to(bytes, room);
    cg_sutures_put(&sink, 7, item);
    CHECK(sink.good);
    return room - sink.left;
}

// What no recorder writes is refused, whatever comes.
TEST(forged_items_are_refused)
{
    enum { HOLES = 8 + 1 + CG_NEEDLE_BYTES, HOLE = HOLES + 2, GRIPS = HOLE + CG_HOLE_BYTES, GRIP = GRIPS + 1 };
    static unsigned char bytes[CG_SUTURES_MOST_BYTES];
    static cg_suture_item item;
    item = one_of_each();
    size_t size = put_item(bytes, sizeof bytes, &item);
    CHECK_INT((int)size, GRIP + CG_GRIP_BYTES);
    uint64_t step;
    cg_byte_source whole = cg_read_from(bytes, size);
    CHECK(cg_sutures_read(&whole, &step, &item) && step == 7 && whole.left == 0);
    CHECK(item.needle_count == 1 && item.hole_count == 1 && item.grip_count == 1);
    CHECK(item.holes[0].triangle == 3 && item.grips[0].body == 1);
    for (size_t cut = 0; cut < size; cut++) {
        cg_byte_source source = cg_read_from(bytes, cut);
        CHECK(!cg_sutures_read(&source, &step, &item));
    }
    static const struct {
        size_t at;
        unsigned char value;
    } wrong[] = {
        {8, 255},       {10, 255},         {11, 2},         {15, 0xff},                    // needles
        {HOLES + 1, 2}, {HOLE, 4},         {HOLE + 1, 255}, {HOLE + 3, 1}, {HOLE + 4, 64}, // count, flags, side, places
        {HOLE + 9, 1},  {HOLE + 17, 0x7f},                                                 // triangle, a weight
        {GRIPS, 65},    {GRIP, 64},        {GRIP + 4, 0},   {GRIP + 8, 0}, {GRIP + 10, 1}, // count, hand, places
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        unsigned char before = bytes[wrong[i].at];
        bytes[wrong[i].at] = wrong[i].value;
        cg_byte_source source = cg_read_from(bytes, size);
        if (!CHECK(!cg_sutures_read(&source, &step, &item))) {
            printf("    byte %zu\n", wrong[i].at);
        }
        bytes[wrong[i].at] = before;
    }
}

// Bodies beyond the most that recordings hold are left out; what is written can be read.
TEST(a_body_beyond_the_most_is_left_out)
{
    static unsigned char bytes[CG_SUTURES_MOST_BYTES];
    static cg_suture_item item;
    item = one_of_each();
    item.grips[0].thread = 5;
    item.grips[0].body = CG_RECORDED_MOST_BODIES;
    cg_byte_source source = cg_read_from(bytes, put_item(bytes, sizeof bytes, &item));
    uint64_t step;
    CHECK(cg_sutures_read(&source, &step, &item) && source.left == 0);
    CHECK_INT(item.grips[0].thread, 5);
    CHECK_INT(item.grips[0].body, -1);
}

static cg_rigid_id add_ball(cg_world *world, double x)
{
    const cg_rigid_part ball = {.shape = {.kind = CG_SHAPE_SPHERE, .radius = 4e-3}, .pose = {.rotation = {0, 0, 0, 1}}};
    cg_rigid_def def = cg_rigid_def_default();
    cg_rigid_id id = {0, 0};
    def.parts = &ball;
    def.part_count = 1;
    def.pose.position.x = x;
    CHECK_STR(cg_world_add_rigid(world, &def, &id).message, "");
    return id;
}

// Items go on for the bodies that stay.
TEST(a_body_that_is_taken_away_ends_no_items)
{
    cg_world_def def = cg_world_def_default();
    cg_world *world;
    def.max_rigids = 2;
    if (!CHECK(cg_world_create(&def, &world).code == CG_OK)) {
        return;
    }
    cg_rigid_id bodies[2];
    for (int i = 0; i < 2; i++) {
        CHECK(!cg_sutures_are_there(world) == (i == 0));
        bodies[i] = add_ball(world, 0.02 * i);
    }
    cg_world_remove_rigid(world, bodies[0]);
    CHECK(cg_sutures_are_there(world));
    cg_world_remove_rigid(world, bodies[1]);
    CHECK(!cg_sutures_are_there(world));
    cg_world_destroy(world);
}

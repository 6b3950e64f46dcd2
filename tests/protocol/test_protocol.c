// Messages as bytes: by hand, back and forth, cut off, and with all that is not allowed.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "catgut/protocol.h"
#include "harness.h"
#include "wire_random.h"

static unsigned char bytes[1 << 16], again[1 << 16];
static _Alignas(16) unsigned char decode_room[1 << 17];
static wire_room random_room;

static bool decode(cg_message *message, const void *from, size_t size)
{
    return cg_message_decode(message, from, size, decode_room, sizeof decode_room);
}

// Written by hand from docs/protocol.md.
TEST(bytes_are_those_of_the_document)
{
    static const unsigned char hello[] = {1, 0, 7,   0, 0, 0, 1, 0, 2, 0, 0xc3, 0xa9, 0,
                                          1, 0, 'x', 0, 3, 0, 0, 0, 1, 0, 'k',  0};
    cg_message message = {
        .kind = CG_MESSAGE_hello,
        .as.hello = {.request = 7, .version = 1, .token = "\xc3\xa9", .name = "x", .session = 3, .key = "k"}};
    CHECK_INT(cg_message_encode(&message, bytes, sizeof bytes), sizeof hello);
    CHECK(memcmp(bytes, hello, sizeof hello) == 0);

    static const unsigned char topology[] = {134, 0, 0, 0, 0, 0, 3, 0, 0, 0, 1, 0, 9,    0,
                                             0,   0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x3f};
    CHECK(decode(&message, topology, sizeof topology));
    CHECK_INT(message.kind, CG_MESSAGE_topology);
    CHECK_INT(message.as.topology.generation, 3);
    CHECK_INT(message.as.topology.thread, 1);
    CHECK_INT(message.as.topology.topology_version, 9);
    CHECK_INT(message.as.topology.arcs.count, 2);
    CHECK_NEAR(message.as.topology.arcs.items[1], 1.0, 0);

    static const unsigned char scenes[] = {132, 0, 5, 0, 0, 0, 2,   0, 0, 0, 1,   0, 'a',
                                           0,   0, 0, 0, 1, 0, 'b', 0, 1, 0, '!', 0};
    CHECK(decode(&message, scenes, sizeof scenes));
    CHECK_INT(message.as.request, 5);
    CHECK_INT(message.as.scenes.scenes.count, 2);
    CHECK_STR(message.as.scenes.scenes.items[0].name, "a");
    CHECK_STR(message.as.scenes.scenes.items[1].title, "!");
}

TEST(every_message_comes_back)
{
    const cg_wire_form *form;
    uint64_t seed = 1;
    for (int round = 0; round < test_count(20, 2000); round++) {
        for (int i = 0; (form = cg_wire_form_at(i)) != NULL; i++) {
            if (form->number == 0) {
                continue;
            }
            cg_message message, back;
            wire_message(&random_room, form, &message, &seed);
            size_t size = cg_message_encode(&message, bytes, sizeof bytes);
            if (!CHECK(size > 0 && decode(&back, bytes, size)) || !CHECK_INT(back.kind, form->number)) {
                return;
            }
            CHECK_INT(cg_message_encode(&back, again, sizeof again), (long long)size);
            CHECK(memcmp(bytes, again, size) == 0);
            CHECK_INT(cg_message_encode(&message, again, size - 1), 0);
        }
    }
}

// A message that is cut anywhere, or has a byte too many, is none, but for those that end with a rest.
TEST(cut_or_longer_messages_are_refused)
{
    const cg_wire_form *form;
    uint64_t seed = 2;
    for (int i = 0; (form = cg_wire_form_at(i)) != NULL; i++) {
        if (form->number == 0 || form->members[form->member_count - 1].kind == CG_VALUE_rest) {
            continue;
        }
        cg_message message;
        wire_message(&random_room, form, &message, &seed);
        size_t size = cg_message_encode(&message, bytes, sizeof bytes);
        for (size_t cut = 0; cut < size; cut++) {
            unsigned char *exact = malloc(cut + 1); // so that a sanitizer sees a step too far
            memcpy(exact, bytes, cut);
            CHECK(!decode(&message, exact, cut));
            free(exact);
        }
        CHECK_INT(message.kind, CG_MESSAGE_none);
        bytes[size] = 0;
        CHECK(!decode(&message, bytes, size + 1));
    }
}

TEST(what_is_not_allowed_is_refused)
{
    cg_message message = {.kind = CG_MESSAGE_slow_motion, .as.slow_motion = {.request = 1, .factor = NAN}};
    size_t size = cg_message_encode(&message, bytes, sizeof bytes);
    CHECK(!decode(&message, bytes, size));
    message = (cg_message){.kind = CG_MESSAGE_watch, .as.watch = {.request = 1, .rate = INFINITY}};
    size = cg_message_encode(&message, bytes, sizeof bytes);
    CHECK(!decode(&message, bytes, size));
    message = (cg_message){.kind = CG_MESSAGE_seek, .as.seek = {.request = 1, .step = (uint64_t)1 << 53}};
    size = cg_message_encode(&message, bytes, sizeof bytes);
    CHECK(!decode(&message, bytes, size));
    message = (cg_message){.kind = CG_MESSAGE_choose_scene, .as.choose_scene = {.request = 1, .name = "\xff"}};
    size = cg_message_encode(&message, bytes, sizeof bytes);
    CHECK(!decode(&message, bytes, size));
    // a number that names no message
    static const unsigned char unknown[] = {99, 0, 1, 0, 0, 0};
    CHECK(!decode(&message, unknown, sizeof unknown));
    // a list that says it has four thousand million parts
    static const unsigned char endless[] = {132, 0, 5, 0, 0, 0, 255, 255, 255, 255, 0, 0, 0, 0, 0, 0};
    CHECK(!decode(&message, endless, sizeof endless));
    message.kind = (cg_message_kind)99;
    CHECK_INT(cg_message_encode(&message, bytes, sizeof bytes), 0);
    CHECK(cg_message_name(message.kind) == NULL);
    CHECK_STR(cg_message_name(CG_MESSAGE_frame), "frame");
}

TEST(lists_that_do_not_fit_are_refused)
{
    cg_wire_scene_name name = {.name = "a", .title = "b"};
    cg_message message = {.kind = CG_MESSAGE_scenes, .as.scenes.scenes = {.items = &name, .count = 1}};
    size_t size = cg_message_encode(&message, bytes, sizeof bytes);
    CHECK(decode(&message, bytes, size));
    CHECK(!cg_message_decode(&message, bytes, size, decode_room, sizeof name - 1));
    CHECK(!cg_message_decode(&message, bytes, size, NULL, 0));
}

TEST(a_frame_is_addressed)
{
    cg_message message = {.kind = CG_MESSAGE_frame, .as.frame = {.generation = 4, .number = 77}};
    size_t size = cg_message_encode(&message, bytes, sizeof bytes);
    cg_frame_address(bytes, 12, 34);
    CHECK(decode(&message, bytes, size));
    CHECK_INT(message.as.frame.acknowledged, 12);
    CHECK_INT(message.as.frame.missed, 34);
    CHECK_INT(message.as.frame.generation, 4);
    CHECK_INT(message.as.frame.number, 77);
}

typedef struct written_text {
    char text[1 << 18];
    size_t size;
} written_text;

static void collect(void *context, const char *text, size_t size)
{
    written_text *written = context;
    if (written->size + size < sizeof written->text) {
        memcpy(written->text + written->size, text, size);
        written->size += size;
    }
}

static char *read_file(const char *path)
{
    static char text[1 << 18];
    FILE *file = fopen(path, "rb");
    if (!CHECK(file != NULL)) {
        return NULL;
    }
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

TEST(the_page_has_the_present_module)
{
    static written_text module;
    cg_protocol_write_module(true, collect, &module);
    const char *committed = read_file(CATGUT_SOURCE_DIR "/web/src/base/protocol.generated.ts");
    if (committed != NULL && !CHECK(strcmp(module.text, committed) == 0)) {
        printf("run: catgut check --protocol-ts > web/src/base/protocol.generated.ts\n");
    }
}

TEST(the_document_has_the_present_tables)
{
    static written_text tables;
    cg_protocol_write_tables(collect, &tables);
    const char *document = read_file(CATGUT_SOURCE_DIR "/docs/protocol.md");
    if (document != NULL && !CHECK(strstr(document, tables.text) != NULL)) {
        printf("docs/protocol.md should hold what \"catgut check --protocol\" prints\n");
    }
}

TEST(the_subprotocol_is_named_by_the_version)
{
    char name[32];
    snprintf(name, sizeof name, "catgut.%d", CG_PROTOCOL_VERSION);
    CHECK_STR(CG_PROTOCOL_NAME, name);
}

// Damaged and hostile recordings: they are refused or read up to the damage, and what is read is what was written.
#include <stdio.h>

#include "base/bytes.h"
#include "base/hash.h"
#include "record/chunk.h"
#include "session/session_rig.h"

static const char SMALL_SCENE[] =
    "{\"threads\": [{\"name\": \"a\", \"shape\": {\"line\": {\"from\": [0, 0, 0], \"to\": "
    "[\"8 mm\", 0, 0]}}, \"vertices\": 5, \"start\": \"clamped\"},"
    " {\"name\": \"b\", \"shape\": {\"line\": {\"from\": [0, 1, 0], \"to\": [\"3 mm\", 1, 0]}},"
    " \"vertices\": 4, \"follow\": {\"coarse\": \"0.5 mm\", \"max_vertices\": 8}}]}"; // its vertices double at once
static const char SMALL_INPUTS[] = "[{\"from\": 0, \"to\": \"8 ms\", \"hold\": {\"thread\": \"a\", \"vertex\": -1, "
                                   "\"target\": [\"8 mm\", 0, \"1 mm\"]}},"
                                   " {\"at\": \"3 ms\", \"set_time_step\": {\"time_step\": \"0.5 ms\"}}, {\"at\": \"5 "
                                   "ms\", \"remove_thread\": {\"thread\":"
                                   " \"a\"}}, {\"at\": \"6 ms\", \"release\": {\"thread\": \"a\", \"vertex\": 0}}]";
enum { STEPS = 24, MOST_ITEMS = 200 };

// Everything that can be read, as one number per item.
typedef struct contents {
    uint64_t operations[MOST_ITEMS], events[MOST_ITEMS], hashes[MOST_ITEMS], frames[MOST_ITEMS];
    size_t operation_count, event_count, hash_count, frame_count;
    uint64_t steps, key;
    bool damaged;
} contents;

static uint64_t frame_number(const cg_recorded_frame *frame)
{
    cg_hash hash = cg_hash_begin();
    cg_hash_add_u64(&hash, frame->step);
    cg_hash_add_double(&hash, frame->time);
    for (int t = 0; t < frame->thread_count; t++) {
        cg_hash_add_u64(&hash, (uint64_t)frame->vertex_counts[t]);
        for (int i = 0; i < 3 * frame->vertex_counts[t]; i++) {
            cg_hash_add_double(&hash, (double)frame->vertices[t][i]);
        }
    }
    return cg_hash_end(&hash);
}

static uint64_t event_number(uint64_t step, const char *text)
{
    cg_hash hash = cg_hash_begin();
    cg_hash_add_u64(&hash, step);
    cg_hash_add_bytes(&hash, text, strlen(text));
    return cg_hash_end(&hash);
}

static uint64_t operation_number(const cg_operation *operation)
{
    unsigned char bytes[CG_OPERATION_MOST_BYTES];
    cg_hash hash = cg_hash_begin();
    cg_hash_add_bytes(&hash, bytes, cg_operation_encode(operation, bytes, sizeof bytes));
    return cg_hash_end(&hash);
}

// Reads all there is. False when the bytes are refused as a whole.
static bool read_all(const void *bytes, size_t size, contents *all)
{
    cg_recording *recording;
    if (cg_recording_open(bytes, size, &RIG_CODEC, NULL, &recording).code != CG_OK) {
        return false;
    }
    memset(all, 0, sizeof *all);
    all->damaged = cg_recording_damage(recording)[0] != '\0';
    all->steps = cg_recording_step_count(recording);
    cg_operation operation;
    while (all->operation_count < MOST_ITEMS && cg_recording_operation(recording, all->operation_count, &operation)) {
        all->operations[all->operation_count++] = operation_number(&operation);
    }
    uint64_t step, hash;
    while (all->hash_count < MOST_ITEMS && cg_recording_hash(recording, all->hash_count, &step, &hash)) {
        all->hashes[all->hash_count++] = hash + step;
    }
    const char *text;
    while (all->event_count < MOST_ITEMS && cg_recording_event(recording, all->event_count, &step, &text)) {
        all->events[all->event_count++] = event_number(step, text);
    }
    cg_recorded_frame frame;
    while (all->frame_count < MOST_ITEMS && all->frame_count < cg_recording_frame_count(recording)) {
        if (cg_recording_frame(recording, all->frame_count, &frame).code != CG_OK) {
            all->damaged = true;
            break;
        }
        all->frames[all->frame_count++] = frame_number(&frame);
    }
    const void *key;
    size_t key_size;
    if (cg_recording_key(recording, STEPS, &step, &key, &key_size)) {
        cg_hash sum = cg_hash_begin();
        cg_hash_add_bytes(&sum, key, key_size); // every byte can be read
        all->key = cg_hash_end(&sum);
    }
    cg_scene *scene;
    cg_scene_error error;
    if (cg_recording_scene(recording, NULL, &scene, &error).code == CG_OK) {
        cg_scene_free(scene);
    }
    cg_recording_close(recording);
    return true;
}

static bool begins_alike(const uint64_t *part, size_t part_count, const uint64_t *whole, size_t whole_count)
{
    return part_count <= whole_count && memcmp(part, whole, part_count * sizeof *part) == 0;
}

// What was read of a spoilt recording is a beginning of the whole one.
static bool is_beginning(const contents *part, const contents *whole)
{
    return begins_alike(part->operations, part->operation_count, whole->operations, whole->operation_count) &&
           begins_alike(part->events, part->event_count, whole->events, whole->event_count) &&
           begins_alike(part->hashes, part->hash_count, whole->hashes, whole->hash_count) &&
           begins_alike(part->frames, part->frame_count, whole->frames, whole->frame_count) &&
           part->steps <= whole->steps;
}

static rig_bytes small_recording(cg_codec codec, contents *whole)
{
    rig_bytes bytes = rig_record(SMALL_SCENE, SMALL_INPUTS, STEPS, 2, codec);
    CHECK(read_all(bytes.bytes, bytes.size, whole));
    CHECK(!whole->damaged);
    CHECK_INT(whole->steps, STEPS);
    CHECK_INT(whole->frame_count, STEPS / 2 + 1);
    CHECK(whole->operation_count > 5 && whole->event_count > 0);
    return bytes;
}

static const cg_codec CODECS[2] = {{0}, {.id = 77, .squeeze = rig_squeeze, .expand = rig_expand}};

TEST(a_changed_byte_is_always_noticed)
{
    for (int c = 0; c < 2; c++) {
        contents whole, part;
        rig_bytes bytes = small_recording(CODECS[c], &whole);
        uint64_t random = 3;
        int read_in_part = 0;
        for (size_t at = 0; at < bytes.size; at++) {
            for (int i = 0; i < test_count(1, 16); i++) {
                unsigned char right = bytes.bytes[at];
                bytes.bytes[at] = (unsigned char)(right ^ test_random_int(&random, 1, 255));
                if (read_all(bytes.bytes, bytes.size, &part)) {
                    read_in_part++;
                    if (!CHECK(part.damaged) || !CHECK(is_beginning(&part, &whole))) {
                        printf("changed byte %zu\n", at);
                        return;
                    }
                }
                bytes.bytes[at] = right;
            }
        }
        CHECK(read_in_part > 1000);
        free(bytes.bytes);
    }
}

TEST(a_cut_anywhere_leaves_the_beginning)
{
    for (int c = 0; c < 2; c++) {
        contents whole, part;
        rig_bytes bytes = small_recording(CODECS[c], &whole);
        uint64_t last_steps = 0;
        for (size_t size = 0; size < bytes.size; size++) {
            // A copy of its own, so that a sanitizer sees reading behind the end.
            unsigned char *cut = malloc(size + (size == 0));
            if (cut == NULL) {
                abort();
            }
            memcpy(cut, bytes.bytes, size);
            if (read_all(cut, size, &part)) {
                if (!CHECK(part.damaged) || !CHECK(is_beginning(&part, &whole)) || !CHECK(part.steps >= last_steps)) {
                    printf("cut to %zu bytes\n", size);
                    free(cut);
                    return;
                }
                last_steps = part.steps;
            } else {
                CHECK_INT(last_steps, 0);
            }
            free(cut);
        }
        CHECK_INT(last_steps, STEPS); // only the end is missing
        free(bytes.bytes);
    }
}

// Where chunk `number` begins, and its size with its header; 0 bytes when there is none.
static size_t chunk_at(const rig_bytes *bytes, int number, cg_chunk *chunk, size_t *size)
{
    size_t at = CG_PREAMBLE_BYTES;
    for (int i = 0; cg_chunk_read(bytes->bytes + at, bytes->size - at, chunk).code == CG_OK; i++) {
        *size = CG_CHUNK_HEADER_BYTES + (size_t)chunk->stored_size;
        if (i == number) {
            return at;
        }
        at += *size;
    }
    *size = 0;
    return at;
}

static int count_chunks(const rig_bytes *bytes)
{
    int count = 0;
    cg_chunk chunk;
    size_t size;
    while (chunk_at(bytes, count, &chunk, &size), size > 0) {
        count++;
    }
    return count;
}

TEST(lost_and_swapped_chunks_are_noticed)
{
    contents whole, part;
    rig_bytes bytes = small_recording(CODECS[0], &whole);
    int count = count_chunks(&bytes);
    CHECK(count > 8);
    unsigned char *other = malloc(bytes.size);
    for (int i = 0; i + 1 < count; i++) {
        cg_chunk chunk, next;
        size_t size, next_size, at = chunk_at(&bytes, i, &chunk, &size);
        chunk_at(&bytes, i + 1, &next, &next_size);
        // lost
        memcpy(other, bytes.bytes, at);
        memcpy(other + at, bytes.bytes + at + size, bytes.size - at - size);
        if (read_all(other, bytes.size - size, &part)) {
            CHECK(i > 0 && part.damaged && is_beginning(&part, &whole));
        }
        // swapped
        memcpy(other, bytes.bytes, bytes.size);
        memcpy(other + at, bytes.bytes + at + size, next_size);
        memcpy(other + at + next_size, bytes.bytes + at, size);
        if (read_all(other, bytes.size, &part)) {
            CHECK(i > 0 && part.damaged && is_beginning(&part, &whole));
        }
    }
    free(other);
    free(bytes.bytes);
}

TEST(bytes_behind_the_end_are_noticed)
{
    contents whole, part;
    rig_bytes bytes = small_recording(CODECS[0], &whole);
    bytes.bytes[bytes.size] = 0;
    CHECK(read_all(bytes.bytes, bytes.size + 1, &part));
    CHECK(part.damaged && is_beginning(&part, &whole));
    CHECK_INT(part.steps, STEPS);
    free(bytes.bytes);
}

TEST(another_version_is_refused_by_its_number)
{
    contents whole;
    rig_bytes bytes = small_recording(CODECS[0], &whole);
    cg_byte_sink sink = cg_write_to(bytes.bytes + 8, 8);
    cg_put_u32(&sink, 7);
    cg_put_u32(&sink, (uint32_t)cg_chunk_checksum(bytes.bytes, 12));
    cg_recording *recording;
    cg_status status = cg_recording_open(bytes.bytes, bytes.size, NULL, NULL, &recording);
    CHECK_INT(status.code, CG_MISMATCH);
    CHECK_STR(status.message, "the recording has format version 7; this program reads 1 to 5");
    CHECK(recording == NULL);
    CHECK_INT(cg_recording_open("catgut", 6, NULL, NULL, &recording).code, CG_BAD_INPUT);
    CHECK_INT(cg_recording_open("", 0, NULL, NULL, &recording).code, CG_BAD_INPUT);
    free(bytes.bytes);
}

TEST(a_missing_codec_is_said)
{
    rig_bytes bytes = rig_record(RIG_SCENE, NULL, 20, 2, RIG_CODEC);
    cg_recording *recording;
    CHECK_INT(cg_recording_open(bytes.bytes, bytes.size, NULL, NULL, &recording).code, CG_OK);
    CHECK(strstr(cg_recording_damage(recording), "codec 77") != NULL);
    cg_recording_close(recording);
    free(bytes.bytes);
}

// Spoils a field of a header or bytes of a payload and puts the checksums right again.
static void spoil(uint64_t *random, unsigned char *at, cg_chunk chunk)
{
    static const uint64_t odd[] = {
        0, 1, 2, 64, 65, 255, 65535, 1u << 20, 0xffffff, 0x7fffffff, 0xffffffff, (uint64_t)1 << 52, UINT64_MAX};
    uint64_t value = odd[test_random_int(random, 0, (int)(sizeof odd / sizeof odd[0]) - 1)];
    unsigned char *payload = at + CG_CHUNK_HEADER_BYTES;
    switch (test_random_int(random, 0, 7)) {
    case 0:
        chunk.item_count = (uint32_t)value;
        break;
    case 1:
        chunk.first_step = value;
        break;
    case 2:
        chunk.last_step = value;
        break;
    case 3:
        chunk.raw_size = (uint32_t)value;
        break;
    case 4:
        chunk.kind = (cg_chunk_kind)test_random_int(random, 0, 10);
        break;
    case 5:
        chunk.codec = chunk.codec == 0 ? 77 : 0;
        break;
    default:
        for (int i = test_random_int(random, 1, 4); i > 0 && chunk.stored_size > 0; i--) {
            int place = test_random_int(random, 0, (int)chunk.stored_size - 1);
            payload[place] = (unsigned char)(test_random_int(random, 0, 2) == 0 ? 0xff : test_random_bits(random));
        }
        break;
    }
    chunk.payload_checksum = cg_chunk_checksum(payload, chunk.stored_size);
    cg_chunk_write_header(&chunk, at);
}

// Nothing is claimed about what is read then, but that reading ends, and stays inside the bytes.
TEST(hostile_bytes_with_right_checksums_do_no_harm)
{
    for (int c = 0; c < 2; c++) {
        contents whole, part;
        rig_bytes bytes = small_recording(CODECS[c], &whole);
        int count = count_chunks(&bytes), refused = 0, damaged = 0;
        uint64_t random = 11;
        unsigned char *other = malloc(bytes.size);
        for (int i = 0; i < test_count(4000, 400000); i++) {
            memcpy(other, bytes.bytes, bytes.size);
            for (int times = test_random_int(&random, 1, 2); times > 0; times--) {
                cg_chunk chunk;
                size_t size, at = chunk_at(&bytes, test_random_int(&random, 0, count - 1), &chunk, &size);
                spoil(&random, other + at, chunk);
            }
            if (!read_all(other, bytes.size, &part)) {
                refused++;
            } else {
                damaged += part.damaged;
            }
        }
        CHECK(refused > 10 && damaged > 100);
        free(other);
        free(bytes.bytes);
    }
}

#include "base/archive.h"

#include <string.h>

#include "base/status.h"

_Static_assert(sizeof(double) == sizeof(uint64_t), "a double is stored as 64 bits");

// "catgut" and two bytes that a transfer as text would spoil.
static const uint64_t MAGIC = 0x0a0d747567746163u;
static const size_t WORD = 8;

static cg_archive made(cg_archive_mode mode)
{
    return (cg_archive){.mode = mode, .hash = cg_hash_begin(), .status = cg_ok()};
}

cg_archive cg_archive_to_save(void *bytes, size_t size)
{
    cg_archive archive = made(CG_ARCHIVE_SAVE);
    archive.output = bytes;
    archive.size = size;
    return archive;
}

cg_archive cg_archive_to_load(const void *bytes, size_t size)
{
    cg_archive archive = made(CG_ARCHIVE_LOAD);
    archive.input = bytes;
    archive.size = size;
    return archive;
}

cg_archive cg_archive_to_check(const void *bytes, size_t size)
{
    cg_archive archive = cg_archive_to_load(bytes, size);
    archive.mode = CG_ARCHIVE_CHECK;
    return archive;
}

cg_archive cg_archive_to_hash(void)
{
    return made(CG_ARCHIVE_HASH);
}

cg_archive cg_archive_to_measure(void)
{
    return made(CG_ARCHIVE_MEASURE);
}

bool cg_archive_is_ok(const cg_archive *archive)
{
    return archive->status.code == CG_OK;
}

size_t cg_archive_size(const cg_archive *archive)
{
    return archive->used;
}

uint64_t cg_archive_hash(const cg_archive *archive)
{
    return cg_hash_end(&archive->hash);
}

static void set_trouble(cg_archive *archive, cg_status trouble)
{
    if (cg_archive_is_ok(archive)) {
        archive->status = trouble;
    }
}

static bool is_reading(const cg_archive *archive)
{
    return archive->mode == CG_ARCHIVE_LOAD || archive->mode == CG_ARCHIVE_CHECK;
}

static void put_word(unsigned char *bytes, uint64_t word)
{
    for (size_t i = 0; i < WORD; i++) {
        bytes[i] = (unsigned char)(word >> (8 * i));
    }
}

static uint64_t get_word(const unsigned char *bytes)
{
    uint64_t word = 0;
    for (size_t i = 0; i < WORD; i++) {
        word |= (uint64_t)bytes[i] << (8 * i);
    }
    return word;
}

// Where the next `count` bytes are written, or NULL when they are only counted.
static unsigned char *room_to_write(cg_archive *archive, size_t count)
{
    bool fits =
        archive->mode == CG_ARCHIVE_SAVE && archive->used <= archive->size && count <= archive->size - archive->used;
    unsigned char *place = fits ? archive->output + archive->used : NULL;
    archive->used += count;
    return place;
}

// Where the next `count` bytes are read, or NULL after trouble.
static const unsigned char *room_to_read(cg_archive *archive, size_t count)
{
    if (!cg_archive_is_ok(archive)) {
        return NULL;
    }
    if (count > archive->size - archive->used) {
        set_trouble(archive, cg_error(CG_MISMATCH, "the saved state is shorter than the present one"));
        return NULL;
    }
    const unsigned char *place = archive->input + archive->used;
    archive->used += count;
    return place;
}

// Saves, hashes or counts `word`; or reads the saved one into it and returns true.
static bool visit_word(cg_archive *archive, uint64_t *word)
{
    if (archive->mode == CG_ARCHIVE_HASH) {
        cg_hash_add_u64(&archive->hash, *word);
        return false;
    }
    if (is_reading(archive)) {
        const unsigned char *source = room_to_read(archive, WORD);
        if (source == NULL) {
            return false;
        }
        *word = get_word(source);
        return true;
    }
    unsigned char *target = room_to_write(archive, WORD);
    if (target != NULL) {
        put_word(target, *word);
    }
    return false;
}

static uint64_t checksum(const unsigned char *bytes, size_t count)
{
    cg_hash hash = cg_hash_begin();
    cg_hash_add_bytes(&hash, bytes, count);
    return cg_hash_end(&hash);
}

static cg_status verify_header(const cg_archive *archive, uint64_t version)
{
    const unsigned char *header = archive->input;
    if (archive->size < CG_ARCHIVE_HEADER_SIZE || get_word(header) != MAGIC) {
        return cg_error(CG_BAD_INPUT, "these bytes are not a saved state");
    }
    uint64_t saved_version = get_word(header + WORD);
    if (saved_version != version) {
        return cg_error(CG_MISMATCH, "the saved state has version %llu, this program reads version %llu",
                        (unsigned long long)saved_version, (unsigned long long)version);
    }
    size_t payload = archive->size - CG_ARCHIVE_HEADER_SIZE;
    uint64_t saved_payload = get_word(header + 2 * WORD);
    if (saved_payload > payload) {
        return cg_error(CG_BAD_INPUT, "the saved state is cut short: it has %zu bytes of %llu", payload,
                        (unsigned long long)saved_payload);
    }
    if (get_word(header + 3 * WORD) != checksum(header + CG_ARCHIVE_HEADER_SIZE, (size_t)saved_payload)) {
        return cg_error(CG_BAD_INPUT, "the saved state is damaged: its checksum does not agree");
    }
    return cg_ok();
}

void cg_archive_begin(cg_archive *archive, uint64_t version)
{
    if (archive->mode == CG_ARCHIVE_HASH) {
        return;
    }
    if (is_reading(archive)) {
        archive->status = verify_header(archive, version);
        if (cg_archive_is_ok(archive)) {
            // A buffer may be larger than what was saved in it.
            archive->size = CG_ARCHIVE_HEADER_SIZE + (size_t)get_word(archive->input + 2 * WORD);
            archive->used = CG_ARCHIVE_HEADER_SIZE;
        }
        return;
    }
    unsigned char *header = room_to_write(archive, CG_ARCHIVE_HEADER_SIZE);
    if (header != NULL) {
        memset(header, 0, CG_ARCHIVE_HEADER_SIZE);
        put_word(header, MAGIC);
        put_word(header + WORD, version);
    }
}

cg_status cg_archive_end(cg_archive *archive)
{
    if (archive->mode == CG_ARCHIVE_SAVE && archive->used > archive->size) {
        set_trouble(archive, cg_error(CG_BAD_INPUT, "the buffer has %zu bytes, the state needs %zu", archive->size,
                                      archive->used));
    } else if (archive->mode == CG_ARCHIVE_SAVE) {
        size_t payload = archive->used - CG_ARCHIVE_HEADER_SIZE;
        put_word(archive->output + 2 * WORD, payload);
        put_word(archive->output + 3 * WORD, checksum(archive->output + CG_ARCHIVE_HEADER_SIZE, payload));
    } else if (is_reading(archive) && archive->used != archive->size) {
        set_trouble(archive, cg_error(CG_MISMATCH, "the saved state is longer than the present one"));
    }
    return archive->status;
}

void cg_archive_u64(cg_archive *archive, uint64_t *value)
{
    uint64_t word = *value;
    if (visit_word(archive, &word) && archive->mode == CG_ARCHIVE_LOAD) {
        *value = word;
    }
}

void cg_archive_bool(cg_archive *archive, bool *value)
{
    int number = *value;
    cg_archive_int(archive, &number, 0, 1);
    if (archive->mode == CG_ARCHIVE_LOAD) {
        *value = number != 0;
    }
}

int cg_archive_choice(cg_archive *archive, int present, int low, int high)
{
    // Shifted by 2^31, so that every int is a number from 0 on.
    const int64_t shift = (int64_t)1 << 31;
    uint64_t word = (uint64_t)(present + shift);
    if (!visit_word(archive, &word)) {
        return cg_archive_is_ok(archive) ? present : low;
    }
    if (word < (uint64_t)(low + shift) || word > (uint64_t)(high + shift)) {
        set_trouble(archive, cg_error(CG_BAD_INPUT, "a saved number is not between %d and %d", low, high));
        return low;
    }
    return (int)((int64_t)word - shift);
}

void cg_archive_int(cg_archive *archive, int *value, int low, int high)
{
    int number = cg_archive_choice(archive, *value, low, high);
    if (archive->mode == CG_ARCHIVE_LOAD && cg_archive_is_ok(archive)) {
        *value = number;
    }
}

void cg_archive_double(cg_archive *archive, double *value)
{
    if (archive->mode == CG_ARCHIVE_HASH) {
        cg_hash_add_double(&archive->hash, *value);
        return;
    }
    uint64_t word;
    memcpy(&word, value, sizeof word);
    if (!visit_word(archive, &word)) {
        return;
    }
    const uint64_t exponent = (uint64_t)0x7ff << 52;
    if (is_reading(archive) && (word & exponent) == exponent) {
        set_trouble(archive, cg_error(CG_BAD_INPUT, "a saved number is infinite or not a number"));
    } else if (archive->mode == CG_ARCHIVE_LOAD) {
        memcpy(value, &word, sizeof word);
    }
}

void cg_archive_doubles(cg_archive *archive, double *values, size_t count)
{
    if (archive->mode == CG_ARCHIVE_HASH) {
        cg_hash_add_doubles(&archive->hash, values, count);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        cg_archive_double(archive, &values[i]);
    }
}

void cg_archive_vec3(cg_archive *archive, cg_vec3 *value)
{
    cg_archive_double(archive, &value->x);
    cg_archive_double(archive, &value->y);
    cg_archive_double(archive, &value->z);
}

void cg_archive_vec3s(cg_archive *archive, cg_vec3 *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        cg_archive_vec3(archive, &values[i]);
    }
}

void cg_archive_quat(cg_archive *archive, cg_quat *value)
{
    cg_archive_double(archive, &value->x);
    cg_archive_double(archive, &value->y);
    cg_archive_double(archive, &value->z);
    cg_archive_double(archive, &value->w);
}

void cg_archive_bytes(cg_archive *archive, void *bytes, size_t count)
{
    if (archive->mode == CG_ARCHIVE_HASH) {
        cg_hash_add_bytes(&archive->hash, bytes, count);
    } else if (is_reading(archive)) {
        const unsigned char *source = room_to_read(archive, count);
        if (source != NULL && count > 0 && archive->mode == CG_ARCHIVE_LOAD) {
            memcpy(bytes, source, count);
        }
    } else {
        unsigned char *target = room_to_write(archive, count);
        if (target != NULL && count > 0) {
            memcpy(target, bytes, count);
        }
    }
}

int cg_archive_length(cg_archive *archive, int present, int most)
{
    uint64_t word = (uint64_t)present;
    if (visit_word(archive, &word) && word > (uint64_t)most) {
        set_trouble(archive, cg_error(CG_MISMATCH, "a saved list has %llu items, there is room for %d",
                                      (unsigned long long)word, most));
    }
    return cg_archive_is_ok(archive) ? (int)word : 0;
}

void cg_archive_count(cg_archive *archive, size_t present, const char *what)
{
    uint64_t word = present;
    if (visit_word(archive, &word) && word != present) {
        set_trouble(archive, cg_error(CG_MISMATCH, "the saved state has %llu %s, the present one has %zu",
                                      (unsigned long long)word, what, present));
    }
}

#define _POSIX_C_SOURCE 200809L

#include "support/record_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app.h"
#include "support/zstd_codec.h"

static const size_t MOST_BYTES = (size_t)8 << 30;

static bool write_bytes(void *context, const void *bytes, size_t size)
{
    cg_record_writer *writer = context;
    if (fwrite(bytes, 1, size, writer->file) != size) {
        writer->error = writer->error == 0 ? errno : writer->error;
        return false;
    }
    writer->bytes += size;
    return true;
}

bool cg_record_writer_open(cg_record_writer *writer, const char *path, FILE *err)
{
    *writer = (cg_record_writer){0};
    if (strlen(path) >= sizeof writer->path) {
        fprintf(err, "catgut: the name of the recording is too long\n");
        return false;
    }
    strcpy(writer->path, path);
    snprintf(writer->part, sizeof writer->part, "%s.part", path);
    writer->codec = cg_zstd_create();
    writer->file = writer->codec.id != 0 ? fopen(writer->part, "wb") : NULL;
    if (!writer->file) {
        fprintf(err, "%s: the recording cannot be written (%s)\n", writer->part,
                writer->codec.id != 0 ? strerror(errno) : "no memory");
        cg_zstd_free(&writer->codec);
        return false;
    }
    return true;
}

cg_recorder_def cg_record_writer_def(cg_record_writer *writer)
{
    cg_recorder_def def = cg_recorder_def_default();
    def.write = write_bytes;
    def.context = writer;
    def.codec = writer->codec;
    def.program = "catgut " CG_APP_VERSION;
    return def;
}

bool cg_record_writer_close(cg_record_writer *writer, cg_status status, FILE *err)
{
    if (!writer->file) {
        return false;
    }
    bool good = status.code == CG_OK && fflush(writer->file) == 0;
    // The name must not come before the bytes, should the machine stop now. Pipes and the like cannot be synced.
    good = good && (fsync(fileno(writer->file)) == 0 || errno == EINVAL || errno == EROFS);
    int error = writer->error != 0 ? writer->error : good ? 0 : errno;
    good = fclose(writer->file) == 0 && good;
    writer->file = NULL;
    cg_zstd_free(&writer->codec);
    if (good && rename(writer->part, writer->path) == 0) {
        return true;
    }
    error = error != 0 ? error : errno;
    fprintf(err, "%s: the recording is not whole (%s); what there is stays in %s\n", writer->path,
            writer->error == 0 && status.code != CG_OK ? status.message : strerror(error), writer->part);
    return false;
}

// The whole file, by growing: pipes have no size.
static bool read_all(cg_record_reader *reader, FILE *file)
{
    size_t room = 0;
    struct stat information;
    if (fstat(fileno(file), &information) == 0 && information.st_size > 0) {
        room = (size_t)information.st_size + 1;
    }
    room = room > 0 && room <= MOST_BYTES ? room : 65536;
    reader->bytes = malloc(room);
    while (reader->bytes) {
        reader->size += fread((char *)reader->bytes + reader->size, 1, room - reader->size, file);
        if (reader->size < room) {
            return !ferror(file);
        }
        errno = EFBIG;
        if (room >= MOST_BYTES) {
            return false;
        }
        room *= 2;
        void *more = realloc(reader->bytes, room);
        if (!more) {
            return false;
        }
        reader->bytes = more;
    }
    return false;
}

bool cg_record_reader_open(cg_record_reader *reader, const char *path, FILE *err)
{
    *reader = (cg_record_reader){0};
    FILE *file = fopen(path, "rb");
    bool good = file && read_all(reader, file);
    if (!good) {
        fprintf(err, "%s: the recording cannot be read (%s)\n", path, strerror(errno));
    }
    if (file) {
        fclose(file);
    }
    if (!good) {
        return false;
    }
    cg_codec codec = cg_zstd_reader();
    cg_status status = cg_recording_open(reader->bytes, reader->size, &codec, NULL, &reader->recording);
    if (status.code != CG_OK) {
        fprintf(err, "%s: %s\n", path, status.message);
        return false;
    }
    return true;
}

void cg_record_reader_close(cg_record_reader *reader)
{
    cg_recording_close(reader->recording);
    free(reader->bytes);
    *reader = (cg_record_reader){0};
}

uint64_t cg_record_reader_first_step(const cg_record_reader *reader)
{
    uint64_t step = 0, hash;
    return cg_recording_hash(reader->recording, 0, &step, &hash) ? step : 0;
}

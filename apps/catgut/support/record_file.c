#define _POSIX_C_SOURCE 200809L

#include "support/record_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/origin.h"
#include "support/zstd_codec.h"

static const size_t MOST_BYTES = (size_t)8 << 30;

static bool write_bytes(void *context, const void *bytes, size_t size)
{
    cg_record_writer *writer = context;
    if (fwrite(bytes, 1, size, writer->out.file) != size) {
        writer->error = writer->error == 0 ? errno : writer->error;
        return false;
    }
    writer->bytes += size;
    return true;
}

bool cg_record_writer_open(cg_record_writer *writer, const char *path, bool force, FILE *err)
{
    char why[CG_OUT_WHY_BYTES] = "no memory left";
    *writer = (cg_record_writer){0};
    writer->codec = cg_zstd_create();
    if (writer->codec.id == 0 || !cg_out_open(&writer->out, path, CG_OUT_RECORDING, force, why)) {
        fprintf(err, "%s: %s\n", path, why);
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
    def.program = cg_program_words();
    return def;
}

bool cg_record_writer_close(cg_record_writer *writer, cg_status status, FILE *err)
{
    if (!writer->out.file) {
        return false;
    }
    bool good = status.code == CG_OK && cg_out_finish(&writer->out);
    int error = writer->error != 0 ? writer->error : errno;
    cg_zstd_free(&writer->codec);
    if (good) {
        return true;
    }
    bool keep = writer->bytes > 0 && !writer->out.is_direct;
    cg_out_abandon(&writer->out, keep);
    fprintf(err, "%s: the recording is not whole (%s)", writer->out.path,
            writer->error == 0 && status.code != CG_OK ? status.message : strerror(error));
    fprintf(err, keep ? "; what there is stays in %s\n" : "\n%s", keep ? writer->out.part : "");
    return false;
}

void cg_record_writer_abandon(cg_record_writer *writer)
{
    if (writer->out.file) {
        cg_out_abandon(&writer->out, false);
        cg_zstd_free(&writer->codec);
    }
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

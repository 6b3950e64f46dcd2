// Recordings as files.
#ifndef CATGUT_SUPPORT_RECORD_FILE_H
#define CATGUT_SUPPORT_RECORD_FILE_H

#include <stdbool.h>
#include <stdio.h>

#include "catgut/recording.h"
#include "support/out_file.h"

// A recording that is being written, under the name PATH.part until it is whole. Zero-initialise.
typedef struct cg_record_writer {
    cg_out_file out;
    cg_codec codec;
    uint64_t bytes; // written so far
    int error;      // errno of the first trouble
} cg_record_writer;

// Begins a file; a sentence goes to `err` when it cannot be written, or when there is one that is no recording and
// `force` is not set. Then give the definition of cg_record_writer_def
// to cg_recorder_create or cg_session_record.
bool cg_record_writer_open(cg_record_writer *writer, const char *path, bool force, FILE *err);
// A recorder that writes to this file with zstd.
cg_recorder_def cg_record_writer_def(cg_record_writer *writer);
// Ends the file after its recorder was finished. A whole one gets its name; `status` is what finishing said. A broken
// one is left as PATH.part, and a sentence goes to `err`.
bool cg_record_writer_close(cg_record_writer *writer, cg_status status, FILE *err);
// Ends a file that is not wanted any more: nothing of it stays. Right too when none was begun.
void cg_record_writer_abandon(cg_record_writer *writer);

// A recording that was read from a file. Zero-initialise.
typedef struct cg_record_reader {
    void *bytes;
    size_t size;
    cg_recording *recording;
} cg_record_reader;

// Reads and opens a file. On failure a sentence that begins with the path goes to `err`. A damaged one opens too:
// cg_recording_damage says so. Closing is right in any case.
bool cg_record_reader_open(cg_record_reader *reader, const char *path, FILE *err);
void cg_record_reader_close(cg_record_reader *reader);
// Where the recording begins: 0, or the step of a snapshot.
uint64_t cg_record_reader_first_step(const cg_record_reader *reader);

#endif

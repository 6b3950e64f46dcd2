#define _POSIX_C_SOURCE 200809L

#include "support/origin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "catgut/version.h"
#include "catgut/world.h"

extern const char cg_commit_text[]; // made by cmake/commit.cmake

const char *cg_program_commit(void)
{
    return cg_commit_text;
}

const char *cg_program_words(void)
{
    static char words[128];
    snprintf(words, sizeof words, "catgut %s, commit %s, motion %d, state %d", cg_version(), cg_program_commit(),
             CG_MOTION_VERSION, CG_SNAPSHOT_VERSION);
    return words;
}

void cg_describe_machine(char *text, size_t size)
{
    char processor[128] = "unknown processor", line[256];
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file && fgets(line, sizeof line, file)) {
        char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) == 0 && colon) {
            line[strcspn(line, "\n")] = '\0';
            snprintf(processor, sizeof processor, "%.120s", colon + 2);
            break;
        }
    }
    if (file) {
        fclose(file);
    }
#ifdef __clang__
    const char *compiler = "clang " __clang_version__;
#else
    const char *compiler = "gcc " __VERSION__;
#endif
#if defined __OPTIMIZE__ && defined NDEBUG
    const char *build = "release";
#else
    const char *build = "debug";
#endif
    snprintf(text, size, "%s, %s, %s", processor, compiler, build);
}

void cg_time_text(time_t when, char text[32])
{
    struct tm parts;
    if (gmtime_r(&when, &parts) == NULL || strftime(text, 32, "%Y-%m-%dT%H:%M:%SZ", &parts) == 0) {
        snprintf(text, 32, "1970-01-01T00:00:00Z");
    }
}

void cg_time_now(char text[32])
{
    const char *told = getenv("SOURCE_DATE_EPOCH");
    time_t now = told && told[0] != '\0' ? (time_t)strtoll(told, NULL, 10) : time(NULL);
    cg_time_text(now, text);
}

const char *cg_path_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

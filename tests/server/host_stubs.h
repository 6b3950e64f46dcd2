// What a host asks of those around it and a test does not look at.
#ifndef CATGUT_TESTS_SERVER_HOST_STUBS_H
#define CATGUT_TESTS_SERVER_HOST_STUBS_H

#include <stdio.h>
#include <string.h>

#include "host.h"

static inline void set_rate(void *context, int client, double rate)
{
    (void)context;
    (void)client;
    (void)rate;
}

// One scene, called "a".
static inline const cg_wire_scene_name *list_scenes(void *context, int *count)
{
    static const cg_wire_scene_name names[] = {{.name = "a", .title = ""}};
    (void)context;
    *count = 1;
    return names;
}

static inline bool read_scene(const char *text, cg_scene **scene, char *why)
{
    cg_scene_error error;
    cg_status status = cg_scene_read(text, strlen(text), "a", NULL, NULL, scene, &error);
    snprintf(why, CG_HOST_WHY_BYTES, "%s", error.message);
    return status.code == CG_OK;
}

#endif

#include "assets.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

const cg_asset *cg_asset_find(const char *path)
{
    const char *wanted = strcmp(path, "/") == 0 ? "/index.html" : path;
    for (int i = 0; i < cg_asset_count; i++) {
        if (strcmp(cg_assets[i].path, wanted) == 0) {
            return &cg_assets[i];
        }
    }
    return NULL;
}

const cg_asset *cg_asset_compressed(const cg_asset *asset)
{
    char path[256];
    int length = snprintf(path, sizeof path, "%s.gz", asset->path);
    return length < (int)sizeof path ? cg_asset_find(path) : NULL;
}

bool cg_asset_is_fixed(const cg_asset *asset)
{
    static const char folder[] = "/assets/";
    return strncmp(asset->path, folder, sizeof folder - 1) == 0;
}

void cg_asset_tag(const cg_asset *asset, char tag[CG_ASSET_TAG_BYTES])
{
    uint64_t hash = 0xcbf29ce484222325u; // FNV-1a
    for (const unsigned char *byte = asset->bytes; byte < asset->end; byte++) {
        hash = (hash ^ *byte) * 0x100000001b3u;
    }
    snprintf(tag, CG_ASSET_TAG_BYTES, "\"%016llx\"", (unsigned long long)hash);
}

#include "assets.h"

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

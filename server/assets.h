// The files of the page, inside the program. The table is made when building, from web/dist or, where the page was not
// built, from server/page.
#ifndef CATGUT_SERVER_ASSETS_H
#define CATGUT_SERVER_ASSETS_H

#include <stddef.h>

typedef struct cg_asset {
    const char *path; // "/index.html"
    const char *type; // "text/html; charset=utf-8"
    const unsigned char *bytes, *end;
} cg_asset;

extern const cg_asset cg_assets[];
extern const int cg_asset_count;

// The file at a path, "/" being "/index.html"; NULL when there is none.
const cg_asset *cg_asset_find(const char *path);

#endif

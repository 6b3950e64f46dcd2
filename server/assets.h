// The files of the page, inside the program. The table is made when building, from web/dist or, where the page was not
// built, from server/page.
#ifndef CATGUT_SERVER_ASSETS_H
#define CATGUT_SERVER_ASSETS_H

#include <stdbool.h>
#include <stddef.h>

enum { CG_ASSET_TAG_BYTES = 24 };

typedef struct cg_asset {
    const char *path; // "/index.html"
    const char *type; // "text/html; charset=utf-8"
    const unsigned char *bytes, *end;
} cg_asset;

extern const cg_asset cg_assets[];
extern const int cg_asset_count;

// The file at a path, "/" being "/index.html"; NULL when there is none.
const cg_asset *cg_asset_find(const char *path);
// The same file compressed by gzip; NULL when there is none.
const cg_asset *cg_asset_compressed(const cg_asset *asset);
// True when a file of this path never changes: its name has a hash of what is in it.
bool cg_asset_is_fixed(const cg_asset *asset);
// What tells one state of a file from another, in quotes as HTTP has it: a hash of its bytes.
void cg_asset_tag(const cg_asset *asset, char tag[CG_ASSET_TAG_BYTES]);

#endif

#include "support/zstd_codec.h"

#include <zstd.h>

enum { CODEC_ID = 1 };

// Level 1: a chunk of frames is squeezed within about a millisecond; higher levels gain little on byte planes.
enum { LEVEL = 1 };

static size_t squeeze(void *context, const void *from, size_t size, void *to, size_t room)
{
    size_t got = ZSTD_compressCCtx(context, to, room, from, size, LEVEL);
    return ZSTD_isError(got) ? 0 : got;
}

static size_t expand(void *context, const void *from, size_t size, void *to, size_t room)
{
    (void)context;
    size_t got = ZSTD_decompress(to, room, from, size);
    return ZSTD_isError(got) ? 0 : got;
}

cg_codec cg_zstd_reader(void)
{
    return (cg_codec){.id = CODEC_ID, .expand = expand};
}

cg_codec cg_zstd_create(void)
{
    ZSTD_CCtx *context = ZSTD_createCCtx();
    if (!context) {
        return (cg_codec){0};
    }
    return (cg_codec){.id = CODEC_ID, .squeeze = squeeze, .expand = expand, .context = context};
}

void cg_zstd_free(cg_codec *codec)
{
    if (codec->squeeze == squeeze) {
        ZSTD_freeCCtx(codec->context);
    }
    *codec = (cg_codec){0};
}

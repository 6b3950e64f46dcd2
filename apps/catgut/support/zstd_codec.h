// zstd as the codec of recordings.
#ifndef CATGUT_SUPPORT_ZSTD_CODEC_H
#define CATGUT_SUPPORT_ZSTD_CODEC_H

#include "catgut/recording.h"

// A codec that only expands; needs nothing to be given back.
cg_codec cg_zstd_reader(void);

// A codec that squeezes and expands. Its memory is taken here, so that squeezing takes none. The id is 0 when there is
// no memory. Give it back with cg_zstd_free.
cg_codec cg_zstd_create(void);
void cg_zstd_free(cg_codec *codec);

#endif

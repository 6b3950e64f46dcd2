// Headers of HTTP: what a request says, and what our answers say of themselves.
#ifndef CATGUT_SERVER_HEADERS_H
#define CATGUT_SERVER_HEADERS_H

#include <libwebsockets.h>
#include <stdbool.h>
#include <stddef.h>

// The value of a header; NULL when it is not there or too long.
const char *cg_header(struct lws *wsi, enum lws_token_indexes token, char *text, size_t room);
int cg_add_header(struct lws *wsi, const char *name, const char *value, unsigned char **at, unsigned char *end);
// Whoever asks takes files that are compressed by gzip.
bool cg_takes_gzip(struct lws *wsi);
// Whoever asks has this state of a file already.
bool cg_is_known(struct lws *wsi, const char *tag);
// The page needs nothing from elsewhere, and nobody else may put it into a frame of theirs.
bool cg_add_safe_headers(struct lws *wsi, unsigned char **at, unsigned char *end);

#endif

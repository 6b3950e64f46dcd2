#include "headers.h"

#include <string.h>

// The value of a header; NULL when it is not there or too long.
const char *cg_header(struct lws *wsi, enum lws_token_indexes token, char *text, size_t room)
{
    return lws_hdr_total_length(wsi, token) > 0 && lws_hdr_copy(wsi, text, (int)room, token) > 0 ? text : NULL;
}

int cg_add_header(struct lws *wsi, const char *name, const char *value, unsigned char **at, unsigned char *end)
{
    return lws_add_http_header_by_name(wsi, (const unsigned char *)name, (const unsigned char *)value,
                                       (int)strlen(value), at, end);
}

// Whoever asks takes files that are compressed by gzip.
bool cg_takes_gzip(struct lws *wsi)
{
    char text[256];
    const char *found = cg_header(wsi, WSI_TOKEN_HTTP_ACCEPT_ENCODING, text, sizeof text);
    found = found != NULL ? strstr(found, "gzip") : NULL;
    if (found == NULL) {
        return false;
    }
    const char *quality = found + strlen("gzip");
    quality += strspn(quality, " \t;");
    if (strncmp(quality, "q=", 2) != 0) {
        return true;
    }
    quality += 2;
    quality += strspn(quality, "0."); // what is left begins with a digit unless it is zero
    return *quality >= '1' && *quality <= '9';
}

// Whoever asks has this state of a file already.
bool cg_is_known(struct lws *wsi, const char *tag)
{
    char text[256];
    const char *known = cg_header(wsi, WSI_TOKEN_HTTP_IF_NONE_MATCH, text, sizeof text);
    return known != NULL && strstr(known, tag) != NULL;
}

// The page needs nothing from elsewhere, and nobody else may put it into a frame of theirs.
bool cg_add_safe_headers(struct lws *wsi, unsigned char **at, unsigned char *end)
{
    static const char *const headers[][2] = {
        {"vary:", "accept-encoding"},
        {"x-content-type-options:", "nosniff"},
        {"referrer-policy:", "no-referrer"},
        {"cross-origin-opener-policy:", "same-origin"},
        {"cross-origin-embedder-policy:", "require-corp"},
        {"content-security-policy:",
         "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; "
         "img-src 'self' data: blob:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"},
    };
    bool good = true;
    for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++) {
        good = good && cg_add_header(wsi, headers[i][0], headers[i][1], at, end) == 0;
    }
    return good;
}

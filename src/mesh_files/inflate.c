// Inflate: a stream of bits, lowest first, in blocks. A block is bytes as they are, or symbols in Huffman codes, fixed
// or sent before it: 0 to 255 a byte, 256 the end, above a length, followed by the code of a distance back.
//
// Codes are canonical: those of one length are consecutive numbers in the order of their symbols. So a code is read bit
// by bit: at each length the first number and how many there are tell whether it ends there.
#include "mesh_files/inflate.h"

#include <stdint.h>
#include <string.h>

enum { MOST_BITS = 15, LITERALS = 288, DISTANCES = 32, LENGTH_CODES = 19, END_OF_BLOCK = 256 };

struct code {
    uint16_t counts[MOST_BITS + 1]; // codes of each length
    uint16_t symbols[LITERALS];     // in their order
};

struct inflater {
    const unsigned char *in;
    size_t in_size, in_at;
    unsigned char *out;
    size_t out_size, out_at;
    uint32_t bits;
    int bit_count;
    const char *fault; // NULL: none so far
};

static uint32_t take_bits(struct inflater *z, int count)
{
    while (z->bit_count < count) {
        if (z->in_at == z->in_size) {
            z->fault = "packed bytes that end too soon";
            return 0;
        }
        z->bits |= (uint32_t)z->in[z->in_at++] << z->bit_count;
        z->bit_count += 8;
    }
    uint32_t value = z->bits & ((1u << count) - 1);
    z->bits >>= count;
    z->bit_count -= count;
    return value;
}

// False where the lengths are more codes than bits can tell apart.
static bool make_code(struct code *code, const unsigned char *lengths, int count)
{
    memset(code->counts, 0, sizeof code->counts);
    for (int i = 0; i < count; i++) {
        code->counts[lengths[i]]++;
    }
    code->counts[0] = 0;
    int left = 1;
    uint16_t first[MOST_BITS + 2] = {0};
    for (int length = 1; length <= MOST_BITS; length++) {
        left = 2 * left - code->counts[length];
        if (left < 0) {
            return false;
        }
        first[length + 1] = (uint16_t)(first[length] + code->counts[length]);
    }
    for (int i = 0; i < count; i++) {
        if (lengths[i] != 0) {
            code->symbols[first[lengths[i]]++] = (uint16_t)i;
        }
    }
    return true;
}

static int take_symbol(struct inflater *z, const struct code *code)
{
    int number = 0, first = 0, index = 0;
    for (int length = 1; length <= MOST_BITS; length++) {
        number |= (int)take_bits(z, 1);
        if (z->fault != NULL) {
            return -1;
        }
        int count = code->counts[length];
        if (number - first < count) {
            return code->symbols[index + number - first];
        }
        index += count;
        first = 2 * (first + count);
        number *= 2;
    }
    z->fault = "a packed code that stands for nothing";
    return -1;
}

static void put(struct inflater *z, unsigned char byte)
{
    if (z->out_at == z->out_size) {
        z->fault = "more unpacked bytes than announced";
        return;
    }
    z->out[z->out_at++] = byte;
}

static void copy_back(struct inflater *z, int symbol, const struct code *distances)
{
    static const uint16_t length_base[] = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                           31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
    static const unsigned char length_bits[] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                                2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
    static const uint16_t distance_base[] = {1,    2,    3,    4,    5,    7,    9,    13,    17,    25,
                                             33,   49,   65,   97,   129,  193,  257,  385,   513,   769,
                                             1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
    int at = symbol - END_OF_BLOCK - 1;
    if (at >= (int)(sizeof length_base / sizeof *length_base)) {
        z->fault = "a packed length that stands for nothing";
        return;
    }
    size_t length = length_base[at] + take_bits(z, length_bits[at]);
    int far = take_symbol(z, distances);
    if (far < 0 || far >= (int)(sizeof distance_base / sizeof *distance_base)) {
        z->fault = z->fault != NULL ? z->fault : "a packed distance that stands for nothing";
        return;
    }
    size_t distance = distance_base[far] + take_bits(z, far < 4 ? 0 : far / 2 - 1);
    if (distance > z->out_at) {
        z->fault = "a packed distance to before the beginning";
        return;
    }
    for (size_t i = 0; i < length && z->fault == NULL; i++) {
        put(z, z->out[z->out_at - distance]);
    }
}

static void inflate_symbols(struct inflater *z, const struct code *literals, const struct code *distances)
{
    for (;;) {
        int symbol = take_symbol(z, literals);
        if (z->fault != NULL || symbol == END_OF_BLOCK) {
            return;
        }
        if (symbol < END_OF_BLOCK) {
            put(z, (unsigned char)symbol);
        } else {
            copy_back(z, symbol, distances);
        }
        if (z->fault != NULL) {
            return;
        }
    }
}

static void inflate_stored(struct inflater *z)
{
    z->bits = 0; // to the next byte
    z->bit_count = 0;
    if (z->in_size - z->in_at < 4) {
        z->fault = "packed bytes that end too soon";
        return;
    }
    const unsigned char *p = z->in + z->in_at;
    size_t length = (size_t)p[0] | (size_t)p[1] << 8, check = (size_t)p[2] | (size_t)p[3] << 8;
    z->in_at += 4;
    if (length != (check ^ 0xffff) || length > z->in_size - z->in_at || length > z->out_size - z->out_at) {
        z->fault = "a block of packed bytes whose length does not fit";
        return;
    }
    memcpy(z->out + z->out_at, z->in + z->in_at, length);
    z->in_at += length;
    z->out_at += length;
}

static void inflate_fixed(struct inflater *z)
{
    struct code literals, distances;
    unsigned char lengths[LITERALS];
    for (int i = 0; i < LITERALS; i++) {
        lengths[i] = i < 144 ? 8 : (i < 256 ? 9 : (i < 280 ? 7 : 8));
    }
    make_code(&literals, lengths, LITERALS);
    memset(lengths, 5, 30);
    make_code(&distances, lengths, 30);
    inflate_symbols(z, &literals, &distances);
}

static void inflate_dynamic(struct inflater *z)
{
    static const unsigned char order[LENGTH_CODES] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
    unsigned char lengths[LITERALS + DISTANCES] = {0};
    int literal_count = (int)take_bits(z, 5) + 257, distance_count = (int)take_bits(z, 5) + 1;
    int count = (int)take_bits(z, 4) + 4, total = literal_count + distance_count;
    struct code lengths_code, literals, distances;
    for (int i = 0; i < count; i++) {
        lengths[order[i]] = (unsigned char)take_bits(z, 3);
    }
    if (z->fault != NULL || literal_count > LITERALS || !make_code(&lengths_code, lengths, LENGTH_CODES)) {
        z->fault = z->fault != NULL ? z->fault : "packed codes that do not fit";
        return;
    }
    memset(lengths, 0, sizeof lengths);
    for (int at = 0; at < total;) {
        int symbol = take_symbol(z, &lengths_code);
        int repeat = symbol < 16 ? 1 : 0;
        unsigned char value = (unsigned char)(symbol < 16 ? symbol : 0);
        if (symbol == 16) {
            repeat = 3 + (int)take_bits(z, 2);
            value = at > 0 ? lengths[at - 1] : 0;
        } else if (symbol > 16) {
            repeat = symbol == 17 ? 3 + (int)take_bits(z, 3) : 11 + (int)take_bits(z, 7);
        }
        if (z->fault != NULL || repeat > total - at || (symbol == 16 && at == 0)) {
            z->fault = z->fault != NULL ? z->fault : "packed codes that do not fit";
            return;
        }
        memset(lengths + at, value, (size_t)repeat);
        at += repeat;
    }
    if (!make_code(&literals, lengths, literal_count) ||
        !make_code(&distances, lengths + literal_count, distance_count)) {
        z->fault = "packed codes that do not fit";
        return;
    }
    inflate_symbols(z, &literals, &distances);
}

static void inflate_blocks(struct inflater *z)
{
    bool is_last = false;
    while (!is_last && z->fault == NULL) {
        is_last = take_bits(z, 1) == 1;
        uint32_t kind = take_bits(z, 2);
        if (z->fault != NULL) {
            return;
        }
        if (kind == 0) {
            inflate_stored(z);
        } else if (kind == 1) {
            inflate_fixed(z);
        } else if (kind == 2) {
            inflate_dynamic(z);
        } else {
            z->fault = "a packed block of no known kind";
        }
    }
    if (z->fault == NULL && z->out_at != z->out_size) {
        z->fault = "fewer unpacked bytes than announced";
    }
}

static uint32_t adler(const unsigned char *bytes, size_t size)
{
    uint32_t a = 1, b = 0;
    for (size_t i = 0; i < size; i++) {
        a = (a + bytes[i]) % 65521;
        b = (b + a) % 65521;
    }
    return b << 16 | a;
}

const char *cg_inflate_zlib(const unsigned char *packed, size_t packed_size, unsigned char *bytes, size_t size)
{
    if (packed_size < 6 || (packed[0] & 15) != 8 || (packed[0] * 256 + packed[1]) % 31 != 0 || (packed[1] & 32) != 0) {
        return "no packed bytes of zlib";
    }
    struct inflater z = {.in = packed + 2, .in_size = packed_size - 6, .out = bytes, .out_size = size};
    inflate_blocks(&z);
    if (z.fault != NULL) {
        return z.fault;
    }
    const unsigned char *sum = z.in + z.in_at;
    uint32_t told = (uint32_t)sum[0] << 24 | (uint32_t)sum[1] << 16 | (uint32_t)sum[2] << 8 | sum[3];
    return told == adler(bytes, size) ? NULL : "packed bytes whose sum does not fit";
}

const char *cg_inflate_gzip(const unsigned char *packed, size_t packed_size, unsigned char *bytes, size_t size)
{
    if (packed_size < 18 || packed[0] != 31 || packed[1] != 139 || packed[2] != 8) {
        return "no packed bytes of gzip";
    }
    size_t at = 10;
    if ((packed[3] & 4) != 0) {
        at += 2 + ((size_t)packed[10] | (size_t)packed[11] << 8);
    }
    for (int field = 8; field <= 16; field *= 2) { // a name, a comment
        while ((packed[3] & field) != 0 && at < packed_size && packed[at] != 0) {
            at++;
        }
        at += (packed[3] & field) != 0;
    }
    at += (packed[3] & 2) != 0 ? 2 : 0;
    if (at + 8 > packed_size) {
        return "packed bytes that end too soon";
    }
    struct inflater z = {.in = packed + at, .in_size = packed_size - at - 8, .out = bytes, .out_size = size};
    inflate_blocks(&z);
    return z.fault;
}

// --- base64 ---

// 0 to 63; 64: padding; -1: a blank; -2: something else.
static int digit_of(char c)
{
    if (c >= 'A' && c <= 'Z') {
        return c - 'A';
    }
    if (c >= 'a' && c <= 'z') {
        return c - 'a' + 26;
    }
    if (c >= '0' && c <= '9') {
        return c - '0' + 52;
    }
    if (c == '+' || c == '/') {
        return c == '+' ? 62 : 63;
    }
    return c == '=' ? 64 : (c == ' ' || c == '\n' || c == '\r' || c == '\t' ? -1 : -2);
}

size_t cg_base64_decode(const char *text, const char *end, unsigned char *bytes, size_t wanted)
{
    size_t made = 0;
    uint32_t bits = 0;
    int count = 0, digits = 0;
    for (; text < end && made < wanted; text++) {
        int digit = digit_of(*text);
        if (digit == -1) {
            continue;
        }
        if (digit == -2) {
            break;
        }
        digits++;
        if (digit < 64) {
            bits = bits << 6 | (uint32_t)digit;
            count += 6;
        }
        if (count >= 8) {
            count -= 8;
            bytes[made++] = (unsigned char)(bits >> count);
        }
        if (digits == 4) { // a group ends, padded or not
            digits = count = 0;
            bits = 0;
        }
    }
    return made;
}

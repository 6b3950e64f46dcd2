// label: golden
#include "base/hash.h"

#include <math.h>
#include <string.h>

#include "harness.h"

static uint64_t hash_of_word(uint64_t word)
{
    cg_hash hash = cg_hash_begin();
    cg_hash_add_u64(&hash, word);
    return cg_hash_end(&hash);
}

static uint64_t hash_of_double(double value)
{
    cg_hash hash = cg_hash_begin();
    cg_hash_add_double(&hash, value);
    return cg_hash_end(&hash);
}

static uint64_t hash_of_bytes(const void *bytes, size_t count)
{
    cg_hash hash = cg_hash_begin();
    cg_hash_add_bytes(&hash, bytes, count);
    return cg_hash_end(&hash);
}

static int bit_count(uint64_t word)
{
    int count = 0;
    for (; word != 0; word &= word - 1) {
        count++;
    }
    return count;
}

// The constants were computed by a second implementation, in a language with integers of any size.
TEST(values_are_those_of_the_definition)
{
    cg_hash empty = cg_hash_begin();
    CHECK_HASH(cg_hash_end(&empty), 0x50d1634fdbdcb7afu);

    cg_hash mixed = cg_hash_begin();
    cg_hash_add_u64(&mixed, 1);
    cg_hash_add_double(&mixed, 1.0);
    cg_hash_add_double(&mixed, -2.5);
    cg_hash_add_double(&mixed, (double)NAN);
    cg_hash_add_double(&mixed, -0.0);
    cg_hash_add_bytes(&mixed, "catgut thread", 13);
    CHECK_HASH(cg_hash_end(&mixed), 0xfbb60ba618d99255u);

    double values[1000];
    for (int i = 0; i < 1000; i++) {
        values[i] = i / 8.0 - 50;
    }
    cg_hash doubles = cg_hash_begin();
    cg_hash_add_doubles(&doubles, values, 1000);
    CHECK_HASH(cg_hash_end(&doubles), 0x30e272dfb0623334u);
}

TEST(doubles_are_hashed_by_value)
{
    CHECK_HASH(hash_of_double(-0.0), hash_of_double(0.0));
    double quiet = (double)NAN, negative, other;
    uint64_t negative_bits = 0xfff8000000000000u, other_bits = 0x7ff8000000001234u;
    memcpy(&negative, &negative_bits, sizeof negative);
    memcpy(&other, &other_bits, sizeof other);
    CHECK_HASH(hash_of_double(negative), hash_of_double(quiet));
    CHECK_HASH(hash_of_double(other), hash_of_double(quiet));
    CHECK(hash_of_double(quiet) != hash_of_double((double)INFINITY));
    CHECK(hash_of_double(1.0) != hash_of_double(-1.0));
    CHECK(hash_of_double(1.0) != hash_of_double(nextafter(1.0, 2.0)));
    CHECK(hash_of_double(0.0) != hash_of_double(4.9406564584124654e-324));
}

TEST(an_array_is_the_same_as_its_values)
{
    double values[97];
    uint64_t random = 3;
    for (int i = 0; i < 97; i++) {
        values[i] = test_random(&random, -1, 1);
    }
    values[5] = -0.0;
    cg_hash whole = cg_hash_begin(), single = cg_hash_begin(), parts = cg_hash_begin();
    cg_hash_add_doubles(&whole, values, 97);
    for (int i = 0; i < 97; i++) {
        cg_hash_add_double(&single, values[i]);
    }
    cg_hash_add_doubles(&parts, values, 40);
    uint64_t midway = cg_hash_end(&parts);
    cg_hash_add_doubles(&parts, values + 40, 57);
    CHECK_HASH(cg_hash_end(&single), cg_hash_end(&whole));
    CHECK_HASH(cg_hash_end(&parts), cg_hash_end(&whole));
    CHECK(midway != cg_hash_end(&whole));
}

TEST(bytes_length_and_order_matter)
{
    const unsigned char zeros[32] = {0};
    for (size_t a = 0; a <= 32; a++) {
        for (size_t b = 0; b < a; b++) {
            CHECK(hash_of_bytes(zeros, a) != hash_of_bytes(zeros, b));
        }
    }
    CHECK(hash_of_bytes("ab", 2) != hash_of_bytes("ba", 2));
    cg_hash split = cg_hash_begin();
    cg_hash_add_bytes(&split, "a", 1);
    cg_hash_add_bytes(&split, "b", 1);
    CHECK(cg_hash_end(&split) != hash_of_bytes("ab", 2));
    cg_hash forward = cg_hash_begin(), backward = cg_hash_begin();
    cg_hash_add_u64(&forward, 1);
    cg_hash_add_u64(&forward, 2);
    cg_hash_add_u64(&backward, 2);
    cg_hash_add_u64(&backward, 1);
    CHECK(cg_hash_end(&forward) != cg_hash_end(&backward));
}

// Flipping any bit of the input flips every bit of the hash in about half of the cases.
TEST(every_bit_reaches_every_bit)
{
    enum { TRIALS = 4000 };
    static int flips[64][64];
    memset(flips, 0, sizeof flips);
    uint64_t random = 11;
    for (int trial = 0; trial < TRIALS; trial++) {
        uint64_t word = test_random_bits(&random);
        uint64_t before = hash_of_word(word);
        for (int in = 0; in < 64; in++) {
            uint64_t changed = before ^ hash_of_word(word ^ (uint64_t)1 << in);
            for (int out = 0; out < 64; out++) {
                flips[in][out] += (int)(changed >> out & 1);
            }
        }
    }
    double worst = 0;
    for (int in = 0; in < 64; in++) {
        for (int out = 0; out < 64; out++) {
            worst = fmax(worst, fabs(flips[in][out] / (double)TRIALS - 0.5));
        }
    }
    CHECK(worst < 0.045); // 5.7 standard deviations of a fair coin
}

// Streams that differ in few bits of two neighbouring words, signs above all: none may agree, none may be close.
TEST(small_differences_do_not_cancel)
{
    uint64_t random = 17;
    int fewest = 64;
    for (int trial = 0; trial < test_count(40, 2000); trial++) {
        uint64_t words[3];
        for (int i = 0; i < 3; i++) {
            words[i] = test_random_bits(&random);
        }
        for (int a = 0; a < 64; a++) {
            for (int b = 0; b < 64; b++) {
                cg_hash plain = cg_hash_begin(), changed = cg_hash_begin();
                for (int i = 0; i < 3; i++) {
                    cg_hash_add_u64(&plain, words[i]);
                }
                cg_hash_add_u64(&changed, words[0] ^ (uint64_t)1 << a);
                cg_hash_add_u64(&changed, words[1] ^ (uint64_t)1 << b);
                cg_hash_add_u64(&changed, words[2]);
                int distance = bit_count(cg_hash_end(&plain) ^ cg_hash_end(&changed));
                fewest = distance < fewest ? distance : fewest;
            }
        }
    }
    CHECK(fewest >= test_count(7, 4)); // random 64-bit words: less than once in 10^5 runs
}

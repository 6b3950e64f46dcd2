// The list of golden values, tests/golden.txt: what CHECK_GOLDEN of the harness compares with. Made by scripts/golden.
#ifndef CATGUT_TESTS_GOLDEN_H
#define CATGUT_TESTS_GOLDEN_H

#include <stdbool.h>
#include <stdint.h>

// A case begins: "room.thing.case" is the first part of the names of its values.
void golden_begin(const char *program, const char *name);

// The next golden value of this case has this name, and this is what the list says of it. With CATGUT_GOLDEN_NOTES (a
// file; scripts/golden sets it) the value is written there and taken to be right. False where it is not as the list
// says; `words` then says why.
bool golden_compare(uint64_t actual, char *words, int size);

// The case has ended. True when the list has a value of it that it did not look at; `words` names the first.
bool golden_left_over(char *words, int size);

#endif

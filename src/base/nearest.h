// What was probably meant by a misspelt word.
#ifndef CATGUT_BASE_NEAREST_H
#define CATGUT_BASE_NEAREST_H

// The candidate that is fewest typing slips away from `word`, or NULL when none is near enough to be meant.
const char *cg_nearest_word(const char *word, const char *const *candidates, int count);
// Insertions, deletions, replacements and swaps of neighbours that turn one word into the other. Words are compared by
// their first 40 bytes.
int cg_edit_distance(const char *a, const char *b);

#endif

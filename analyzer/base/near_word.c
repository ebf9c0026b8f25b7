#include "base/near_word.h"

#include <stdio.h>
#include <string.h>

#define PREFIX_LEAST 3 /* bytes of a word that is the beginning of another */
/* A word is offered for one that differs from it in at most a third of the letters. */
#define LETTERS_FOR_ONE_BAD 3

static size_t least_of(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* The letters to change: Damerau's and Levenshtein's distance, in which swapped neighbours are one. */
static size_t distance_of(const char *a, size_t a_bytes, const char *b, size_t b_bytes)
{
	size_t rows[3][NEAR_WORD_BYTES + 1] = {{0}};

	for (size_t j = 0; j <= b_bytes; j++)
		rows[0][j] = j;
	for (size_t i = 1; i <= a_bytes; i++) {
		size_t *row = rows[i % 3];
		const size_t *before = rows[(i - 1) % 3], *second = rows[(i + 1) % 3];

		row[0] = i;
		for (size_t j = 1; j <= b_bytes; j++) {
			row[j] = least_of(least_of(row[j - 1], before[j]) + 1,
					  before[j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				row[j] = least_of(row[j], second[j - 2] + 1);
		}
	}
	return rows[a_bytes % 3][b_bytes];
}

void near_word_offer(struct near_word *near, const char *candidate, size_t length)
{
	const size_t bytes = strlen(near->word);
	size_t most = bytes / LETTERS_FOR_ONE_BAD, distance;

	if (!bytes || bytes >= NEAR_WORD_BYTES || length >= NEAR_WORD_BYTES)
		return;
	if (bytes >= PREFIX_LEAST && bytes <= length && !memcmp(near->word, candidate, bytes))
		distance = 1;
	else
		distance = distance_of(near->word, bytes, candidate, length);
	if (distance > (most ? most : 1) || (near->distance && distance >= near->distance))
		return;
	near->distance = distance;
	snprintf(near->question, sizeof(near->question), ": did you mean '%.*s'?", (int)length,
		 candidate);
}

void near_word_offer_all(struct near_word *near, const char *words)
{
	for (; words; words = words[strcspn(words, "|")] ? words + strcspn(words, "|") + 1 : NULL)
		near_word_offer(near, words, strcspn(words, "|"));
}

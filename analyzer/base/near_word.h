/*
 * Which of some words was meant by one that is none of them: the nearest by letters that are wrong, missing, too
 * many or swapped, if there are few, or one that begins like it.
 *
 *	struct near_word near = {.word = word};
 *
 *	near_word_offer(&near, "report", 6);
 *	near_word_question(&near)	": did you mean 'report'?", or ""
 */
#ifndef STREAMTRACE_NEAR_WORD_H
#define STREAMTRACE_NEAR_WORD_H

#include <stddef.h>

#define NEAR_WORD_BYTES 64 /* longer ones are not compared */

struct near_word {
	const char *word;
	size_t distance; /* of the nearest, from 1 */
	char question[NEAR_WORD_BYTES + 32];
};

/* Compares the first `length` bytes of the candidate. */
void near_word_offer(struct near_word *near, const char *candidate, size_t length);

/* Compares each of the words, which bars part: "text|json". NULL: none. */
void near_word_offer_all(struct near_word *near, const char *words);

/* Lives as long as *near. */
static inline const char *near_word_question(const struct near_word *near)
{
	return near->question;
}

#endif

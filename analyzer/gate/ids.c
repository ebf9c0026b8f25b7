#include "gate/ids.h"

#include "base/memory.h"
#include "findings/detector_table.h"
#include "races/races.h"

#include <stdlib.h>
#include <string.h>

static const char *next_word(const char *word)
{
	const char *comma = strchr(word, ',');

	return comma ? comma + 1 : NULL;
}

static bool is_word(const char *word, const char *text)
{
	return strcspn(word, ",") == strlen(text) && !strncmp(word, text, strlen(text));
}

bool ids_have(const char *list, const char *id)
{
	for (const char *word = list; word; word = next_word(word))
		if (is_word(word, "all") || is_word(word, id))
			return true;
	return false;
}

bool ids_name(const char *list, const char *id)
{
	for (const char *word = list; word; word = next_word(word))
		if (is_word(word, id))
			return true;
	return false;
}

char *ids_unknown(const char *list)
{
	for (const char *word = list; word; word = next_word(word)) {
		bool is_known = is_word(word, "all");

		for (size_t i = 0; detectors[i]; i++)
			is_known |= is_word(word, detectors[i]->id);
		for (int i = 0; i < RACE_CERTAINTIES; i++)
			is_known |= is_word(word, race_id(i));
		if (!is_known)
			return memory_format("%.*s", (int)strcspn(word, ","), word);
	}
	return NULL;
}

#include "trace/forms.h"

#include "base/memory.h"
#include "base/mix.h"

#include <stdlib.h>
#include <string.h>

#define RECENT	    ((size_t)32768) /* a power of two, and of so many places each: */
#define PLACES	    ((size_t)4)
#define FIRST_FORMS ((size_t)64)
#define MOST_FORMS  ((size_t)8192)

struct forms_block {
	struct forms_block *next;
	size_t count, size;
	uint64_t forms[]; /* of element_bytes each */
};

/* Two halves side by side, as each step waits for the one before. */
static uint64_t hash_of(const struct forms *forms, const void *form)
{
	const size_t half = forms->element_bytes / 2 / sizeof(uint64_t) * sizeof(uint64_t);
	uint64_t hash = 0, other = 0, word;

	for (size_t i = 0; i < half; i += sizeof(word)) {
		memcpy(&word, (const char *)form + i, sizeof(word));
		hash = mix(hash, word);
		memcpy(&word, (const char *)form + half + i, sizeof(word));
		other = mix(other, word);
	}
	if (2 * half < forms->element_bytes) {
		memcpy(&word, (const char *)form + 2 * half, sizeof(word));
		hash = mix(hash, word);
	}
	return mix(mix(hash, 1), other);
}

static void *form_at(const struct forms *forms, struct forms_block *block, size_t index)
{
	return (char *)block->forms + index * forms->element_bytes;
}

static void *add_form(struct forms *forms, const void *form)
{
	struct forms_block *block = forms->blocks;
	size_t size = block ? 2 * block->size : FIRST_FORMS;
	void *added;

	if (!block || block->count == block->size) {
		size = size < MOST_FORMS ? size : MOST_FORMS;
		block = memory_array(1, sizeof(*block) + size * forms->element_bytes);
		*block = (struct forms_block){.next = forms->blocks, .size = size};
		forms->blocks = block;
	}
	added = form_at(forms, block, block->count++);
	memcpy(added, form, forms->element_bytes);
	return added;
}

/* Each may stand in so many places, the newest first. */
void *forms_keep(struct forms *forms, const void *form)
{
	const size_t set = (size_t)hash_of(forms, form) & (RECENT - 1) & ~(PLACES - 1);
	const void **places;

	if (!forms->recent)
		forms->recent = memory_array(RECENT, sizeof(*forms->recent));
	places = forms->recent + set;
	for (size_t i = 0; i < PLACES && places[i]; i++)
		if (memcmp(places[i], form, forms->element_bytes) == 0)
			return (void *)places[i];
	memmove(places + 1, places, (PLACES - 1) * sizeof(*places));
	places[0] = add_form(forms, form);
	return (void *)places[0];
}

void forms_each(const struct forms *forms, void (*function)(void *context, void *form),
		void *context)
{
	for (struct forms_block *block = forms->blocks; block; block = block->next)
		for (size_t i = 0; i < block->count; i++)
			function(context, form_at(forms, block, i));
}

void forms_forget(struct forms *forms)
{
	free(forms->recent);
	forms->recent = NULL;
}

void forms_free(struct forms *forms)
{
	struct forms_block *block;

	forms_forget(forms);
	while ((block = forms->blocks)) {
		forms->blocks = block->next;
		free(block);
	}
}

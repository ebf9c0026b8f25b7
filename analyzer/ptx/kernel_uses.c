#include "ptx/kernel_uses.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define WORD_BYTES 8

uint8_t kernel_uses_at(const struct kernel_uses *uses, uint32_t parameter, uint32_t offset_bytes)
{
	const uint32_t first = offset_bytes / WORD_BYTES;
	const uint32_t last = (uint32_t)(((uint64_t)offset_bytes + WORD_BYTES - 1) / WORD_BYTES);
	uint8_t bits = 0;

	for (size_t i = 0; i < uses->count; i++) {
		const struct kernel_use *use = &uses->items[i];

		if (use->parameter == parameter &&
		    (use->word == first || use->word == last || use->word == WORD_OF_ANY))
			bits |= use->uses;
	}
	return bits;
}

void kernel_uses_join(struct kernel_uses *uses, const struct kernel_uses *other)
{
	struct kernel_use *all = memory_array(uses->count + other->count, sizeof(*all));

	if (uses->count)
		memcpy(all, uses->items, uses->count * sizeof(*all));
	if (other->count)
		memcpy(all + uses->count, other->items, other->count * sizeof(*all));
	free(uses->items);
	uses->items = all;
	uses->count += other->count;
	uses->elsewhere |= other->elsewhere;
	uses->variables |= other->variables;
}

void kernel_uses_free(struct kernel_uses *uses)
{
	free(uses->items);
	*uses = (struct kernel_uses){0};
}

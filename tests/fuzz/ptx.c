#include "checks.h"
#include "ptx/fatbin.h"
#include "ptx/ptx_flow.h"
#include "targets.h"

#include <stdlib.h>
#include <string.h>

static void check_uses(const struct kernel_uses *uses)
{
	for (size_t i = 0; i < uses->count; i++) {
		const struct kernel_use *use = &uses->items[i];

		fuzz_require(use->uses && use->uses < 8, "a use", "");
		if (use->word != WORD_OF_ANY)
			fuzz_require((kernel_uses_at(uses, use->parameter, use->word * 8) &
				      use->uses) == use->uses,
				     "a use that is found", "");
	}
}

static void run_text(const char *text, size_t size)
{
	struct ptx_index index;
	struct kernel_uses uses;

	if (ptx_index_read(&index, text, size)) {
		for (size_t i = 0; i < index.functions.count; i++) {
			if (ptx_flow_find(&index, &index.functions.items[i], &uses))
				check_uses(&uses);
			kernel_uses_free(&uses);
		}
	}
	ptx_index_free(&index);
}

static void run_section(const char *bytes, size_t size)
{
	struct fatbin_walk walk = {.bytes = bytes, .size = size};
	struct fatbin_entry entry;

	while (fatbin_next(&walk, &entry)) {
		char *text;
		size_t length;

		fuzz_require(entry.bytes >= bytes && entry.bytes + entry.size <= bytes + size,
			     "an entry in its section", "");
		text = entry.unpacked_size <= 1 << 16 ? fatbin_unpack(&entry, &length) : NULL;
		if (text)
			run_text(text, length);
		free(text);
	}
}

/* The first byte chooses: a text, or a section with texts. */
void fuzz_run_ptx(const uint8_t *bytes, size_t size)
{
	char *copy;

	if (!size)
		return;
	copy = malloc(size); /* exactly as long */
	if (!copy)
		return;
	memcpy(copy, bytes + 1, size - 1);
	if (bytes[0] % 2)
		run_section(copy, size - 1);
	else
		run_text(copy, size - 1);
	free(copy);
}

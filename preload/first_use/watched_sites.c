#include "first_use/watched_sites.h"

#include "base/atoms.h"
#include "recorder/recorder.h"
#include "stack/modules.h"
#include "stack/sites.h"

#include <ctype.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SITES	 64
#define ANSWERS	 256 /* a power of two: stacks whose answer is remembered */
#define ALL_TEXT "1"

struct site {
	const char *module; /* points into the text; not terminated */
	size_t length;
	uint64_t offset;
};

static struct {
	struct site items[SITES];
	size_t count;
	bool is_all;
	struct {
		const struct atom *stack;
		bool includes;
	} answers[ANSWERS];
} sites;

/* Adds "path:offset" with this length. A path that contains a comma comes in two parts, which are
 * ignored. False: the offset exceeds an address. */
static bool add_site(const char *text, size_t length)
{
	const char *colon = memrchr(text, ':', length);
	struct site site = {.module = text};
	char *end;

	if (!colon || colon == text || sites.count == SITES || !isxdigit((unsigned char)colon[1]))
		return true;
	site.length = (size_t)(colon - text);
	errno = 0;
	site.offset = strtoull(colon + 1, &end, 16);
	if (end != text + length)
		return true;
	if (!errno)
		sites.items[sites.count++] = site;
	return !errno;
}

bool first_use_sites_read(const char *text)
{
	bool is_right = true;

	sites.is_all = strcmp(text, ALL_TEXT) == 0;
	for (const char *c = text; !sites.is_all && *c; c += strspn(c, ",")) {
		size_t length = strcspn(c, ",");

		is_right &= add_site(c, length);
		c += length;
	}
	return is_right && (sites.is_all || sites.count);
}

/* The caller must hold first_use.c's lock. */
static bool is_of_module(const struct site *site, const struct module *module)
{
	static char path[PATH_MAX];

	modules_path(module, path);
	return strlen(path) == site->length && !memcmp(path, site->module, site->length);
}

static bool is_site(uint64_t word)
{
	const struct module *module = modules_get(MODULE_NUMBER(word));

	for (size_t i = 0; module && i < sites.count; i++)
		if (sites.items[i].offset == MODULE_ADDRESS(word) - module->load_address &&
		    is_of_module(&sites.items[i], module))
			return true;
	return false;
}

static bool includes_watched_site(const struct atom *stack)
{
	for (int depth = 0; depth < stack->frame_count; depth++)
		if (is_site(stack->words[depth]))
			return true;
	return false;
}

bool first_use_sites_include(const struct caller *caller)
{
	const struct atom *stack;
	size_t index;

	if (sites.is_all)
		return true;
	stack = sites_capture(caller, 0);
	if (!stack)
		return false;
	index = stack->hash % ANSWERS;
	if (sites.answers[index].stack != stack) {
		sites.answers[index].includes = includes_watched_site(stack);
		sites.answers[index].stack = stack;
	}
	return sites.answers[index].includes;
}

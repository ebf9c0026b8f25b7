#include "gate/fixes.h"

#include "base/vector.h"
#include "detectors/instance.h"
#include "gate/gate_texts.h"
#include "gate/instance_lines.h"
#include "gate/places.h"

#include <stdlib.h>
#include <string.h>

typedef VECTOR(const struct finding *) finding_vector;

struct places_asked {
	const char *const *identities;
	size_t count;
};

static bool is_asked(const struct places_asked *asked, const char *id, const struct site *site)
{
	struct arena arena = {0};
	const char *identity = text_format(&arena, "%s %s", id, places_name(site, &arena));
	bool is_one = false;

	for (size_t i = 0; i < asked->count && !is_one; i++)
		is_one = !strcmp(identity, asked->identities[i]);
	arena_free(&arena);
	return is_one;
}

/* Adds a copy of the part with its instances in the lines that are asked for; nothing if it has none there. */
static void add_part(const struct analysis *analysis, const struct finding *part,
		     const struct places_asked *asked, finding_vector *found)
{
	bool *is_line_asked = memory_array(part->site_count, sizeof(bool));
	size_t *lines = instance_lines_find(analysis, part);
	struct finding *copy = memory_array(1, sizeof(*copy));

	for (size_t i = 0; i < part->site_count; i++)
		is_line_asked[i] = is_asked(asked, part->id, &part->sites[i].site);
	*copy = *part;
	copy->joined = NULL;
	copy->joined_count = 0;
	copy->instances = memory_array(part->instance_count, sizeof(*copy->instances));
	copy->instance_count = 0;
	for (size_t i = 0; i < part->instance_count; i++)
		if (is_line_asked[lines[i]])
			copy->instances[copy->instance_count++] = part->instances[i];
	if (copy->instance_count) {
		*vector_add(found) = copy;
	} else {
		free(copy->instances);
		free(copy);
	}
	free(lines);
	free(is_line_asked);
}

struct fixes fixes_at(const struct analysis *analysis, const char *const *identities, size_t count)
{
	const struct places_asked asked = {identities, count};
	finding_vector found = {0};
	struct fixes fixes;

	for (size_t i = 0; i < analysis->findings.count; i++) {
		const struct finding *finding = &analysis->findings.items[i];

		for (size_t k = 0; !finding->is_folded && k < finding_part_count(finding); k++)
			add_part(analysis, finding_part(finding, k), &asked, &found);
	}
	vector_move(&found, fixes.findings, fixes.count);
	return fixes;
}

void fixes_free(struct fixes *fixes)
{
	for (size_t i = 0; i < fixes->count; i++) {
		free(fixes->findings[i]->instances);
		free((void *)(uintptr_t)fixes->findings[i]);
	}
	free(fixes->findings);
}

#include "gate/instance_lines.h"

#include "base/memory.h"
#include "findings/gather.h"

#include <stdlib.h>

/* The finding's lines in their order, to be searched. */
struct line {
	const struct site *site;
	size_t index;
};

static int compare_sites(const void *a, const void *b)
{
	return site_compare(((const struct line *)a)->site, ((const struct line *)b)->site);
}

static struct line *sort_lines(const struct finding *part)
{
	struct line *lines = memory_array(part->site_count, sizeof(*lines));

	for (size_t i = 0; i < part->site_count; i++)
		lines[i] = (struct line){&part->sites[i].site, i};
	qsort(lines, part->site_count, sizeof(*lines), compare_sites);
	return lines;
}

size_t *instance_lines_find(const struct analysis *analysis, const struct finding *part)
{
	struct line *lines = sort_lines(part);
	size_t *found = memory_array(part->instance_count, sizeof(*found));

	for (size_t i = 0; i < part->instance_count; i++) {
		struct site site =
			gather_site(analysis->observed.model->trace, &part->instances[i]);
		const struct line key = {.site = &site};
		const struct line *line =
			bsearch(&key, lines, part->site_count, sizeof(*lines), compare_sites);

		found[i] = line ? line->index : 0;
	}
	free(lines);
	return found;
}

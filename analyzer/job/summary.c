#include "job/summary.h"

#include "base/mix.h"

#include <stdlib.h>

static uint64_t hash_text(const char *text)
{
	uint64_t hash = 1;

	for (; text && *text; text++)
		hash = mix(hash, (unsigned char)*text);
	return hash;
}

uint64_t summary_member_id(const struct summary *summary)
{
	uint64_t process = (uint64_t)(summary->process_id + 1);

	if (summary->rank != SUMMARY_NO_RANK)
		return (uint64_t)summary->rank << 32 | process;
	return UINT64_C(1) << 63 | (hash_text(summary->host) >> 33) << 32 | process;
}

void summary_free(struct summary *summary)
{
	if (!summary)
		return;
	free(summary->devices);
	free(summary->findings);
	free(summary->idle_lines);
	free(summary->communicators);
	free(summary->arrivals);
	free(summary->notes);
	paths_free(summary->paths);
	arena_free(&summary->texts);
	free(summary);
}

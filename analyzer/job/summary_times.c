#include "job/summary_times.h"

#include <stddef.h>
#include <string.h>

static const struct {
	const char *word;
	size_t offset;
} times[] = {
	{"wall", offsetof(struct summary_times, wall_ns)},
	{"untraced", offsetof(struct summary_times, untraced_ns)},
	{"replayed", offsetof(struct summary_times, replayed_ns)},
	{"lost-low", offsetof(struct summary_times, lost.low_ns)},
	{"lost", offsetof(struct summary_times, lost.estimate_ns)},
	{"lost-high", offsetof(struct summary_times, lost.high_ns)},
	{"idle", offsetof(struct summary_times, load.idle_ns)},
	{"overlap", offsetof(struct summary_times, load.overlapped_ns)},
	{"busy-compute", offsetof(struct summary_times, load.busy_ns[ENGINE_COMPUTE])},
	{"busy-h2d", offsetof(struct summary_times, load.busy_ns[ENGINE_H2D])},
	{"busy-d2h", offsetof(struct summary_times, load.busy_ns[ENGINE_D2H])},
	{"busy-peer", offsetof(struct summary_times, load.busy_ns[ENGINE_PEER])},
#define IDLE_CAUSE(symbol, word, text)                                                             \
	{"idle-" word, offsetof(struct summary_times, load.idle_by_cause_ns[IDLE_##symbol])},
#include "replay/idle_causes.def"
};

#define COUNT (sizeof(times) / sizeof(*times))

size_t summary_time_count(void)
{
	return COUNT;
}

const char *summary_time_word(size_t index)
{
	return times[index].word;
}

int64_t *summary_time_at(struct summary_times *of, size_t index)
{
	return (int64_t *)((char *)of + times[index].offset);
}

int64_t summary_time_least(size_t index)
{
	return times[index].offset == offsetof(struct summary_times, replayed_ns) ? -1 : 0;
}

size_t summary_time_find(const char *word)
{
	for (size_t i = 0; i < COUNT; i++)
		if (!strcmp(times[i].word, word))
			return i;
	return SIZE_MAX;
}

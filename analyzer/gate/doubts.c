#include "gate/doubts.h"

#include "findings/not_seen.h"
#include "gate/gate_texts.h"

#include <stdlib.h>
#include <string.h>

/* What is less than this share of the run can be lost: a finding of less is not listed either. */
#define LOST_SHARE 0.005

enum weight {
	BY_EVENTS, /* its count against the trace's events */
	BY_TIME,   /* its count is ns: against the run */
	ALWAYS,
	NEVER /* the findings do not need it */
};

static enum weight weight_of(const char *kind)
{
	static const struct {
		const char *kind;
		enum weight weight;
	} kinds[] = {
		{"clock-step", BY_TIME},   {"cupti-error", ALWAYS},    {"file-error", ALWAYS},
		{"first-use-lost", NEVER}, {"first-use-small", NEVER},
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (!strcmp(kinds[i].kind, kind))
			return kinds[i].weight;
	return BY_EVENTS;
}

static bool is_much(const struct trace *trace, const struct analysis *analysis, enum weight weight,
		    int64_t count)
{
	double events = (double)trace->call_count + (double)trace->operation_count +
			(double)trace->untimed_operations;

	switch (weight) {
	case BY_EVENTS:
		return (double)count >= LOST_SHARE * events;
	case BY_TIME:
		return (double)count >= LOST_SHARE * (double)analysis->headline.wall_ns;
	case ALWAYS:
		return true;
	default:
		return false;
	}
}

static void add_doubt(struct gate_run *run, const char *text)
{
	*vector_add(&run->doubts) = text;
}

/* Of all rows of the kind. */
static int64_t sum_of(const struct trace *trace, const char *kind)
{
	int64_t count = 0;

	for (size_t i = 0; i < trace->loss_count; i++)
		if (!strcmp(trace->losses[i].kind, kind) &&
		    __builtin_add_overflow(count, trace->losses[i].count, &count))
			return INT64_MAX;
	return count;
}

static void take_losses(const struct trace *trace, const struct analysis *analysis,
			struct gate_run *run)
{
	static const struct {
		const char *word, *text;
	} kinds[] = {
#define LOSS_KIND(symbol, word, is_event, text) {word, text},
#include "facts/loss_kinds.def"
#undef LOSS_KIND
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		int64_t count = sum_of(trace, kinds[i].word);

		if (count && is_much(trace, analysis, weight_of(kinds[i].word), count))
			add_doubt(run, text_format(&run->arena, "%lld %s", (long long)count,
						   kinds[i].text));
	}
}

static void take_check(const struct analysis *analysis, struct gate_run *run)
{
	double error = (double)(analysis->check.replayed_ns - analysis->headline.wall_ns);

	if (analysis->check.has_estimates)
		return;
	if (analysis->check.replayed_ns < 0 || analysis->headline.wall_ns <= 0)
		add_doubt(run, "the self-check failed: the run cannot be replayed");
	else
		add_doubt(run,
			  text_format(&run->arena,
				      "the self-check failed: the replay without a fix misses the "
				      "measured time by %.1f %%",
				      100 * error / (double)analysis->headline.wall_ns));
}

void doubts_collect(const struct trace *trace, const struct analysis *analysis,
		    struct gate_run *run)
{
	const char *cupti = trace_metadata(trace, "cupti");
	const char *end = trace_metadata(trace, "end");
	char *failure = not_seen_failure(trace);

	if (failure)
		add_doubt(run, text_format(&run->arena, "%s", failure));
	else if (cupti && strcmp(cupti, "on") != 0)
		add_doubt(run,
			  text_format(&run->arena, "no GPU operations were recorded: %s", cupti));
	else if (!trace->operation_count)
		add_doubt(run, "nothing ran on a GPU");
	else
		take_check(analysis, run);
	free(failure);
	if (trace->unread)
		add_doubt(run, text_format(&run->arena, "a part of the file was not read: %s",
					   trace->unread));
	if (end && !strcmp(end, "running"))
		add_doubt(run, "the program was still running or was killed: the last events "
			       "may be missing");
	take_losses(trace, analysis, run);
}

#include "commands/untraced.h"

#include "base/memory.h"
#include "commands/options.h"
#include "facts/check.h"

#include <stdlib.h>

struct untraced untraced_begin(const char *obstacle)
{
	struct untraced untraced = {.obstacle = obstacle,
				    .shared = shared_page_make(sizeof(struct run_page))};

	untraced.page = untraced.shared.memory;
	return untraced;
}

void untraced_end(struct untraced *untraced)
{
	shared_page_free(&untraced->shared);
}

/* NULL: it is not set. */
static const char *read_setting(enum variable variable)
{
	const char *value = getenv(variable_rows[variable].name);

	return value && *value ? value : NULL;
}

/* Of a run in which a program was left out. */
static char *name_cause_of_left_out(uint32_t met, const char *program)
{
	const char *programs = read_setting(VARIABLE_PROGRAMS);

	if (met & RUN_MET_LEFT_OUT && programs)
		return memory_format(
			"no program with a name of STREAMTRACE_PROGRAMS=%s made a CUDA call",
			programs);
	return memory_format(
		"%s turns tracing off in what %s runs, or in a part of it",
		met & RUN_MET_LEFT_OUT ? "STREAMTRACE_PROGRAMS" : "STREAMTRACE_DISABLE", program);
}

/* from: of untraced->steps. */
static char *name_cause_of_steps(const struct untraced *untraced, const char *program, long from)
{
	const uint32_t begun = atomic_load(&untraced->page->steps);
	const bool is_named = untraced->step && *untraced->step;

	if (!begun)
		return memory_format(
			"--steps=%s, and %s began no step: no NVTX range has %s in its name; "
			"--step=NAME chooses other ranges, nvtxRangePush(\"step\") or "
			"torch.cuda.nvtx.range_push(\"step\") begins one",
			untraced->steps, program,
			is_named ? untraced->step : "step, iter, batch or frame");
	if (begun <= (unsigned long)from)
		return memory_format("--steps=%s, and %s began only %u step%s", untraced->steps,
				     program, begun, begun == 1 ? "" : "s");
	return memory_format("--steps=%s, and no CUDA call was made in these steps",
			     untraced->steps);
}

/* Of a page that was told of a program. */
static char *name_told_cause(const struct untraced *untraced, const char *output,
			     const char *program)
{
	const uint32_t met = atomic_load(&untraced->page->met);
	long from, until;

	if (met & RUN_MET_NO_FILE)
		return memory_format("%s could not be written%s", output,
				     read_setting(VARIABLE_QUIET) ? "" : ", for the reason above");
	if (met & RUN_MET_RECORD)
		return memory_format("%s made CUDA calls, but ended before any was written",
				     program);
	if (met & RUN_MET_LIBRARY && untraced->steps && check_span(untraced->steps, &from, &until))
		return name_cause_of_steps(untraced, program, from);
	if (met & (RUN_MET_DISABLED | RUN_MET_LEFT_OUT))
		return name_cause_of_left_out(met, program);
	if (met & RUN_MET_LIBRARY)
		return memory_format("%s loaded CUDA (libcuda or libcudart), but made no call that "
				     "waits or enqueues work",
				     program);
	return memory_format(
		"%s made no CUDA call; what it starts in a container, as another user or "
		"as a static program is not traced",
		program);
}

char *untraced_cause(const struct untraced *untraced, const char *output, const char *program)
{
	const char *disable = read_setting(VARIABLE_DISABLE);

	if (disable && check_word(&(const struct check)CHECK_FLAG, disable) % 2 == 1)
		return memory_format("STREAMTRACE_DISABLE=%s turns tracing off", disable);
	if (untraced->obstacle)
		return memory_format("%s: %s", program, untraced->obstacle);
	if (!untraced->page)
		return memory_format("%s made no CUDA call, or runs where LD_PRELOAD or /proc does "
				     "not reach",
				     program);
	if (!atomic_load(&untraced->page->programs))
		return memory_format("libstrace.so was not loaded into %s: its interpreter is a "
				     "static program, the loader says above why not, or it runs "
				     "where LD_PRELOAD or /proc does not reach",
				     program);
	return name_told_cause(untraced, output, program);
}

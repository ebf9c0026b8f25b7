#include "nvtx/step_windows.h"

#include "base/atoms.h"
#include "base/options.h"
#include "base/run_page.h"
#include "facts/check.h"
#include "facts/watch_page.h"
#include "recorder/recorder.h"
#include "recorder/windows.h"

#include <stdatomic.h>
#include <string.h>

bool step_windows_are_on;

static long from, until;
static _Atomic uint64_t counted_level; /* of the ranges that are steps; 0: none was begun */
static _Atomic long begun;

void step_windows_initialize(void)
{
	step_windows_are_on =
		options_is_watch() || (*options.steps && check_span(options.steps, &from, &until));
}

static bool is_step(const union range_record *begin)
{
	static const char *const names[] = {
#define STEP_NAME(name) name,
#include "facts/step_names.def"
#undef STEP_NAME
	};
	char start[RANGE_TEXT_BYTES + 1];
	const char *text = begin->fields.name ? (const char *)begin->fields.name->words : start;

	memcpy(start, begin->fields.text, begin->fields.text_bytes);
	start[begin->fields.text_bytes] = '\0';
	if (*options.step)
		return strcasestr(text, options.step) != NULL;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strcasestr(text, names[i]))
			return true;
	return false;
}

void step_windows_range(const union range_record *begin, uint64_t level)
{
	uint64_t none = 0;
	long step;

	if (!is_step(begin) ||
	    (!atomic_compare_exchange_strong(&counted_level, &none, level) && none != level))
		return;
	step = atomic_fetch_add(&begun, 1);
	run_page_tell_steps(step < UINT32_MAX ? (uint32_t)step + 1 : UINT32_MAX);
	if (options_is_watch())
		recorder_step((uint64_t)step, WATCH_STEPS_NVTX);
	else if (step == from)
		windows_open(WINDOW_STEP);
	else if (step == until)
		windows_close(WINDOW_STEP);
}

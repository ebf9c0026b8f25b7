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
#include <strings.h>

bool step_windows_are_on;

static long from, until;
static _Atomic uint64_t counted_level; /* of the ranges that are steps; 0: none was begun */
static _Atomic long begun;

void step_windows_initialize(void)
{
	step_windows_are_on =
		options_is_watch() || (*options.steps && check_span(options.steps, &from, &until));
}

/* One pass: strcasestr() takes 500 instructions for each name. */
static bool has_step_name(const char *text)
{
#define STEP_NAME(name)                                                                            \
	if ((*text | 0x20) == (name)[0] && !strncasecmp(text, name, sizeof(name) - 1))             \
		return true;
	for (; *text; text++) {
#include "facts/step_names.def"
	}
#undef STEP_NAME
	return false;
}

static bool is_step(const union range_record *begin)
{
	char start[RANGE_TEXT_BYTES + 1];
	const char *text = begin->fields.name ? (const char *)begin->fields.name->words : start;

	memcpy(start, begin->fields.text, begin->fields.text_bytes);
	start[begin->fields.text_bytes] = '\0';
	return *options.step ? strcasestr(text, options.step) != NULL : has_step_name(text);
}

void step_windows_range(const union range_record *begin, uint64_t level)
{
	uint64_t counted = atomic_load_explicit(&counted_level, memory_order_relaxed);
	long step;

	if ((counted && counted != level) || !is_step(begin) ||
	    (!counted && !atomic_compare_exchange_strong(&counted_level, &counted, level) &&
	     counted != level))
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

#include "commands/filters.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* No time of a trace is longer: 146 years. */
#define LONGEST_NS 4.6e18

static const struct {
	const char *name;
	double ns;
} units[] = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};

/* A number that is not negative, and what is behind it and blanks; NULL: there is none. */
static const char *read_number(const char *text, double *number)
{
	char *end;

	if (!isdigit((unsigned char)*text) && *text != '.')
		return NULL;
	*number = strtod(text, &end);
	if (end == text || !(*number >= 0))
		return NULL;
	return end + strspn(end, " ");
}

/* "1.5ms" in the first bytes of the text. */
static bool read_time(const char *text, size_t bytes, int64_t *ns)
{
	char copy[32];
	const char *unit;
	double number;

	if (bytes >= sizeof(copy))
		return false;
	memcpy(copy, text, bytes);
	copy[bytes] = '\0';
	unit = read_number(copy, &number);
	for (size_t i = 0; unit && i < sizeof(units) / sizeof(*units); i++)
		if (!strcmp(unit, units[i].name) && number * units[i].ns <= LONGEST_NS) {
			*ns = (int64_t)(number * units[i].ns);
			return true;
		}
	return false;
}

bool filters_read_least(const char *text, int64_t *ns, double *share)
{
	const char *unit;
	double number;

	*ns = 0;
	*share = 0;
	if (read_time(text, strlen(text), ns))
		return true;
	unit = read_number(text, &number);
	if (!unit || strcmp(unit, "%") != 0)
		return false;
	*share = number / 100;
	return true;
}

/* "1s..1.5s": one of the ends may be left out. */
static bool read_span(const char *text, struct selection *selection)
{
	const char *dots = strstr(text, "..");

	selection->has_time = true;
	selection->from_ns = 0;
	selection->until_ns = (int64_t)LONGEST_NS;
	if (!dots || (dots == text && !dots[2]))
		return false;
	return (dots == text || read_time(text, (size_t)(dots - text), &selection->from_ns)) &&
	       (!dots[2] || read_time(dots + 2, strlen(dots + 2), &selection->until_ns)) &&
	       selection->from_ns < selection->until_ns;
}

static uint32_t number_of(const struct arguments *arguments, enum option_id id)
{
	return (uint32_t)strtoul(arguments->values[id], NULL, 10);
}

bool filters_read(const struct arguments *arguments, struct selection *selection)
{
	const char *least = arguments->values[OPTION_MIN], *span = arguments->values[OPTION_TIME];

	*selection = (struct selection){.site = arguments->values[OPTION_SITE],
					.kernel = arguments->values[OPTION_KERNEL],
					.range = arguments->values[OPTION_NVTX]};
	selection->has_stream = arguments->is_given[OPTION_STREAM];
	selection->has_device = arguments->is_given[OPTION_DEVICE];
	if (selection->has_stream)
		selection->stream = number_of(arguments, OPTION_STREAM);
	if (selection->has_device)
		selection->device = number_of(arguments, OPTION_DEVICE);
	if (arguments->is_given[OPTION_TOP])
		selection->top = number_of(arguments, OPTION_TOP);
	if (least && !filters_read_least(least, &selection->least_ns, &selection->least_share)) {
		command_fail(EXIT_USAGE,
			     "--min=%s: the value must be a time (10ms) or a share (2%%)", least);
		return false;
	}
	if (span && !read_span(span, selection)) {
		command_fail(EXIT_USAGE,
			     "--time=%s: the value must be two times (1.2s..1500ms), or one "
			     "with two dots",
			     span);
		return false;
	}
	return true;
}

#include "base/format.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Goes to the next unit, 1000 times larger, until three digits are enough: 999.6 us are 1.00 ms.
 * Values in the first unit are whole numbers. */
static const char *scale_units(struct format *format, double value, const char *const *units)
{
	const char *sign = value < 0 ? "-" : "";
	int step = 0, digits;

	value = value < 0 ? -value : value;
	while (units[step + 1] && value >= (step ? 999.5 : 1000)) {
		value /= 1000;
		step++;
	}
	digits = step == 0 || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
	snprintf(format->text, sizeof(format->text), "%s%.*f %s", sign, digits, value, units[step]);
	return format->text;
}

const char *format_time(struct format *format, int64_t ns)
{
	static const char *const units[] = {"ns", "us", "ms", "s", NULL};

	return scale_units(format, (double)ns, units);
}

const char *format_time_range(struct format *format, int64_t low_ns, int64_t high_ns)
{
	struct format low, high;
	const char *unit, *same;

	format_time(&low, low_ns);
	format_time(&high, high_ns);
	unit = strchr(low.text, ' ');
	same = strchr(high.text, ' ');
	snprintf(format->text, sizeof(format->text), "%.*s..%.20s",
		 strcmp(unit, same) ? 20 : (int)(unit - low.text), low.text, high.text);
	return format->text;
}

const char *format_bytes(struct format *format, uint64_t bytes)
{
	static const char *const units[] = {"B", "kB", "MB", "GB", "TB", NULL};

	return scale_units(format, (double)bytes, units);
}

const char *format_percent(struct format *format, int64_t part, int64_t whole)
{
	if (whole <= 0)
		return strcpy(format->text, "-");
	snprintf(format->text, sizeof(format->text), "%.1f %%",
		 100.0 * (double)part / (double)whole);
	return format->text;
}

const char *format_count(struct format *format, uint64_t count)
{
	char digits[24], *out = format->text;
	int length = snprintf(digits, sizeof(digits), "%" PRIu64, count), i;

	for (i = 0; i < length; i++) {
		if (i > 0 && (length - i) % 3 == 0)
			*out++ = ',';
		*out++ = digits[i];
	}
	*out = '\0';
	return format->text;
}

#include "base/format.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Goes to the next unit, 1000 times larger, until three digits are enough: 999.6 us are 1.00 ms. Then adds digits until
 * the last one is no more than `finest` of the first unit. Values in the first unit are whole numbers. */
static const char *scale_to(struct format *format, double value, const char *const *units,
			    double finest)
{
	double last = 1;
	const char *sign = value < 0 ? "-" : "";
	int step = 0, digits;

	value = value < 0 ? -value : value;
	while (units[step + 1] && value >= (step ? 999.5 : 1000)) {
		value /= 1000;
		last *= 1000;
		step++;
	}
	digits = step == 0 || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
	last = digits == 2 ? last / 100 : digits == 1 ? last / 10 : last;
	for (; last > finest && last > 1; last /= 10)
		digits++;
	snprintf(format->text, sizeof(format->text), "%s%.*f %s", sign, digits, value, units[step]);
	return format->text;
}

static const char *scale_units(struct format *format, double value, const char *const *units)
{
	return scale_to(format, value, units, INFINITY);
}

static const char *const times[] = {"ns", "us", "ms", "s", NULL};

const char *format_time(struct format *format, int64_t ns)
{
	return scale_units(format, (double)ns, times);
}

const char *format_time_apart(struct format *format, int64_t ns, int64_t distance_ns)
{
	return scale_to(format, (double)ns, times, (double)distance_ns / 10);
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

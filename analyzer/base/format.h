/*
 * Numbers as text for people.
 *
 *	struct format text;
 *	printf("%s", format_time(&text, 12345678));	(12.3 ms)
 *
 * Each function writes into *format, which the caller provides, and returns format->text. The text
 * is valid until the next call with the same *format. Any thread.
 */
#ifndef STREAMTRACE_FORMAT_H
#define STREAMTRACE_FORMAT_H

#include <stdint.h>

struct format {
	char text[48];
};

/* Three significant digits: "0 ns", "12.3 us", "1.00 s", "-4.56 ms"; whole seconds from 1000 s
 * on. */
const char *format_time(struct format *format, int64_t ns);

/* The same with as many digits as it takes to tell times apart that are distance_ns from each other, and a tenth of
 * that: "846.012 ms" for 12 us. */
const char *format_time_apart(struct format *format, int64_t ns, int64_t distance_ns);

/* "156..363 ms" if both ends have one unit, otherwise "0 ns..43.2 ms". */
const char *format_time_range(struct format *format, int64_t low_ns, int64_t high_ns);

/* "12.3 MB": powers of 1000, three significant digits. */
const char *format_bytes(struct format *format, uint64_t bytes);

/* part as a percentage of whole: "12.3 %"; "-" if whole is 0 or less. */
const char *format_percent(struct format *format, int64_t part, int64_t whole);

/* "12,345": a comma between thousands. */
const char *format_count(struct format *format, uint64_t count);

#endif

/*
 * Numbers for people. Each returns a text in *text, which the caller provides.
 */
#ifndef STREAMTRACE_FORMAT_H
#define STREAMTRACE_FORMAT_H

#include <stdint.h>

struct format {
	char text[48];
};

/* Three significant digits: "0 ns", "12.3 us", "1.00 s", "-4.56 ms"; from 1000 s on whole
 * seconds. */
const char *format_time(struct format *format, int64_t ns);

/* "156..363 ms", "0 ns..43.2 ms": from low to high. */
const char *format_time_range(struct format *format, int64_t low_ns, int64_t high_ns);

/* "12.3 MB": powers of 1000, three significant digits. */
const char *format_bytes(struct format *format, uint64_t bytes);

/* "12.3 %" of whole; "-" where whole is not positive. */
const char *format_percent(struct format *format, int64_t part, int64_t whole);

/* "12,345". */
const char *format_count(struct format *format, uint64_t count);

#endif

#include "render/devices.h"

#include "base/format.h"
#include "render/engines.h"

#include <string.h>

static void print_name(const struct page *page, const struct analysis *analysis,
		       const struct device *device)
{
	const struct interval *lost = &device->lost;
	struct format time, low, high, range;
	const char *name = device->name ? device->name : "unknown";

	format_time(&time, lost->estimate_ns);
	format_time(&low, lost->low_ns);
	format_time(&high, lost->high_ns);
	if (!analysis->has_estimates || lost->high_ns <= 0)
		print_formatted(page, NULL, 0, "Device %u, %s", device->id, name);
	else if (!strcmp(low.text, time.text) && !strcmp(high.text, time.text))
		print_formatted(page, NULL, 0, "Device %u, %s: lost overlap %s", device->id, name,
				time.text);
	else
		print_formatted(page, NULL, 0, "Device %u, %s: lost overlap %s (range %s)",
				device->id, name, time.text,
				format_time_range(&range, lost->low_ns, lost->high_ns));
}

bool print_devices(const struct page *page, const struct analysis *analysis)
{
	for (size_t i = 0; i < analysis->device_count; i++) {
		const struct device *device = &analysis->devices[i];
		struct analysis one = *analysis;

		memcpy(one.busy_ns, device->load.busy_ns, sizeof(one.busy_ns));
		one.idle_ns = device->load.idle_ns;
		one.overlapped_ns = device->load.overlapped_ns;
		if (i)
			fputc('\n', page->out);
		print_name(page, analysis, device);
		if (!print_engines(page, &one))
			return false;
	}
	return true;
}

#include "render/device_table.h"

#include "render/figures.h"
#include "render/idle_table.h"
#include "render/spark.h"

#include <stdlib.h>

static void print_name(const struct page *page, const struct analysis *analysis,
		       const struct device *device)
{
	const char *name = device->name ? device->name : "unknown";
	char *saving;

	page_set_style(page, PAGE_STRONG);
	if (!analysis->check.has_estimates || device->lost.high_ns <= 0) {
		print_formatted(page, NULL, 0, "Device %u, %s", device->id, name);
	} else {
		saving = figures_interval(analysis, &device->lost);
		print_formatted(page, NULL, 0, "Device %u, %s: %s can be won back", device->id,
				name, saving);
		free(saving);
	}
	page_set_style(page, PAGE_PLAIN);
}

void print_devices(const struct page *page, const struct trace *trace,
		   const struct analysis *analysis)
{
	for (size_t i = 0; i < analysis->device_count; i++) {
		const struct device *device = &analysis->devices[i];

		if (i)
			fputc('\n', page->out);
		print_name(page, analysis, device);
		print_sparks(page, trace, analysis, device->id, &device->load);
		print_idle_causes_of(page, analysis, device->id);
	}
}

#include "base/memory.h"
#include "commands/calibration.h"
#include "commands/command.h"
#include "commands/loops.h"
#include "model/tool_cost.h"
#include "render/json_parts.h"
#include "render/render.h"

#include <stdio.h>
#include <string.h>

/* Somebody asked for it, and can end it. */
#define LIMIT_MS 600000

static void print_row(enum loops_path path, int n, bool is_cold, const struct calibration_row *row)
{
	char name[64];

	snprintf(name, sizeof(name), "%s %s%s", path == LOOPS_DRIVER ? "driver" : "runtime",
		 tool_cost_word(tool_cost_classes[n]), is_cold ? ", cold" : "");
	printf("%-26s %8.0f %8.0f %11.0f %8.0f\n", name, row->untraced_ns, row->traced_ns,
	       row->library_ns, calibration_cupti_ns(row));
}

static int first_path(const struct calibration *calibration)
{
	return calibration->has_runtime ? LOOPS_RUNTIME : LOOPS_DRIVER;
}

static void print_calibration(const struct calibration *calibration)
{
	printf("%s\n%-26s %8s %8s %11s %8s\n", calibration->uuid, "ns, call to call", "untraced",
	       "traced", "streamtrace", "CUPTI");
	for (int path = first_path(calibration); path < LOOPS_PATHS; path++)
		for (int cold = 0; cold < 2; cold++)
			for (int n = 0; n < LOOPS_CLASSES; n++)
				print_row((enum loops_path)path, n, cold,
					  &calibration->rows[path][n][cold]);
	printf("%-26s %8.0f %8.0f %20.0f\n", "kernel to kernel", calibration->kernel_untraced_ns,
	       calibration->kernel_traced_ns, calibration_kernel_gap_ns(calibration));
	printf("%-26s %8.0f %8.0f %20.0f\n", "kernel, copy to kernel",
	       calibration->pair_untraced_ns, calibration->pair_traced_ns,
	       calibration_copy_gap_ns(calibration));
}

static json_t *row_object(enum loops_path path, int n, bool is_cold,
			  const struct calibration_row *row)
{
	return json_pack("{s:s, s:s, s:b, s:f, s:f, s:f, s:f}", "api",
			 path == LOOPS_DRIVER ? "driver" : "runtime", "calls",
			 tool_cost_word(tool_cost_classes[n]), "is_cold", is_cold, "untraced_ns",
			 row->untraced_ns, "traced_ns", row->traced_ns, "streamtrace_ns",
			 row->library_ns, "cupti_ns", calibration_cupti_ns(row));
}

static json_t *gap_object(double untraced_ns, double traced_ns, double cupti_ns)
{
	return json_pack("{s:f, s:f, s:f}", "untraced_ns", untraced_ns, "traced_ns", traced_ns,
			 "cupti_ns", cupti_ns);
}

/* False: out of memory. */
static bool print_calibration_json(const struct calibration *calibration)
{
	json_t *rows = json_array();

	for (int path = first_path(calibration); path < LOOPS_PATHS; path++)
		for (int cold = 0; cold < 2; cold++)
			for (int n = 0; n < LOOPS_CLASSES; n++)
				json_array_append_new(
					rows, row_object((enum loops_path)path, n, cold,
							 &calibration->rows[path][n][cold]));
	return print_json(
		stdout,
		json_pack("{s:i, s:s, s:o, s:o, s:o}", "schema_version", JSON_SCHEMA_VERSION,
			  "gpu_uuid", calibration->uuid, "calls", rows, "kernel_to_kernel",
			  gap_object(calibration->kernel_untraced_ns, calibration->kernel_traced_ns,
				     calibration_kernel_gap_ns(calibration)),
			  "kernel_and_copy_to_kernel",
			  gap_object(calibration->pair_untraced_ns, calibration->pair_traced_ns,
				     calibration_copy_gap_ns(calibration))));
}

static int calibrate_main(const struct arguments *arguments)
{
	struct calibration calibration;
	struct cache numbers = {0};

	if (arguments->is_given[OPTION_LOOPS])
		return loops_run(strcmp(arguments->values[OPTION_LOOPS], "cold") == 0);
	if (!calibration_measure(NULL, LIMIT_MS, &calibration))
		return command_fail(EXIT_UNREADABLE,
				    "calls cannot be measured here: there is no GPU, or "
				    "libstrace.so or CUPTI is missing");
	calibration_numbers(&calibration, &numbers);
	cache_write(&numbers, calibration.uuid);
	cache_free(&numbers);
	if (!strcmp(arguments->values[OPTION_PLAIN_FORMAT], "json"))
		return print_calibration_json(&calibration)
			       ? EXIT_FINE
			       : command_fail(EXIT_UNREADABLE, "out of memory");
	print_calibration(&calibration);
	return EXIT_FINE;
}

const struct command command_calibrate = {
	.name = "calibrate",
	.summary = "measure what tracing adds to calls on this machine",
	.operands = "",
	.description =
		"Measures what tracing adds to CUDA calls, on the first visible GPU, with loops of "
		"calls that run traced and untraced in turn, and keeps the numbers in "
		"$XDG_CACHE_HOME/streamtrace. Reports take the cost out of a run with them. run "
		"and report do this by themselves where it matters and the GPU is here.",
	.example = "streamtrace calibrate",
	.schema = calibrate_schema,
	.main = calibrate_main,
};

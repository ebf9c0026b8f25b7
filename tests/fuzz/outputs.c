#include "outputs.h"

#include "checks.h"
#include "export/exporters.h"
#include "gate/gate_check.h"
#include "job/job_report.h"
#include "render/output_formats.h"

#include <stdlib.h>
#include <string.h>

#define REPORTED_MOST 3000 /* operations of a trace that there is a report on */
#define REPORTED      128  /* of 256 inputs: the others are only loaded */

static void print_report(const struct trace *trace, const struct renderer *renderer,
			 const char *format)
{
	struct analysis *analysis = analysis_run(trace);
	struct rendering rendering = {.out = fuzz_begin_text(), .trace_count = 1};

	renderer->begin(&rendering);
	fuzz_require(renderer->report(&rendering, trace, analysis, true), format, "no report");
	renderer->end(&rendering);
	fuzz_end_text(rendering.out, format);
	analysis_free(analysis);
}

static void report(const struct trace *trace, const char *format)
{
	print_report(trace, output_format_find(format)->report, format);
}

static void show_host(const struct trace *trace, const char *format)
{
	print_report(trace, output_format_find(format)->host, format);
}

static void check(const struct trace *trace, const char *format)
{
	const struct gate_rules rules = {.deny = "all", .max_lost = 0.5};
	struct analysis *analysis = analysis_run(trace);
	struct gate_run *run = gate_run_collect(trace, analysis, &rules);
	struct gate gate = {.command = "check", .path_count = 1, .paths = &run->path};
	FILE *out = fuzz_begin_text();

	gate_check(&gate, &rules, (const struct gate_run *const *)&run, 1);
	fuzz_require(output_format_find(format)->gate(out, &gate), format, "no gate");
	fuzz_end_text(out, format);
	gate_free(&gate);
	gate_run_free(run);
	analysis_free(analysis);
}

void fuzz_print_job(struct job *job, const char *format)
{
	struct job_report *made_report = job_report_make(job);
	FILE *out = fuzz_begin_text();

	fuzz_require(output_format_find(format)->job(out, made_report, true), format,
		     "no report of a job");
	fuzz_end_text(out, format);
	job_report_free(made_report);
	job_free(job);
}

static void summarize(const struct trace *trace, const char *format)
{
	struct analysis *analysis = analysis_run(trace);
	struct summary *summary = summary_of_analysis(trace, analysis), *again;
	char *error = NULL;
	size_t size;
	void *bytes = summary_to_bytes(summary, &size, &error);

	fuzz_require(bytes != NULL, "not written", error ? error : "");
	again = summary_from_bytes(bytes, size, &error);
	fuzz_require(again != NULL, "not read again", error ? error : "");
	fuzz_print_job(job_of_summary(again), format);
	free(bytes);
	summary_free(summary);
	analysis_free(analysis);
}

static void export(const struct trace *trace, const char *format)
{
	const struct exporter *exporter = export_find(format);
	struct analysis *analysis = analysis_run(trace);
	struct exporting exporting = {.trace = trace,
				      .origin_ns = analysis->headline.origin_ns,
				      .wall_ns = analysis->headline.wall_ns,
				      .observed = &analysis->observed,
				      .analysis = analysis,
				      .part_count = 1};
	FILE *out = fuzz_begin_text();

	exporter->write(&exporting, out);
	if (strcmp(format, "perfetto") != 0)
		fuzz_end_text(out, format);
	else
		fuzz_drop_text(out);
	analysis_free(analysis);
}

static const struct {
	void (*make)(const struct trace *trace, const char *format);
	const char *format;
} outputs[] = {
#define FORMAT(name, meaning, of_report, of_job, of_gate, of_whatif, of_host, ...)                 \
	of_report({report, #name}, ) of_job({summarize, #name}, ) of_gate({check, #name}, )        \
		of_host({show_host, #name}, )
#include "render/output_formats.def"
#undef FORMAT
	{export, "collapsed"},
	{export, "csv"},
	{export, "kineto"},
	{export, "perfetto"},
};

#define OUTPUTS (sizeof(outputs) / sizeof(*outputs))

void fuzz_use_trace(struct trace *trace, uint8_t choice)
{
	trace_resolve_sites(trace);
	for (size_t i = 0; i < trace->call_count; i++) {
		const struct trace_call *call = &trace->calls[i];

		fuzz_require(call->start_ns <= call->end_ns && call->form->function, "call", "");
		site_describe(trace, call->form->site,
			      call->operation ? call->operation->form->name : NULL);
	}
	if (trace->operation_count < REPORTED_MOST && choice < REPORTED)
		outputs[choice % OUTPUTS].make(trace, outputs[choice % OUTPUTS].format);
}

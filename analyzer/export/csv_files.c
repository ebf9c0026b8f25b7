/*
 * Calls, operations, NVTX ranges and steps as one table, by start: RFC 4180. The first row is the run.
 */
#include "base/csv_text.h"
#include "base/minmax.h"
#include "export/event_names.h"
#include "export/exporters.h"
#include "export/nvtx_names.h"
#include "replay/observed.h"

#include <stdlib.h>
#include <string.h>

struct csv {
	FILE *out;
	const struct trace *trace;
	const struct exporting *exporting;
	struct export_sites sites;
};

static void begin_row(const struct csv *csv, const char *type, const char *name, int64_t start_ns,
		      int64_t end_ns)
{
	fprintf(csv->out, "%s,", type);
	csv_text(csv->out, name);
	fprintf(csv->out, ",%lld,%lld,%lld", (long long)(start_ns - csv->exporting->origin_ns),
		(long long)(end_ns - csv->exporting->origin_ns), (long long)(end_ns - start_ns));
}

/* File, line and function of the call's site, and the end of the row. */
static void end_row(struct csv *csv, const struct trace_call *call)
{
	const struct site *site = call ? export_site_of(&csv->sites, call) : NULL;

	putc(',', csv->out);
	csv_text(csv->out, site ? site->file : NULL);
	putc(',', csv->out);
	if (site && site->line)
		fprintf(csv->out, "%d", site->line);
	putc(',', csv->out);
	csv_text(csv->out, site ? site->function : NULL);
	fputs("\r\n", csv->out);
}

static size_t call_number(const struct csv *csv, const struct trace_call *call)
{
	return (size_t)(call - csv->trace->calls) + 1;
}

static void write_call(struct csv *csv, const struct trace_call *call)
{
	struct call_evidence evidence = evidence_of(csv->exporting->observed->evidence, call);

	begin_row(csv, "call", export_call_name(call), call->start_ns, call->end_ns);
	fprintf(csv->out, ",%u,,,,,", call->form->thread_id);
	if (call->form->size_bytes)
		fprintf(csv->out, "%llu", (unsigned long long)call->form->size_bytes);
	fprintf(csv->out, ",%zu,,%lld,", call_number(csv, call),
		(long long)evidence_blocked_ns(&evidence.split));
	if (evidence.cause)
		fprintf(csv->out, "%zu", (size_t)(evidence.cause - csv->trace->operations) + 1);
	fprintf(csv->out, ",%d", call->form->result);
	end_row(csv, call);
}

static void write_operation(struct csv *csv, const struct trace_operation *operation)
{
	char text[NAME_BYTES];

	begin_row(csv, "operation", export_operation_name(csv->trace, operation, text),
		  operation->start_ns, operation->end_ns);
	fprintf(csv->out, ",,%u,%u,%u,%s,", operation->form->device_id,
		operation->form->stream->context_id, operation->form->stream->id,
		export_engine_name(operation->form->engine));
	if (operation->form->kind != OPERATION_KERNEL)
		fprintf(csv->out, "%llu", (unsigned long long)operation->form->size_bytes);
	putc(',', csv->out);
	if (operation->call)
		fprintf(csv->out, "%zu", call_number(csv, operation->call));
	fprintf(csv->out, ",%zu,,,", (size_t)(operation - csv->trace->operations) + 1);
	end_row(csv, operation->form->node_call ? operation->form->node_call : operation->call);
}

static void write_range(struct csv *csv, const struct trace_range *range)
{
	char *name = export_range_name(range);

	begin_row(csv, "range", name, range->start_ns, range->end_ns);
	fprintf(csv->out, ",%u,,,,,,,,,,", range->thread_id);
	end_row(csv, NULL);
	free(name);
}

/* From its first work to that of the next step. */
static void write_step(struct csv *csv, size_t step)
{
	const struct step_begins *steps = csv->exporting->steps;
	char name[32];

	snprintf(name, sizeof(name), "step %zu", step + 1);
	begin_row(csv, "step", name, steps->work_ns[step], step_begins_until_ns(steps, step));
	fputs(",,,,,,,,,,,", csv->out);
	end_row(csv, NULL);
}

static void write_run(struct csv *csv)
{
	const struct exporting *exporting = csv->exporting;
	const char *program = trace_metadata(csv->trace, "program");

	fputs("type,name,start_ns,end_ns,duration_ns,thread,device,context,stream,engine,bytes,"
	      "call,operation,blocked_ns,waited_for_operation,result,file,line,function\r\n",
	      csv->out);
	begin_row(csv, "run", program, exporting->origin_ns,
		  exporting->origin_ns + exporting->wall_ns);
	fputs(",,,,,,,,,,,", csv->out);
	end_row(csv, NULL);
}

static void write_rows(struct csv *csv)
{
	const struct trace *trace = csv->trace;
	const struct trace_range **ranges = export_ranges_by_start(trace);
	const struct step_begins *steps = csv->exporting->steps;
	size_t call = 0, operation = 0, range = 0, step = 0;

	for (;;) {
		int64_t call_ns =
			call < trace->call_count ? trace->calls[call].start_ns : INT64_MAX;
		int64_t operation_ns = operation < trace->operation_count
					       ? trace->operations[operation].start_ns
					       : INT64_MAX;
		int64_t range_ns = range < trace->range_count ? ranges[range]->start_ns : INT64_MAX;
		int64_t step_ns = steps && step < steps->count ? steps->work_ns[step] : INT64_MAX;
		int64_t first_ns = min_ns(min_ns(call_ns, operation_ns), min_ns(range_ns, step_ns));

		if (first_ns == INT64_MAX || ferror(csv->out))
			break;
		if (step_ns == first_ns)
			write_step(csv, step++);
		else if (range_ns == first_ns)
			write_range(csv, ranges[range++]);
		else if (call_ns == first_ns)
			write_call(csv, &trace->calls[call++]);
		else
			write_operation(csv, &trace->operations[operation++]);
	}
	free(ranges);
}

static void write_csv(const struct exporting *exporting, FILE *out)
{
	struct csv csv = {.out = out, .trace = exporting->trace, .exporting = exporting};

	export_sites_begin(&csv.sites, csv.trace);
	write_run(&csv);
	write_rows(&csv);
	export_sites_end(&csv.sites);
}

const struct exporter exporter_csv = {.name = "csv", .need = EXPORT_WAITS, .write = write_csv};

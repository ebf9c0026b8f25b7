/*
 * What the detectors find in a trace written by hand.
 *
 *   detectors_test CASE.sql                       compares with what stands behind "-- Found:"
 *   detectors_test --write CASE.sql               writes it there instead
 *   detectors_test --sentences EXPECTED CASE...   compares what a user reads of the findings
 *
 * Of a case in the folder races it prints the races instead of the findings (races/races.h).
 *
 * A case is prelude.sql plus CASE.sql and its base (read_case()). It prints numbers and ids, times in ms, and no sentences:
 * those are in the tests of the renderers (tests/cli). The detectors run a second time on the trace
 * as replayed without a fix (retimed.h), where they must find the same.
 */
#include "findings/analysis.h"
#include "findings/interval_private.h"
#include "build_trace.h"
#include "detectors/evidence/host_wait.h"
#include "races/race_words.h"
#include "render/finding_text.h"
#include "render/render.h"
#include "findings/detector_table.h"
#include "replay/observed/evidence.h"
#include "replay/retiming/retimed.h"
#include "races/race_words.h"
#include "trace/site.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double ms(int64_t ns)
{
	return (double)ns / 1e6;
}

/* Rows count from 1, in the order of the trace. */
static void print_id(FILE *out, const char *name, const void *row, const void *rows, size_t size)
{
	if (row)
		fprintf(out, " %s %zu", name,
			(size_t)((const char *)row - (const char *)rows) / size + 1);
}

static void print_part(FILE *out, const char *name, int64_t ns)
{
	if (ns)
		fprintf(out, ", %s %g ms", name, ms(ns));
}

/* What the call waited for and how long, as the trace has it. */
static void print_split(FILE *out, const struct analysis *analysis, const struct trace_call *call)
{
	const struct evidence_split split = evidence_of(analysis->observed.evidence, call).split;

	print_part(out, "stream", split.stream_ns);
	print_part(out, "other streams", split.other_streams_ns);
	print_part(out, "function", split.function_ns);
	print_part(out, "copy", split.copy_ns);
	print_part(out, "staging", split.staging_ns);
	print_part(out, "queue", split.queue_ns);
	print_part(out, "unexplained", split.unexplained_ns);
}

static void print_first_use(FILE *out, const struct analysis *analysis,
			    const struct first_use_label *label)
{
	static const char *const judgements[JUDGED_COUNT] = {
		[JUDGED_REMOVABLE] = "removable",
		[JUDGED_MOVABLE] = "movable",
		[JUDGED_NEEDED] = "needed",
	};

	if (label->judgement == JUDGED_UNKNOWN)
		return;
	fprintf(out, ", %s%s", judgements[label->judgement], label->is_partial ? " in part" : "");
	if (label->judgement != JUDGED_REMOVABLE)
		fprintf(out, " by %g ms at line %d", ms(label->by_ns),
			site_describe(analysis->observed.model->trace, label->site, NULL).line);
}

/* An evidence's instance, by ids: the sentence that is made of it is the renderers' matter. */
static void print_instance(FILE *out, const struct analysis *analysis,
			   const struct finding *finding, const struct instance *instance)
{
	const struct host_waited *waited = finding->detector->is_of_waits
						   ? &instance_detail(instance, struct host_waited)
						   : NULL;
	const struct trace *trace = analysis->observed.model->trace;
	const struct trace_operation *operations = trace->operations;

	print_id(out, "call", instance->call, trace->calls, sizeof(*trace->calls));
	print_id(out, "operation", instance->operation, operations, sizeof(*operations));
	print_id(out, "cause", instance->cause, operations, sizeof(*operations));
	if (waited)
		print_id(out, "needed", waited->needed, operations, sizeof(*operations));
	if (instance->call && !instance->is_later)
		print_split(out, analysis, instance->call);
	if (waited)
		print_first_use(out, analysis, &waited->label);
}

static void print_evidence(FILE *out, const struct analysis *analysis,
			   const struct finding *finding, const struct evidence_row *row)
{
	int64_t start_ns = analysis->headline.origin_ns + row->start_ns;
	int64_t end_ns = analysis->headline.origin_ns + row->end_ns;

	fprintf(out, "  at %g ms for %g ms:", ms(row->start_ns), ms(row->end_ns - row->start_ns));
	for (size_t i = 0; i < finding->instance_count; i++) {
		const struct instance *instance = &finding->instances[i];

		if (instance->span.start_ns == start_ns && instance->span.end_ns == end_ns) {
			print_instance(out, analysis, finding, instance);
			break;
		}
	}
	fprintf(out, "\n");
}

/* What each part of a joined finding saves alone. */
static void print_joined(FILE *out, const struct finding *finding)
{
	for (size_t i = 0; finding->joined_count && i < finding_part_count(finding); i++) {
		const struct finding *part = finding_part(finding, i);

		fprintf(out, "  %s %s:%d, %zu times, blocked %g ms, alone %g ms\n", part->id,
			part->site.file, part->site.line, part->count, ms(part->blocked_ns),
			ms(part->alone_ns));
	}
}

static void print_finding(FILE *out, const struct analysis *analysis, const struct finding *finding)
{
	const struct in_order *row = &analysis->in_order[finding - analysis->findings.items];

	fprintf(out, "%s %s:%d%s%s, %zu times, blocked %g ms, lost %g (%g to %g) ms%s%s\n",
		finding->id, finding->site.file, finding->site.line, finding->copies ? " " : "",
		finding->copies ? copy_sizes_text(finding->copies) : "", finding->count,
		ms(finding->blocked_ns), ms(finding->lost.estimate_ns),
		ms(finding->replayed->low_ns), ms(finding->replayed->high_ns),
		finding->is_folded ? ", folded" : "",
		finding->pass > 1 ? ", with the others fixed" : "");
	for (size_t i = 0; finding->site_count > 1 && i < finding->site_count; i++)
		fprintf(out, "  site %s:%d, %zu times, blocked %g ms\n",
			finding->sites[i].site.file, finding->sites[i].site.line,
			finding->sites[i].count, ms(finding->sites[i].blocked_ns));
	print_joined(out, finding);
	if (finding->pass == 1 && row->saved_ns >= 0 && row->saved_ns != finding->lost.estimate_ns)
		fprintf(out, "  in the order of the list: %g ms\n", ms(row->saved_ns));
	if (row->moved_ns)
		fprintf(out, "  %g ms move to finding %zu\n", ms(row->moved_ns), row->moves_to + 1);
	for (size_t i = 0; i < finding->evidence_count; i++)
		print_evidence(out, analysis, finding, &finding->evidence[i]);
	if (finding->fix == finding->detector->other_fix)
		fprintf(out, "  fix: the other one\n");
}

/* The numbers of a sentence, for the sentence is the renderers' matter. */
static void print_numbers(FILE *out, const char *text)
{
	for (; *text; text += strcspn(text, " (") + strspn(text + strcspn(text, " ("), " ("))
		if (isdigit((unsigned char)*text))
			fprintf(out, " %g", strtod(text, NULL));
}

/* Decided by what threads were seen doing, which a replay does not know. */
static bool is_of_host_states(const struct detector *detector)
{
	static const char *const ids[] = {"host-work",	       "loader-empty",	     "file-read",
					  "host-wait-in-loop", "compile-in-loop",    "lock-held",
					  "page-faults",       "garbage-collection", "preempted"};

	for (size_t i = 0; i < sizeof(ids) / sizeof(*ids); i++)
		if (!strcmp(detector->id, ids[i]))
			return true;
	return false;
}

static void check_same(FILE *out, const struct detector *detector, const struct retimed *retimed,
		       const struct instances *found, const struct instances *again)
{
	bool is_same = found->count == again->count && found->doubtful.ns == again->doubtful.ns;

	for (size_t i = 0; is_same && i < found->count; i++)
		is_same = found->items[i].span.start_ns == again->items[i].span.start_ns &&
			  found->items[i].span.end_ns == again->items[i].span.end_ns &&
			  found->items[i].operation ==
				  retimed_operation(retimed, again->items[i].operation) &&
			  found->items[i].cause ==
				  retimed_operation(retimed, again->items[i].cause) &&
			  found->items[i].call == retimed_call(retimed, again->items[i].call);
	if (!is_same)
		fprintf(out, "%s finds %zu waits, and %zu as replayed\n", detector->id,
			found->count, again->count);
}

/* Where the replay does not land on the trace there is nothing to compare. */
static void check_retimed(FILE *out, const struct analysis *analysis)
{
	struct edits *none = edits_create(analysis->observed.model);
	struct retimed *retimed = retimed_build(analysis->observed.timeline, none);

	for (size_t i = 0;
	     retimed && analysis->check.replayed_ns == analysis->headline.wall_ns && detectors[i];
	     i++) {
		struct instances found = {0}, again = {0};

		if (is_of_host_states(detectors[i]))
			continue;
		detectors[i]->find(&analysis->observed, &found);
		detectors[i]->find(retimed_observed(retimed), &again);
		check_same(out, detectors[i], retimed, &found, &again);
		free(found.items);
		free(again.items);
	}
	retimed_free(retimed);
	edits_free(none);
}

/* What the host did while the GPU was idle cannot cost more than that idle time. */
static void check_host_sum(FILE *out, const struct analysis *analysis)
{
	int64_t sum_ns = 0;

	for (size_t i = 0; i < analysis->findings.count; i++)
		if (is_of_host_states(analysis->findings.items[i].detector))
			sum_ns += analysis->in_order[i].saved_ns;
	if (sum_ns > analysis->headline.idle_ns)
		fprintf(out, "the host's findings save %g ms of %g ms idle\n", ms(sum_ns),
			ms(analysis->headline.idle_ns));
}

/* "at app.cu:30" */
static void print_line(FILE *out, const struct analysis *analysis, const struct trace_call *call)
{
	const struct site site =
		site_describe(analysis->observed.model->trace, call->form->site, NULL);

	fprintf(out, " %s at %s:%d", call->form->function->name, site.file, site.line);
}

static void print_second(FILE *out, const struct analysis *analysis, const struct race *race)
{
	if (race->touch)
		fprintf(out, " host at line %d",
			race_second_site(analysis->observed.model->trace, race).line);
	else
		print_line(out, analysis, race->second ? race->second->call : race->release);
}

static void print_races_of(FILE *out, const struct analysis *analysis)
{
	for (size_t i = 0; i < analysis->races.count; i++) {
		const struct race *race = &analysis->races.items[i];

		fprintf(out, "%s, %zu times:", race_certainty_name(race->certainty), race->count);
		print_line(out, analysis, race->first->call);
		fprintf(out, " %s,", race->first_writes ? "writes" : "reads");
		print_second(out, analysis, race);
		fprintf(out, " %s, %g ms apart",
			race->release	      ? "releases"
			: race->second_writes ? "writes"
					      : "reads",
			ms(race->margin_ns));
		if (race->luck) {
			fprintf(out, ", by the wait in");
			print_line(out, analysis, race->luck);
		}
		fprintf(out, "\n");
	}
	for (size_t i = 0; i < analysis->races.reliance_count; i++) {
		const struct reliance *reliance = &analysis->races.reliances[i];
		char *text = reliance_sentence(analysis->observed.model->trace, reliance);

		fprintf(out, "%zu times: %s\n", reliance->count, text);
		free(text);
	}
	if (analysis->races.graphs_unjudged)
		fprintf(out, "%zu of %zu graph launches not judged: %s\n",
			analysis->races.unjudged_launches, analysis->races.graph_launches,
			analysis->races.graphs_unjudged);
	if (analysis->races.unseen)
		fprintf(out, "unseen: %s\n", analysis->races.unseen);
}

/* What a user reads of the findings and of what is not seen. */
static void print_sentences(FILE *out, const struct analysis *analysis)
{
	for (size_t i = 0; i < analysis->findings.count; i++) {
		const struct finding *finding = &analysis->findings.items[i];

		char *joined = render_joined(analysis->observed.model->trace, finding);
		char *order = finding_text_order_needed(analysis->observed.model->trace, analysis,
							finding);
		char *unrelied;

		fprintf(out, "%s: %s\n", finding->id, finding->title);
		if (joined)
			fprintf(out, "  %s\n", joined);
		free(joined);
		for (size_t k = 0; k < finding->evidence_count; k++)
			fprintf(out, "  %s\n", finding->evidence[k].text);
		fprintf(out, "  fix: %s\n", finding->fix);
		unrelied = finding_text_unrelied(analysis, finding);
		if (order)
			fprintf(out, "  needs: %s\n", order);
		if (unrelied)
			fprintf(out, "  needs: %s\n", unrelied);
		free(unrelied);
		free(order);
		if (finding_price(finding))
			fprintf(out, "  price: %s\n", finding_price(finding));
	}
	for (size_t i = 0; i < analysis->not_seen.count; i++)
		fprintf(out, "not seen: %s: %s\n", analysis->not_seen.items[i].what,
			analysis->not_seen.items[i].why);
}

static void print_numbers_of(FILE *out, const struct analysis *analysis)
{

	fprintf(out, "wall %g ms, overlapped %g ms, lost %g (%g to %g) ms, replayed %g ms\n",
		ms(analysis->headline.wall_ns), ms(analysis->headline.overlapped_ns),
		ms(analysis->findings.lost.estimate_ns), ms(analysis->findings.replayed->low_ns),
		ms(analysis->findings.replayed->high_ns), ms(analysis->check.replayed_ns));
	for (size_t i = 0; analysis->device_count > 1 && i < analysis->device_count; i++)
		fprintf(out, "device %u: %g ms, replayed %g ms, lost %g ms\n",
			analysis->devices[i].id, ms(analysis->check.devices[i].measured_ns),
			ms(analysis->check.devices[i].replayed_ns),
			ms(analysis->devices[i].lost.estimate_ns));
	for (size_t i = 0; i < analysis->findings.count; i++)
		print_finding(out, analysis, &analysis->findings.items[i]);
	for (size_t i = 0; i < analysis->not_seen.count; i++) {
		fprintf(out, "not seen: %s:", analysis->not_seen.items[i].what);
		print_numbers(out, analysis->not_seen.items[i].why);
		fprintf(out, "\n");
	}
	check_host_sum(out, analysis);
	check_retimed(out, analysis);
}

typedef void (*printer)(FILE *out, const struct analysis *analysis);

/* The case in the file, appended to out. */
static void analyze(FILE *out, const char *sql_path, printer print)
{
	char *prelude = read_file(PRELUDE_FILE, NULL), *rows = read_case(sql_path);
	char *folder = make_folder(), *database, *sql, *error;
	struct trace *trace;
	struct analysis *analysis;

	if (asprintf(&sql, "%s\n%s", prelude, rows) < 0 ||
	    asprintf(&database, "%s/trace.db", folder) < 0)
		exit(1);
	build_trace(database, NULL, sql);
	trace = trace_load(database, &error);
	if (!trace) {
		fprintf(stderr, "detectors_test: %s\n", error);
		exit(1);
	}
	analysis = analysis_run(trace);
	print(out, analysis);
	analysis_free(analysis);
	trace_close(trace);
	remove_folder(folder);
	free(database);
	free(sql);
	free(folder);
	free(rows);
	free(prelude);
}

static int compare(const char *found, const char *expected, const char *path)
{
	int status = strcmp(found, expected) != 0;

	if (status)
		printf("%s\n--- found\n%s--- expected\n%s", path, found, expected);
	return status;
}

/* Compares with what the case has behind its mark, or writes it there. */
static int finish_case(const char *path, const char *found, bool writes)
{
	char *text = read_file(path, NULL), *mark = strstr(text, CASE_FOUND), *written;
	int status = 0, length;

	if (mark)
		*mark = '\0';
	if (writes) {
		length = asprintf(&written, "%s" CASE_FOUND "%s", text, found);
		write_file(path, written, (size_t)length);
		free(written);
	} else {
		status = compare(found, mark ? mark + strlen(CASE_FOUND) : "", path);
	}
	free(text);
	return status;
}

static int finish_sentences(const char *path, const char *found)
{
	char *expected = read_file(path, NULL);
	int status = compare(found, expected, path);

	free(expected);
	return status;
}

int main(int argc, char **argv)
{
	bool writes = argc > 2 && !strcmp(argv[1], "--write");
	bool has_sentences = argc > 2 && !strcmp(argv[1], "--sentences");
	char *found = NULL;
	size_t size;
	FILE *out = open_memstream(&found, &size);
	int status;

	for (int i = has_sentences ? 3 : writes ? 2 : 1; i < argc; i++)
		analyze(out, argv[i],
			has_sentences			       ? print_sentences
			: strstr(argv[i], "/detectors/races/") ? print_races_of
							       : print_numbers_of);
	fclose(out);
	status = has_sentences ? finish_sentences(argv[2], found)
			       : finish_case(argv[argc - 1], found, writes);
	free(found);
	return status;
}

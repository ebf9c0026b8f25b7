/*
 * What the detectors find in a trace written by hand.
 *
 *   detectors_test CASE.sql   compares with CASE.expected; --print CASE.sql prints it instead
 *
 * A case is prelude.sql plus CASE.sql. Times come out in ms. Each is looked at a second time as a
 * replay without a fix has it (retimed.h), where the detectors must find the same.
 */
#include "findings/analysis.h"
#include "build_trace.h"
#include "detectors/detector.h"
#include "replay/retimed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double ms(int64_t ns)
{
	return (double)ns / 1e6;
}

static void print_finding(FILE *out, const struct finding *finding)
{
	fprintf(out, "%s %s:%d, %zu times, blocked %g ms, lost %g (%g to %g) ms%s%s\n", finding->id,
		finding->site.file, finding->site.line, finding->count, ms(finding->blocked_ns),
		ms(finding->lost.estimate_ns), ms(finding->lost.low_ns), ms(finding->lost.high_ns),
		finding->is_folded ? ", folded" : "",
		finding->pass > 1 ? ", with the others fixed" : "");
	for (size_t i = 0; i < finding->evidence_count; i++)
		fprintf(out, "  at %g ms for %g ms: %s\n", ms(finding->evidence[i].start_ns),
			ms(finding->evidence[i].end_ns - finding->evidence[i].start_ns),
			finding->evidence[i].text);
	fprintf(out, "  fix: %s\n", finding->fix);
}

static void check_same(FILE *out, const struct detector *detector, const struct retimed *retimed,
		       const struct instances *found, const struct instances *again)
{
	bool is_same = found->count == again->count && found->doubtful_ns == again->doubtful_ns;

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
	struct edits *none = edits_create(analysis->model);
	struct retimed *retimed = retimed_build(analysis->timeline, none);

	for (size_t i = 0; retimed && analysis->replayed_ns == analysis->wall_ns && detectors[i];
	     i++) {
		struct instances found = {0}, again = {0};

		detectors[i]->find(analysis->model, &found);
		detectors[i]->find(retimed_model(retimed), &again);
		check_same(out, detectors[i], retimed, &found, &again);
		free(found.items);
		free(again.items);
	}
	retimed_free(retimed);
	edits_free(none);
}

static char *analyze(const char *database)
{
	char *text = NULL, *error;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	struct trace *trace = trace_load(database, &error);
	struct analysis *analysis;

	if (!trace) {
		fprintf(stderr, "detectors_test: %s\n", error);
		exit(1);
	}
	analysis = analysis_run(trace);
	fprintf(out, "wall %g ms, overlapped %g ms, lost %g (%g to %g) ms, replayed %g ms\n",
		ms(analysis->wall_ns), ms(analysis->overlapped_ns), ms(analysis->lost.estimate_ns),
		ms(analysis->lost.low_ns), ms(analysis->lost.high_ns), ms(analysis->replayed_ns));
	for (size_t i = 0; analysis->device_count > 1 && i < analysis->device_count; i++)
		fprintf(out, "device %u: %g ms, replayed %g ms\n",
			analysis->device_checks[i].device_id,
			ms(analysis->device_checks[i].measured_ns),
			ms(analysis->device_checks[i].replayed_ns));
	for (size_t i = 0; i < analysis->finding_count; i++)
		print_finding(out, &analysis->findings[i]);
	for (size_t i = 0; i < analysis->not_seen_count; i++)
		fprintf(out, "not seen: %s: %s\n", analysis->not_seen[i].what,
			analysis->not_seen[i].why);
	check_retimed(out, analysis);
	analysis_free(analysis);
	trace_close(trace);
	fclose(out);
	return text;
}

/* CASE.expected for CASE.sql. */
static char *expected_path(const char *sql_path)
{
	size_t stem = strlen(sql_path) - strlen(".sql");
	char *path = malloc(stem + sizeof(".expected"));

	memcpy(path, sql_path, stem);
	strcpy(path + stem, ".expected");
	return path;
}

int main(int argc, char **argv)
{
	const char *sql_path = argv[argc - 1];
	char *prelude = read_file(DETECTORS_FOLDER "/prelude.sql", NULL);
	char *rows = read_file(sql_path, NULL);
	char *folder = make_folder(), *database, *sql, *found, *expected, *path;
	int status = 0;

	if (asprintf(&sql, "%s\n%s", prelude, rows) < 0 ||
	    asprintf(&database, "%s/trace.db", folder) < 0)
		return 1;
	build_trace(database, NULL, sql);
	found = analyze(database);
	remove_folder(folder);
	if (argc == 3 && !strcmp(argv[1], "--print")) {
		fputs(found, stdout);
	} else {
		path = expected_path(sql_path);
		expected = read_file(path, NULL);
		status = strcmp(found, expected) != 0;
		if (status)
			printf("%s\n--- found\n%s--- expected\n%s", sql_path, found, expected);
		free(expected);
		free(path);
	}
	free(found);
	free(database);
	free(sql);
	free(folder);
	free(rows);
	free(prelude);
	return status;
}

/*
 * Checks a report against the sample that was traced.
 *
 *   check_report broken SAMPLE.cu REPORT.json   the finding that the source announces is there
 *   check_report fixed SAMPLE.cu REPORT.json    there is no finding
 *   check_report list REPORT.json               prints "ID FILE:LINE", a line a finding
 *
 * In each the causes of the GPU's idle time add up to it. A saving is at most what the finding's waits took, and what
 * can overlap then; where its high end is more than ten times its low end the finding says why.
 *
 * A comment "PITFALL: ID" in the source announces a finding at its own line or at the next one.
 * SAMPLE.cu is named relative to the repository, as call sites are (they may begin with ./).
 * REPORT.json may be "-". Exit status 0, or 1 with one line on stderr a thing that is wrong.
 */
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MARK_LIMIT = 16, ID_SIZE = 64 };

static const char mark_text[] = "PITFALL: ";

struct mark {
	char id[ID_SIZE];
	int line;
	bool is_found;
};

struct site {
	const char *id, *file;
	int line;
};

static void die(const char *what, const char *why)
{
	fprintf(stderr, "check_report: %s: %s\n", what, why);
	exit(1);
}

static size_t read_marks(const char *source, struct mark *marks)
{
	FILE *file = fopen(source, "r");
	size_t count = 0;
	char line[512];

	if (!file)
		die(source, "cannot be opened");
	for (int number = 1; fgets(line, sizeof(line), file); number++) {
		const char *text = strstr(line, mark_text);

		if (!text)
			continue;
		if (count == MARK_LIMIT)
			die(source, "too many marks");
		marks[count] = (struct mark){.line = number};
		sscanf(text + strlen(mark_text), "%63[a-z-]", marks[count].id);
		count++;
	}
	fclose(file);
	if (!count)
		die(source, "no line is marked");
	return count;
}

static json_t *read_findings(const char *path, json_t **report)
{
	json_error_t error;
	json_t *findings;

	*report =
		strcmp(path, "-") ? json_load_file(path, 0, &error) : json_loadf(stdin, 0, &error);
	if (!*report)
		die(path, error.text);
	findings = json_object_get(*report, "findings");
	if (!json_is_array(findings))
		die(path, "has no array 'findings'");
	return findings;
}

static struct site read_site(const json_t *finding)
{
	const json_t *site = json_object_get(finding, "site");
	const char *id = json_string_value(json_object_get(finding, "id"));
	const char *file = json_string_value(json_object_get(site, "file"));

	return (struct site){
		.id = id ? id : "(no id)",
		.file = file ? file : "(no file)",
		.line = (int)json_integer_value(json_object_get(site, "line")),
	};
}

static void print_finding(const char *prefix, FILE *file, struct site site)
{
	fprintf(file, "%s%s %s:%d\n", prefix, site.id, site.file, site.line);
}

static int list(const json_t *findings)
{
	for (size_t i = 0; i < json_array_size(findings); i++)
		print_finding("", stdout, read_site(json_array_get(findings, i)));
	return 0;
}

static int check_fixed(const json_t *findings)
{
	for (size_t i = 0; i < json_array_size(findings); i++)
		print_finding("the fixed twin has a finding: ", stderr,
			      read_site(json_array_get(findings, i)));
	return json_array_size(findings) ? 1 : 0;
}

/* Whether the finding is one that the source announces, at a line that it announces it for. A
 * finding of another kind is not checked: a pitfall may have a second consequence. */
static bool is_announced(struct site site, const char *source, struct mark *marks, size_t count)
{
	bool is_same_id = false;

	for (size_t i = 0; i < count; i++) {
		if (strcmp(site.id, marks[i].id))
			continue;
		is_same_id = true;
		if (!strcmp(site.file, source) &&
		    (site.line == marks[i].line || site.line == marks[i].line + 1)) {
			marks[i].is_found = true;
			return true;
		}
	}
	return !is_same_id;
}

static int check_broken(const json_t *findings, const char *source)
{
	struct mark marks[MARK_LIMIT];
	size_t count = read_marks(source, marks);
	bool is_any_found = false;
	int status = 0;

	for (size_t i = 0; i < json_array_size(findings); i++) {
		struct site site = read_site(json_array_get(findings, i));

		if (!is_announced(site, source, marks, count)) {
			print_finding("at a line that is not marked: ", stderr, site);
			status = 1;
		}
	}
	for (size_t i = 0; i < count; i++)
		is_any_found |= marks[i].is_found;
	if (!is_any_found) {
		fprintf(stderr, "no finding %s at %s:%d\n", marks[0].id, source, marks[0].line);
		status = 1;
	}
	return status;
}

/* The causes of the idle time add up to it. */
static int check_idle(const json_t *report)
{
	const json_t *headline = json_object_get(report, "headline");
	const json_t *causes = json_object_get(headline, "idle");
	json_int_t idle_ns = json_integer_value(json_object_get(headline, "idle_ns")), sum_ns = 0;

	for (size_t i = 0; i < json_array_size(causes); i++)
		sum_ns += json_integer_value(json_object_get(json_array_get(causes, i), "ns"));
	if (sum_ns == idle_ns)
		return 0;
	fprintf(stderr, "the GPU was idle for %lld ns, the causes add up to %lld ns\n",
		(long long)idle_ns, (long long)sum_ns);
	return 1;
}

static json_int_t ns_of(const json_t *object, const char *name)
{
	return json_integer_value(json_object_get(object, name));
}

/* What runs beside other work: no more than the run but for the finding's own time. */
static bool has_right_terms(const json_t *finding, json_int_t run_ns)
{
	const json_t *lost = json_object_get(finding, "lost_overlap_ns");
	const json_t *terms = json_object_get(finding, "lost_terms_ns");
	json_int_t own_ns = ns_of(terms, "own"), overlap_ns = ns_of(terms, "overlap");

	return own_ns >= 0 && overlap_ns >= 0 && own_ns + overlap_ns == ns_of(lost, "estimate") &&
	       own_ns <= ns_of(finding, "blocked_ns") && own_ns + overlap_ns <= run_ns &&
	       (overlap_ns == 0 || own_ns == ns_of(finding, "blocked_ns"));
}

static bool is_wide(const json_t *finding)
{
	const json_t *lost = json_object_get(finding, "lost_overlap_ns");

	return ns_of(lost, "estimate") > 0 && ns_of(lost, "high") > 10 * ns_of(lost, "low");
}

static int check_savings(const json_t *report, const json_t *findings)
{
	json_int_t run_ns = ns_of(json_object_get(report, "headline"), "wall_ns");
	int status = 0;

	for (size_t i = 0; i < json_array_size(findings); i++) {
		const json_t *finding = json_array_get(findings, i);
		bool is_said = json_is_string(json_object_get(finding, "low_end"));

		if (has_right_terms(finding, run_ns) && is_wide(finding) == is_said)
			continue;
		print_finding("saves more than there is, or has a wide range without a reason: ",
			      stderr, read_site(finding));
		status = 1;
	}
	return status;
}

int main(int argc, char **argv)
{
	json_t *report;
	int status;

	if (argc == 3 && !strcmp(argv[1], "list")) {
		status = list(read_findings(argv[2], &report));
	} else if (argc == 4 && !strcmp(argv[1], "fixed")) {
		status = check_fixed(read_findings(argv[3], &report));
	} else if (argc == 4 && !strcmp(argv[1], "broken")) {
		status = check_broken(read_findings(argv[3], &report), argv[2]);
	} else {
		fprintf(stderr, "usage: check_report broken|fixed SAMPLE.cu REPORT.json\n"
				"       check_report list REPORT.json\n");
		return 2;
	}
	status |= check_idle(report) | check_savings(report, json_object_get(report, "findings"));
	json_decref(report);
	return status;
}

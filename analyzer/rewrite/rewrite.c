#include "rewrite/rewrite.h"

#include "base/memory.h"
#include "detectors/instance.h"
#include "trace/source_files.h"
#include "rewrite/rules.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A row of rules.def. */
struct rule_row {
	const char *id;
	rewrite_rule rule; /* NULL: `why` there is none */
	const char *why;
	bool is_python;
};

static const struct rule_row rows[] = {
#define REWRITE(id, rule)	 {id, rewrite_##rule, NULL, false},
#define REWRITE_PYTHON(id, rule) {id, rewrite_##rule, NULL, true},
#define REWRITE_NONE(id, why)	 {id, NULL, why, false},
#include "rewrite/rules.def"
#undef REWRITE
#undef REWRITE_PYTHON
#undef REWRITE_NONE
};

#define ROW_COUNT (sizeof(rows) / sizeof(*rows))

static const char no_rule[] = "no rule makes this fix in this language";

/* NULL: there is none, and *why says why. */
static rewrite_rule find_rule(const char *id, bool is_python, const char **why)
{
	*why = no_rule;
	for (size_t i = 0; i < ROW_COUNT; i++) {
		if (strcmp(rows[i].id, id) != 0)
			continue;
		if (rows[i].rule && rows[i].is_python == is_python)
			return rows[i].rule;
		if (rows[i].why)
			*why = rows[i].why;
	}
	return NULL;
}

/* The call whose line is to be changed. */
static const struct trace_call *call_of(const struct instance *instance)
{
	return instance->site_call ? instance->site_call : instance_call(instance);
}

/* An instance of the finding at the line. NULL: none has a call there. */
static const struct instance *instance_at(const struct trace *trace, const struct finding *finding,
					  const struct site *site)
{
	for (size_t i = 0; i < finding->instance_count; i++) {
		const struct trace_call *call = call_of(&finding->instances[i]);
		struct site own;

		if (!call)
			continue;
		own = finding->instances[i].place.site
			      ? *site
			      : site_describe(trace, call->form->site,
					      call->operation ? call->operation->form->name : NULL);
		if (own.file && !strcmp(own.file, site->file) && own.line == site->line)
			return &finding->instances[i];
	}
	return NULL;
}

/* The files of a finding's changes are one: that of its first line. */
struct making {
	const struct trace *trace;
	const char *file;
	struct code code;
	struct rewriting line; /* used for one line after the other; keeps the changes of all */
};

/* NULL: the changes for the line are added; else why there are none. */
static const char *rewrite_line(struct making *making, const struct finding *finding,
				const struct site *site)
{
	struct rewriting *line = &making->line;
	const char *why;
	rewrite_rule rule = find_rule(finding->id, site->is_python, &why);

	if (!rule)
		return why;
	if (!site->file || strcmp(site->file, making->file) != 0)
		return "its lines are in several files";
	line->code = &making->code;
	line->instance = instance_at(making->trace, finding, site);
	if (!line->instance)
		return "no call of the line is in the trace";
	if (!site->is_python && !line->instance->place.site &&
	    (site->through || site->through_function))
		return "a library makes the call";
	line->call = call_of(line->instance);
	if (!code_line(&making->code, site->line, &line->line))
		return "the file has no such line";
	return rule(line);
}

static const char *rewrite_lines(struct making *making, const struct finding *finding)
{
	const char *why = NULL;

	for (size_t i = 0; i < finding_part_count(finding) && !why; i++) {
		const struct finding *part = finding_part(finding, i);

		for (size_t k = 0; k < part->site_count && !why; k++)
			why = rewrite_line(making, part, &part->sites[k].site);
	}
	return why;
}

/* The name of the file in the current folder, and that folder; else below "/". */
static const char *name_in_folder(struct arena *arena, const char *path, const char **folder)
{
	char current[PATH_MAX], *real = realpath(path, NULL);
	size_t length = getcwd(current, sizeof(current)) ? strlen(current) : 0;
	const char *name;

	*folder = "/";
	if (real && length > 1 && !strncmp(real, current, length) && real[length] == '/') {
		*folder = arena_text(arena, current);
		name = arena_text(arena, real + length + 1);
	} else {
		name = arena_text(arena, real ? real + 1 : path);
	}
	free(real);
	return name;
}

/* The text is code's: UTF-8 without control characters, longer than arena_text() takes. */
static const char *keep_text(struct arena *arena, const char *text)
{
	return strcpy(arena_alloc(arena, strlen(text) + 1), text);
}

static void print_diff(struct arena *arena, struct making *making, struct source_edit *edit)
{
	const char *name = name_in_folder(arena, edit->file, &edit->folder);
	char *after = patch_apply(&making->line.changes, making->code.text, making->code.length),
	     *diff;

	if (!after) {
		edit->why_not = "the changes of its lines overlap";
	} else if (strpbrk(name, " \t\"\\?")) { /* patch and git read such names differently */
		edit->why_not = "the file's name has blanks or quotes";
	} else {
		diff = patch_diff(name, making->code.text, after);
		edit->diff = keep_text(arena, diff);
		edit->needs = making->line.needs;
		free(diff);
	}
	free(after);
}

/* The file is open. */
static void rewrite_file(struct making *making, struct arena *arena, const struct finding *finding,
			 int descriptor, struct source_edit *edit)
{
	size_t size = 0;
	char *text = source_file_text(descriptor, &size);

	if (!text || !code_make(&making->code, text, size, finding->site.is_python)) {
		edit->why_not = "the file is no text whose brackets match";
	} else {
		edit->why_not = rewrite_lines(making, finding);
		if (!edit->why_not)
			print_diff(arena, making, edit);
		code_free(&making->code);
	}
	patch_free(&making->line.changes);
	free(text);
}

static struct source_edit edit_of(const struct trace *trace, const struct finding *finding,
				  struct arena *arena)
{
	struct making making = {.trace = trace, .file = finding->site.file};
	struct source_edit edit = {.folder = "/"};
	int descriptor;
	char *path;

	if (!finding->site.file || finding->site.line <= 0) {
		edit.why_not = "the line is not known";
		return edit;
	}
	if (!find_rule(finding->id, finding->site.is_python, &edit.why_not))
		return edit;
	descriptor = source_file_open(trace, finding->site.file, &path);
	if (descriptor < 0) {
		edit.why_not = trace->source_folders ? "the source is not below the roots"
						     : "the source is not on this machine";
		return edit;
	}
	edit.file = arena_text(arena, path);
	/* A time alone is not enough: a copy of the same file is newer. */
	if (trace->source_file_count &&
	    source_file_age(trace, finding->site.file, descriptor) == SOURCE_CHANGED)
		edit.why_not = "the file has changed since the trace was recorded";
	else
		rewrite_file(&making, arena, finding, descriptor, &edit);
	close(descriptor);
	free(path);
	return edit;
}

struct source_edits *rewrite_findings(const struct trace *trace, const struct analysis *analysis)
{
	struct source_edits *edits = memory_array(1, sizeof(*edits));

	edits->items = memory_array(analysis->findings.count, sizeof(*edits->items));
	for (size_t i = 0; i < analysis->findings.count; i++)
		edits->items[i] = edit_of(trace, &analysis->findings.items[i], &edits->arena);
	return edits;
}

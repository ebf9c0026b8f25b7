#include "commands/command.h"

#include "base/memory.h"
#include "base/near_word.h"
#include "commands/explain_race.h"
#include "detectors/explained.h"
#include "findings/advice.h"
#include "findings/detector_table.h"
#include "render/json_parts.h"
#include "races/races.h"
#include "render/page.h"
#include "render/render.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIX_INDENT 12

static const struct {
	enum framework framework;
	const char *name;
} fixes[] = {
	{FRAMEWORK_NONE, "C"},
	{FRAMEWORK_PYTORCH, "PyTorch"},
	{FRAMEWORK_CUPY, "CuPy"},
	{FRAMEWORK_JAX, "JAX"},
};

/* Whether the text begins with a name of CUDA's (cudaFree), which keeps its first letter. */
static bool begins_with_name(const char *text)
{
	while (islower((unsigned char)*text))
		text++;
	return isupper((unsigned char)*text);
}

static void print_part(const struct page *page, const char *name, const char *text)
{
	fputc('\n', page->out);
	page_set_style(page, PAGE_STRONG);
	fprintf(page->out, "%s\n", name);
	page_set_style(page, PAGE_PLAIN);
	if (text)
		print_formatted(page, NULL, 2, "%c%s",
				begins_with_name(text) ? *text : toupper((unsigned char)*text),
				text + 1);
}

/* Code keeps its lines. */
static void print_code(const struct page *page, const char *name, const char *code)
{
	print_part(page, name, NULL);
	while (*code) {
		size_t bytes = strcspn(code, "\n");

		fprintf(page->out, "%s%.*s\n", bytes ? "    " : "", (int)bytes, code);
		code += bytes + (code[bytes] == '\n');
	}
}

/* What the waits were for, where several have words of their own. word: in JSON; NULL: none. */
static const struct {
	const char *lead, *word;
} situations[] = {
	[SITUATION_ANY] = {"Else: ", NULL},
	[SITUATION_TO_DEVICE] = {"Copies to the device: ", "copies_to_device"},
	[SITUATION_TO_HOST] = {"Copies back: ", "copies_to_host"},
	[SITUATION_SCALAR] = {"A number or two: ", "numbers_to_host"},
	[SITUATION_KERNELS] = {"Kernels: ", "kernels"},
};

#define SITUATIONS (sizeof(situations) / sizeof(*situations))

/* Whether both texts say the same, or neither is there. */
static bool is_same(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

/* before: the advice above, of which nothing is said again; or NULL. */
static void print_advice(const struct page *page, const struct detector *detector,
			 const struct advice *advice, const struct advice *before, const char *lead)
{
	const char *situation = before || advice->situation != SITUATION_ANY
					? situations[advice->situation].lead
					: "";
	bool has_own = advice->fix || !before || before->fix;

	print_formatted(page, lead, FIX_INDENT, "%s%s", situation,
			advice->fix ? advice->fix
			: has_own   ? detector->fix
				    : "the same.");
	if (!advice->fix && has_own && detector->other_fix)
		print_formatted(page, NULL, FIX_INDENT, "Or: %s", detector->other_fix);
	if (advice->relies_on)
		print_formatted(page, NULL, FIX_INDENT, "needs: %s.", advice->relies_on);
	if (advice->price && !(before && is_same(before->price, advice->price)))
		print_formatted(page, NULL, FIX_INDENT, "price: %s.", advice->price);
}

/* Sets found[] to the advice for each situation that has words of its own: the general one last. Returns how many. */
static size_t find_advice(const struct detector *detector, enum framework framework,
			  const struct advice *found[SITUATIONS])
{
	size_t count = 0;

	for (size_t i = 1; i <= SITUATIONS; i++) {
		enum situation situation = (enum situation)(i % SITUATIONS);
		const struct advice *advice = advice_find(detector->id, framework, situation);

		if (advice && advice->situation == situation &&
		    !(count && advice->fix && is_same(found[0]->fix, advice->fix)))
			found[count++] = advice;
	}
	return count;
}

static void print_fix(const struct page *page, const struct detector *detector,
		      enum framework framework, const char *name)
{
	const struct advice *found[SITUATIONS];
	size_t count = find_advice(detector, framework, found);
	char lead[16];

	snprintf(lead, sizeof(lead), "  %s:", name);
	for (size_t i = 0; i < count; i++)
		print_advice(page, detector, found[i], i ? found[i - 1] : NULL, i ? "" : lead);
}

static void print_fixes(const struct page *page, const struct detector *detector)
{
	print_part(page, "Fixes", NULL);
	for (size_t i = 0; i < sizeof(fixes) / sizeof(*fixes); i++)
		print_fix(page, detector, fixes[i].framework, fixes[i].name);
}

static void print_samples(const struct page *page, const char *samples)
{
	print_part(page, "Samples", *samples ? NULL : "none");
	while (*samples) {
		int bytes = (int)strcspn(samples, " ");

		print_formatted(page, NULL, 2,
				"samples/%.*s.cu: build/bin/samples/%.*s, repaired with --fixed",
				bytes, samples, bytes, samples);
		samples += bytes + (samples[bytes] == ' ');
	}
}

static void explain_detector(const struct detector *detector, const struct explained *texts)
{
	struct page page = page_open(stdout);

	page_set_style(&page, PAGE_STRONG);
	print_formatted(&page, NULL, 0, "%s: %s", detector->id, detector->title);
	page_set_style(&page, PAGE_PLAIN);
	print_part(&page, "What", texts->what);
	print_part(&page, "Why it costs", texts->why);
	print_part(&page, "How it is recognized", texts->evidence);
	print_part(&page, "What counts as its cost", texts->cost);
	print_part(&page, "What else looks like it", texts->false_positives);
	print_code(&page, "In C", texts->c);
	print_code(&page, "In Python", texts->python);
	print_fixes(&page, detector);
	print_samples(&page, texts->samples);
}

static const struct explained *find_texts(const char *id)
{
	if (!strcmp(id, race_topic.id))
		return &race_explained;
	for (const struct explained *texts = explained; texts->id; texts++)
		if (!strcmp(texts->id, id))
			return texts;
	return NULL;
}

static json_t *advice_object(const struct detector *detector, const struct advice *advice,
			     const char *language)
{
	return json_pack("{s:s, s:o, s:s, s:o, s:o, s:o}", "language", language, "waits_for",
			 text_or_null(situations[advice->situation].word), "fix",
			 advice->fix ? advice->fix : detector->fix, "other_fix",
			 text_or_null(advice->fix ? NULL : detector->other_fix), "relies_on",
			 text_or_null(advice->relies_on), "price", text_or_null(advice->price));
}

static json_t *fixes_array(const struct detector *detector)
{
	const struct advice *found[SITUATIONS];
	json_t *array = json_array();

	for (size_t i = 0; i < sizeof(fixes) / sizeof(*fixes); i++) {
		size_t count = find_advice(detector, fixes[i].framework, found);

		for (size_t k = 0; k < count; k++)
			json_array_append_new(array,
					      advice_object(detector, found[k], fixes[i].name));
	}
	return array;
}

static json_t *samples_array(const char *samples)
{
	json_t *array = json_array();

	while (*samples) {
		size_t bytes = strcspn(samples, " ");

		json_array_append_new(array, json_sprintf("samples/%.*s.cu", (int)bytes, samples));
		samples += bytes + (samples[bytes] == ' ');
	}
	return array;
}

/* The text as one line. */
static json_t *line_of(const char *text)
{
	char *line = memory_format("%s", text);
	json_t *value;

	for (char *c = line; *c; c++)
		*c = (char)(*c == '\n' ? ' ' : *c);
	value = json_string(line);
	free(line);
	return value;
}

static json_t *detector_object(const struct detector *detector, const struct explained *texts)
{
	return json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:s, s:s, s:o, s:o}", "id",
			 detector->id, "title", detector->title, "what", line_of(texts->what),
			 "why", line_of(texts->why), "evidence", line_of(texts->evidence), "cost",
			 line_of(texts->cost), "looks_like_it", line_of(texts->false_positives),
			 "code_c", texts->c, "code_python", texts->python, "fixes",
			 fixes_array(detector), "samples", samples_array(texts->samples));
}

/* only: the one to print; NULL: all. */
static int print_objects(const struct detector *only)
{
	json_t *array = json_array();

	for (size_t i = 0; detectors[i]; i++) {
		const struct explained *texts = find_texts(detectors[i]->id);

		if (texts && (!only || only == detectors[i]))
			json_array_append_new(array, detector_object(detectors[i], texts));
	}
	if (!only || only == &race_topic)
		json_array_append_new(array, detector_object(&race_topic, &race_explained));
	return print_json(stdout, json_pack("{s:i, s:o}", "schema_version", JSON_SCHEMA_VERSION,
					    "findings", array))
		       ? EXIT_FINE
		       : command_fail(EXIT_UNREADABLE, "out of memory");
}

static void list_detectors(void)
{
	struct page page = page_open(stdout);

	for (size_t i = 0; detectors[i]; i++)
		print_wrapped(&page, detectors[i]->id, 20, detectors[i]->title);
	print_wrapped(&page, race_topic.id, 20, race_topic.title);
}

/* NULL: there is none of that id, which was printed. */
static const struct detector *find_detector(const char *id)
{
	struct near_word near = {.word = id};

	for (size_t i = 0; detectors[i]; i++)
		if (!strcmp(detectors[i]->id, id))
			return detectors[i];
	for (int i = 0; i < RACE_CERTAINTIES; i++)
		if (!strcmp(race_id(i), id))
			return &race_topic;
	for (size_t i = 0; detectors[i]; i++)
		near_word_offer(&near, detectors[i]->id, strlen(detectors[i]->id));
	command_fail(EXIT_USAGE, "no finding has the id '%s'%s%s streamtrace explain lists all", id,
		     near_word_question(&near), near.distance ? "" : ":");
	return NULL;
}

static int explain_main(const struct arguments *arguments)
{
	const char *id = arguments->operands[0];
	const struct detector *detector = id ? find_detector(id) : NULL;
	const struct explained *texts = detector ? find_texts(detector->id) : NULL;

	if (id && !texts)
		return EXIT_USAGE;
	if (!strcmp(arguments->values[OPTION_PLAIN_FORMAT], "json"))
		return print_objects(detector);
	if (texts)
		explain_detector(detector, texts);
	else
		list_detectors();
	return EXIT_FINE;
}

const struct command command_explain = {
	.name = "explain",
	.summary = "explain a finding and its fix",
	.operands = "[ID]",
	.description =
		"Explains the finding with that id, as the report names it: what it is, why it "
		"costs time, how it is recognized, and how to fix it in C and in Python. Without "
		"an id, lists them; as JSON with all that is said of each.",
	.example = "streamtrace explain\n"
		   "streamtrace explain pageable-copy",
	.is_one = true,
	.schema = explain_schema,
	.main = explain_main,
};

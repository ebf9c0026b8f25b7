#include "commands/command.h"

#include "base/near_word.h"
#include "detectors/explained.h"
#include "findings/advice.h"
#include "findings/detector_table.h"
#include "render/page.h"

#include <ctype.h>
#include <stdio.h>
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

/* What the waits were for, where several have words of their own. */
static const char *const situations[] = {
	[SITUATION_ANY] = "Else: ",
	[SITUATION_TO_DEVICE] = "Copies to the device: ",
	[SITUATION_TO_HOST] = "Copies back: ",
	[SITUATION_SCALAR] = "A number or two: ",
	[SITUATION_KERNELS] = "Kernels: ",
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
	const char *situation =
		before || advice->situation != SITUATION_ANY ? situations[advice->situation] : "";
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

/* For each situation that has words of its own: the general one last. */
static void print_fix(const struct page *page, const struct detector *detector,
		      enum framework framework, const char *name)
{
	const struct advice *before = NULL, *first = NULL;
	char lead[16];

	snprintf(lead, sizeof(lead), "  %s:", name);
	for (size_t i = 1; i <= SITUATIONS; i++) {
		enum situation situation = (enum situation)(i % SITUATIONS);
		const struct advice *advice = advice_find(detector->id, framework, situation);

		if (!advice || advice->situation != situation ||
		    (first && advice->fix && is_same(first->fix, advice->fix)))
			continue;
		print_advice(page, detector, advice, before, before ? "" : lead);
		before = advice;
		first = first ? first : advice;
	}
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
	for (const struct explained *texts = explained; texts->id; texts++)
		if (!strcmp(texts->id, id))
			return texts;
	return NULL;
}

static void list_detectors(void)
{
	struct page page = page_open(stdout);

	for (size_t i = 0; detectors[i]; i++)
		print_wrapped(&page, detectors[i]->id, 20, detectors[i]->title);
}

static int explain_main(const struct arguments *arguments)
{
	const char *id = arguments->operands[0];
	struct near_word near = {.word = id};

	if (!id) {
		list_detectors();
		return EXIT_FINE;
	}
	for (size_t i = 0; detectors[i]; i++) {
		const struct explained *texts = find_texts(detectors[i]->id);

		if (!texts || strcmp(detectors[i]->id, id) != 0)
			continue;
		explain_detector(detectors[i], texts);
		return EXIT_FINE;
	}
	for (size_t i = 0; detectors[i]; i++)
		near_word_offer(&near, detectors[i]->id, strlen(detectors[i]->id));
	return command_fail(EXIT_USAGE,
			    "no finding has the id '%s'%s%s streamtrace explain lists all", id,
			    near_word_question(&near), near.distance ? "" : ":");
}

const struct command command_explain = {
	.name = "explain",
	.summary = "explain a finding and its fix",
	.operands = "[ID]",
	.description =
		"Explains the finding with that id, as the report names it: what it is, why it "
		"costs time, how it is recognized, and how to fix it in C and in Python. Without "
		"an id, lists them.",
	.example = "streamtrace explain\n"
		   "streamtrace explain pageable-copy",
	.is_one = true,
	.main = explain_main,
};

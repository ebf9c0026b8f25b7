/*
 * Source files of users: each rule at each line of a text. A change applies as its own diff says, and leaves brackets
 * that match. The first byte of an input chooses the rule.
 */
#include "targets.h"

#include "base/memory.h"
#include "checks.h"
#include "detectors/detector.h"
#include "rewrite/rules.h"
#include "trace/trace.h"

#include <stdlib.h>
#include <string.h>

#define LINES_MOST 64

static const struct {
	rewrite_rule rule;
	bool is_python;
} rules[] = {
#define REWRITE(id, rule)	 {rewrite_##rule, false},
#define REWRITE_PYTHON(id, rule) {rewrite_##rule, true},
#define REWRITE_NONE(id, why)
#include "rewrite/rules.def"
#undef REWRITE
#undef REWRITE_PYTHON
#undef REWRITE_NONE
};

static const char *const functions[] = {"cudaMemcpy",
					"cudaMemcpyAsync",
					"cudaMemset",
					"cudaLaunchKernel",
					"cudaStreamSynchronize",
					"cudaDeviceSynchronize",
					"cudaFree",
					"cudaMalloc",
					"cudaEventQuery"};

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/* A text that is read line by line. */
struct reader {
	const char *rest;
};

static struct piece next_line(struct reader *reader, const char *start)
{
	size_t at = (size_t)(reader->rest - start), length = strcspn(reader->rest, "\n");

	length += reader->rest[length] == '\n';
	reader->rest += length;
	return (struct piece){at, at + length};
}

/* Whether the line of the diff, without its mark, is the next line of `before`. The newline that only the diff has
 * was taken away from *length. */
static bool takes_line(struct reader *before, const char *line, size_t length)
{
	const char *start = before->rest;
	struct piece piece = next_line(before, start);

	return piece.end == length && !memcmp(start, line, length);
}

/* What `patch` makes of the text, malloc'ed. NULL: the diff is none of this text. */
static char *apply_diff(const char *text, const char *diff)
{
	static const char no_newline[] = "\\ No newline at end of file\n";
	struct reader before = {text}, lines = {diff};
	char *after = NULL;
	size_t size, line_number = 1, start = 0;
	FILE *out = open_memstream(&after, &size);
	bool ok = true;

	next_line(&lines, diff);
	next_line(&lines, diff);
	while (ok && *lines.rest) {
		struct piece piece = next_line(&lines, diff);
		const char *line = diff + piece.start;
		size_t length = piece.end - piece.start - 1;

		if (!strncmp(lines.rest, no_newline, strlen(no_newline))) {
			next_line(&lines, diff);
			length--;
		}
		if (!strncmp(line, "@@ -", 4)) {
			start = strtoul(line + 4, NULL, 10);
			for (; line_number < start; line_number++) {
				struct piece same = next_line(&before, text);

				fwrite(text + same.start, 1, same.end - same.start, out);
			}
			continue;
		}
		if (*line != '+') {
			ok = takes_line(&before, line + 1, length);
			line_number++;
		}
		if (*line != '-')
			fwrite(line + 1, 1, length, out);
	}
	fputs(before.rest, out);
	fclose(out);
	if (ok)
		return after;
	free(after);
	return NULL;
}

static void check_change(struct rewriting *rewriting, const char *text, size_t length)
{
	char *after = patch_apply(&rewriting->changes, text, length), *diff, *again;
	struct code code;

	if (!after)
		return;
	diff = patch_diff("a.cu", text, after);
	again = apply_diff(text, diff);
	fuzz_require(again && !strcmp(again, after), "the diff makes another text", diff);
	fuzz_require(code_make(&code, after, strlen(after), rewriting->code->is_python),
		     "brackets that do not match", diff);
	code_free(&code);
	free(again);
	free(diff);
	free(after);
}

static void rewrite_at(const struct code *code, struct piece line, rewrite_rule rule,
		       const char *name)
{
	struct trace_function function = {.name = name};
	struct trace_operation_form work = {.kind = OPERATION_COPY,
					    .engine = ENGINE_D2H,
					    .src_kind = MEMORY_DEVICE,
					    .dst_kind = MEMORY_PINNED};
	struct trace_operation operation = {.form = &work};
	struct trace_call_form form = {.function = &function};
	struct trace_call call = {.form = &form, .operation = &operation};
	struct instance instance = {.operation = &operation, .cause = &operation};
	struct rewriting rewriting = {
		.instance = &instance, .call = &call, .code = code, .line = line};
	const char *why = rule(&rewriting);

	if (why)
		fuzz_require(*why && !strchr(why, '\n'), "no reason", why);
	else
		check_change(&rewriting, code->text, code->length);
	patch_free(&rewriting.changes);
}

void fuzz_run_rewrite(const uint8_t *bytes, size_t size)
{
	const size_t chosen = size ? bytes[0] % COUNT(rules) : 0;
	char *text = memory_array(size + 1, 1);
	struct code code;
	struct piece line;

	if (size)
		memcpy(text, bytes + 1, size - 1);
	if (size && code_make(&code, text, size - 1, rules[chosen].is_python)) {
		for (int i = 1; i <= LINES_MOST && code_line(&code, i, &line); i++)
			for (size_t k = 0; k < COUNT(functions); k++)
				rewrite_at(&code, line, rules[chosen].rule, functions[k]);
		code_free(&code);
	}
	free(text);
}

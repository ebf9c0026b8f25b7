/* Rules for Python: PyTorch, and waits of any framework. */
#include "rewrite/rules.h"
#include "trace/trace.h"

#include <assert.h>
#include <string.h>

#define TAB_COLUMNS 8

/* A line of a statement, however many lines of text it takes. */
struct logical_line {
	struct piece piece; /* without the blanks at its ends */
	int indent;	    /* in columns */
};

typedef VECTOR(struct logical_line) logical_lines;

static logical_lines read_lines(const struct code *code)
{
	logical_lines lines = {0};
	struct logical_line line = {0};

	for (size_t at = 0; at < code->length;) {
		size_t end = at;

		while (end < code->length &&
		       (code->mask[end] != '\n' || code->outer[end] != CODE_NONE))
			end++;
		line.indent = 0;
		for (size_t i = at; i < end && strchr(" \t", code->mask[i]); i++)
			line.indent +=
				code->mask[i] == '\t' ? TAB_COLUMNS - line.indent % TAB_COLUMNS : 1;
		line.piece = code_trim(code, (struct piece){at, end});
		if (line.piece.start < line.piece.end)
			*vector_add(&lines) = line;
		at = end + 1;
	}
	return lines;
}

/* The index of the line with the position. lines.count: there is none. */
static size_t line_with(const logical_lines *lines, struct piece line)
{
	for (size_t i = 0; i < lines->count; i++)
		if (lines->items[i].piece.start <= line.end &&
		    lines->items[i].piece.end > line.start)
			return i;
	return lines->count;
}

/* The `for` or `while` whose body has the line, in its function. lines.count: there is none. */
static size_t loop_of(const struct code *code, const logical_lines *lines, size_t line)
{
	int indent = lines->items[line].indent;

	for (size_t i = line; i > 0; i--) {
		const struct logical_line *before = &lines->items[i - 1];

		if (before->indent >= indent)
			continue;
		indent = before->indent;
		if (code_is_word(code, before->piece.start, "for") ||
		    code_is_word(code, before->piece.start, "while"))
			return i - 1;
		if (code_is_word(code, before->piece.start, "def") ||
		    code_is_word(code, before->piece.start, "class") ||
		    code_is_word(code, before->piece.start, "async"))
			break;
	}
	return lines->count;
}

/* The index behind the last line of the block that the line at the index begins. */
static size_t block_end(const logical_lines *lines, size_t header)
{
	size_t end = header + 1;

	while (end < lines->count && lines->items[end].indent > lines->items[header].indent)
		end++;
	return end;
}

/* Whether the name is a variable that the header of the loop sets. */
static bool is_loop_variable(const struct code *code, struct piece header, struct piece name)
{
	size_t in = code_find_word(code, header, "in");

	for (size_t at = header.start; at < in; at++)
		if (at + (name.end - name.start) <= in &&
		    !strncmp(code->mask + at, code->mask + name.start, name.end - name.start) &&
		    !code_is_name(code->mask[at - 1]) &&
		    !code_is_name(code->mask[at + (name.end - name.start)]))
			return true;
	return false;
}

/* The name of `for ... in NAME:` or `in enumerate(NAME...):`. */
static bool loader_of(const struct code *code, struct piece header, struct piece *name)
{
	size_t at = code_find_word(code, header, "in");

	at = code_skip(code, at + strlen("in"), header.end);
	if (code_is_word(code, at, "enumerate") && code->mask[at + strlen("enumerate")] == '(')
		at = code_skip(code, at + strlen("enumerate("), header.end);
	*name = (struct piece){at, at};
	while (name->end < header.end && code_is_name(code->mask[name->end]))
		name->end++;
	at = code_skip(code, name->end, header.end);
	return name->start < name->end && at < header.end && strchr(":,)", code->mask[at]);
}

/* The call in `NAME = DataLoader(...)` or `NAME = torch.utils.data.DataLoader(...)`, once in the file. */
static bool find_loader(const struct code *code, const logical_lines *lines, struct piece name,
			struct code_call *call)
{
	int assigned = 0;
	bool is_loader = false;

	for (size_t i = 0; i < lines->count; i++) {
		struct piece line = lines->items[i].piece;
		struct piece own = {line.start, line.start + (name.end - name.start)};
		size_t at = code_skip(code, own.end, line.end), loader;

		if (own.end >= line.end || !code_is_same(code, own, name) ||
		    code->mask[at] != '=' || code->mask[at + 1] == '=')
			continue;
		assigned++;
		loader = code_find_word(code, (struct piece){at, line.end}, "DataLoader");
		is_loader = loader < line.end && call_read(code, loader, call) &&
			    call->whole.end == line.end &&
			    !memchr(code->mask + at, '(', loader - at);
	}
	return assigned == 1 && is_loader;
}

/* Adds `name=True` at the end of the arguments. */
static void add_argument(struct rewriting *rewriting, const struct code_call *call,
			 const char *name)
{
	const struct code *code = rewriting->code;
	size_t end = code_skip_back(code, call->whole.end - 1, call->name.end);
	bool has_comma = code->mask[end - 1] == ',' || !call->count;

	patch_add(&rewriting->changes, (struct piece){end, end}, "%s%s=True",
		  has_comma ? (call->count ? " " : "") : ", ", name);
}

/* The call VARIABLE.to(...) or VARIABLE.cuda(...) that begins with the name at the position. */
static bool read_move(const struct code *code, size_t at, struct piece *variable,
		      struct code_call *call)
{
	size_t dot = code_skip_back(code, at, 0);

	if ((!code_is_word(code, at, "to") && !code_is_word(code, at, "cuda")) || !dot ||
	    code->mask[dot - 1] != '.' || !call_read(code, at, call))
		return false;
	*variable = (struct piece){dot - 1, dot - 1};
	while (variable->start && code_is_name(code->mask[variable->start - 1]))
		variable->start--;
	return variable->start < variable->end &&
	       !(variable->start && code->mask[variable->start - 1] == '.');
}

static bool is_to_device(const struct rewriting *rewriting)
{
	const struct trace_operation *copy = rewriting->call->operation;

	return copy && copy->form->engine == ENGINE_H2D;
}

/* Gives each tensor of the loop's header that the line moves non_blocking=True. Returns how many. */
static size_t make_non_blocking(struct rewriting *rewriting, struct piece line, struct piece header)
{
	const struct code *code = rewriting->code;
	struct piece variable;
	struct code_call call;
	size_t count = 0;

	for (size_t at = line.start; at < line.end; at++) {
		if ((at && code_is_name(code->mask[at - 1])) ||
		    !read_move(code, at, &variable, &call) ||
		    !is_loop_variable(code, header, variable) ||
		    code_find_word(code, call.whole, "non_blocking") < call.whole.end)
			continue;
		add_argument(rewriting, &call, "non_blocking");
		count++;
	}
	return count;
}

static const char *pin_loader(struct rewriting *rewriting, const logical_lines *lines)
{
	const struct code *code = rewriting->code;
	size_t line = line_with(lines, rewriting->line), loop;
	struct code_call loader;
	struct piece name;

	if (line == lines->count)
		return "there is no such statement";
	loop = loop_of(code, lines, line);
	if (loop == lines->count || !code_is_word(code, lines->items[loop].piece.start, "for"))
		return "the line is in no loop over a DataLoader";
	if (!loader_of(code, lines->items[loop].piece, &name) ||
	    !find_loader(code, lines, name, &loader))
		return "the loop's DataLoader is not made in this file, or not once";
	if (code_find_word(code, loader.whole, "pin_memory") < loader.whole.end)
		return "the DataLoader has pin_memory already";
	if (!make_non_blocking(rewriting, lines->items[line].piece, lines->items[loop].piece))
		return "the line does not move what the DataLoader gives";
	add_argument(rewriting, &loader, "pin_memory");
	return NULL;
}

const char *rewrite_python_pinned(struct rewriting *rewriting)
{
	logical_lines lines = read_lines(rewriting->code);
	const char *why = is_to_device(rewriting)
				  ? pin_loader(rewriting, &lines)
				  : "what is read on the host has to be waited for somewhere else";

	vector_free(&lines);
	return why;
}

/* Whether the statement is NAME.NAME.synchronize(), with or without calls in between. */
static bool is_wait(const struct code *code, struct piece line)
{
	static const char end[] = ".synchronize()";
	size_t bytes = line.end - line.start;

	if (bytes <= strlen(end) ||
	    strncmp(code->mask + line.end - strlen(end), end, strlen(end)) != 0)
		return false;
	for (size_t at = line.start; at < line.end; at++) {
		if (!code_is_name(code->mask[at]) && !strchr(".()[]", code->mask[at]))
			return false;
		if (code->partner[at] != CODE_NONE)
			at = code->partner[at];
	}
	return true;
}

/* Words in a loop whose meaning a wait may have. */
static bool needs_wait(const struct code *code, struct piece loop)
{
	static const char *const words[] = {"time",   "perf_counter", "elapsed_time",
					    "timeit", "non_blocking", "blocking",
					    "numpy",  "process_time", "perf_counter_ns"};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (code_find_word(code, loop, words[i]) < loop.end)
			return true;
	return false;
}

static const char *move_wait(struct rewriting *rewriting, const logical_lines *lines)
{
	const struct code *code = rewriting->code;
	size_t line = line_with(lines, rewriting->line), loop, end;
	struct piece own, body, indent;

	if (line == lines->count)
		return "the line is no synchronize() alone";
	assert(lines->items); /* it has that number */
	if (!is_wait(code, lines->items[line].piece))
		return "the line is no synchronize() alone";
	own = lines->items[line].piece;
	loop = loop_of(code, lines, line);
	if (loop == lines->count)
		return "the line is in no loop of its function";
	end = block_end(lines, loop);
	if (lines->items[line].indent != lines->items[loop + 1].indent || end - loop < 3)
		return "the wait stands in a condition, or alone in its loop";
	body = (struct piece){lines->items[loop].piece.start, lines->items[end - 1].piece.end};
	if (needs_wait(code, body))
		return "the loop reads a clock, or memory that is copied without a wait";
	if (end < lines->count && code_is_word(code, lines->items[end].piece.start, "else"))
		return "the loop has an else";
	indent = rewriting_indent(code, body.start);
	if (end < lines->count && code_is_same(code, lines->items[end].piece, own)) {
		patch_remove_lines(&rewriting->changes, code, own);
	} else if (end - 1 == line) {
		patch_add(&rewriting->changes, rewriting_indent(code, own.start), "%.*s",
			  PIECE(code, indent));
	} else {
		patch_remove_lines(&rewriting->changes, code, own);
		body.end += strcspn(code->text + body.end, "\n");
		patch_add(&rewriting->changes, (struct piece){body.end, body.end}, "\n%.*s%.*s",
			  PIECE(code, indent), PIECE(code, own));
	}
	return NULL;
}

const char *rewrite_python_sync(struct rewriting *rewriting)
{
	logical_lines lines = read_lines(rewriting->code);
	const char *why = move_wait(rewriting, &lines);

	vector_free(&lines);
	return why;
}

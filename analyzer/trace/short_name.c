#include "trace/short_name.h"

#include "trace/demangle.h"
#include "trace/name_parts.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST_WORD   60 /* a text breaks its lines between words */
#define MOST_ARGUMENTS 3
#define MOST_POINTERS  3
#define DEEPEST	       3 /* of functions that are arguments of arguments */

struct writer {
	char *text;
	size_t used, size;
	bool is_full;
};

/* How much of a name is written. */
struct detail {
	int arguments;	/* of the kernel's template, at most */
	bool is_nested; /* and of functions in there */
};

static void write_slice(struct writer *writer, struct slice slice)
{
	size_t room = writer->size - writer->used, length = slice_length(slice);

	if (length > room) {
		writer->is_full = true;
		length = room;
	}
	if (!slice.start)
		return;
	memcpy(writer->text + writer->used, slice.start, length);
	writer->used += length;
}

static void write_text(struct writer *writer, const char *text)
{
	write_slice(writer, (struct slice){text, text + strlen(text)});
}

/* The last part that is a proper name. For a lambda the function that contains it, if nested the
 * outermost. */
static const struct part *telling_part(const struct parts *parts)
{
	int last = parts->count - 1;

	if (!parts->items[last].is_local)
		return &parts->items[last];
	for (int i = 0; i < last; i++)
		if (parts->items[i].is_function && !parts->items[i].is_local)
			return &parts->items[i];
	while (last > 0 && parts->items[last].is_local)
		last--;
	return &parts->items[last];
}

/* Types that say how and not what: the standard library's, and a library's inner ones. */
static bool is_plumbing(const struct parts *parts)
{
	static const char *const names[] = {"std", "detail", "impl", "internal"};

	for (int i = 0; i + 1 < parts->count; i++)
		for (size_t k = 0; k < sizeof(names) / sizeof(*names); k++)
			if (slice_is(parts->items[i].name, names[k]))
				return true;
	return false;
}

/* 4, 1ul, true, (at::native::Mode)2, without what surrounds the number. */
static bool read_value(struct slice *slice)
{
	const char *start = slice->start, *end = slice->end;

	if (*start == '(')
		start = name_skip_brackets(start, end);
	if (start < end && *start == '-')
		start++;
	if (start == end || !isdigit((unsigned char)*start))
		return slice_is(*slice, "true") || slice_is(*slice, "false");
	while (end > start && isalpha((unsigned char)end[-1]))
		end--;
	*slice = (struct slice){start[-1] == '-' && start > slice->start ? start - 1 : start, end};
	return true;
}

/* float const* as float*: what points stays. */
static struct slice core_of(struct slice slice, int *pointers)
{
	size_t before;

	*pointers = 0;
	do {
		before = slice_length(slice);
		slice = slice_trim(slice);
		if (slice_length(slice) && (slice.end[-1] == '*' || slice.end[-1] == '&')) {
			*pointers += slice.end[-1] == '*';
			slice.end--;
		}
		if (slice_length(slice) > 6 &&
		    slice_begins((struct slice){slice.end - 6, slice.end}, " const"))
			slice.end -= 6;
	} while (slice_length(slice) < before);
	while (slice_length(slice) && *slice.start == '&')
		slice.start++;
	return slice;
}

/* A template's argument, as it is written. */
struct argument {
	struct slice name;	/* empty: it is not worth telling */
	struct slice arguments; /* of a function's own template; else empty */
	int pointers;
	bool is_value;
};

static bool is_plain_type(struct slice type)
{
	for (const char *c = type.start; c < type.end; c++)
		if (!name_is_word(*c) && *c != ' ')
			return false;
	return true;
}

static struct argument read_argument(struct slice text)
{
	struct argument argument = {0};
	const struct part *part;
	struct parts parts;

	argument.name = core_of(text, &argument.pointers);
	if (!slice_length(argument.name))
		return argument;
	argument.is_value = read_value(&argument.name);
	if (argument.is_value || is_plain_type(argument.name))
		return argument;
	name_read(argument.name, &parts);
	part = telling_part(&parts);
	if (is_plumbing(&parts) || !slice_length(part->name) || !name_is_word(*part->name.start))
		return (struct argument){0};
	argument.name = part->name;
	if (part->is_function)
		argument.arguments = part->arguments;
	return argument;
}

static bool is_same(struct slice a, struct slice b)
{
	size_t length = slice_length(a);

	return a.start && b.start && length == slice_length(b) && !memcmp(a.start, b.start, length);
}

/* float, float, float says no more than float. */
static bool is_told(const struct argument *told, int count, const struct argument *argument)
{
	for (int i = 0; i < count; i++)
		if (!argument->is_value && told[i].pointers == argument->pointers &&
		    is_same(told[i].name, argument->name))
			return true;
	return false;
}

static void write_arguments(struct writer *writer, struct slice arguments,
			    const struct detail *detail, int depth)
{
	struct argument told[MOST_ARGUMENTS];
	const char *at = arguments.start, *end;
	int count = 0;

	while (at < arguments.end && count < detail->arguments && !writer->is_full) {
		end = name_argument_end(at, arguments.end);
		told[count] = read_argument((struct slice){at, end});
		at = end + 1;
		if (!slice_length(told[count].name) || is_told(told, count, &told[count]))
			continue;
		write_text(writer, count ? ", " : "<");
		write_slice(writer, told[count].name);
		if (detail->is_nested && depth < DEEPEST)
			write_arguments(writer, told[count].arguments, detail, depth + 1);
		for (int i = 0; i < told[count].pointers && i < MOST_POINTERS; i++)
			write_text(writer, "*");
		count++;
	}
	if (count)
		write_text(writer, ">");
}

static void finish_name(struct writer *writer)
{
	size_t end = writer->used;

	if (writer->is_full) {
		/* Not inside of a character of UTF-8. */
		for (end -= 3; end > 0 && (writer->text[end] & 0xc0) == 0x80; end--)
			;
		memcpy(writer->text + end, "...", 3);
		end += 3;
	}
	writer->text[end] = '\0';
}

static void cut_word(struct writer *writer)
{
	if (writer->used <= LONGEST_WORD || memchr(writer->text, ' ', writer->used))
		return;
	writer->used = LONGEST_WORD;
	writer->is_full = true;
}

/* Kernel2<cutlass_80_...>: if the first argument alone does not fit beside the kernel's name, and
 * is longer than it, the argument identifies the kernel. */
static void write_only_argument(struct writer *writer, const struct part *part)
{
	const char *end = name_argument_end(part->arguments.start, part->arguments.end);
	struct argument argument = read_argument((struct slice){part->arguments.start, end});

	if (slice_length(argument.name) <= slice_length(part->name))
		return;
	writer->used = 0;
	writer->is_full = false;
	write_slice(writer, argument.name);
	cut_word(writer);
}

/* With as much as fits. */
static void write_kernel(struct writer *writer, const struct parts *parts)
{
	static const struct detail details[] = {
		{MOST_ARGUMENTS, true}, {MOST_ARGUMENTS, false}, {2, false}, {1, false}};
	const struct part *part = telling_part(parts);

	for (size_t i = 0; i < sizeof(details) / sizeof(*details); i++) {
		writer->used = 0;
		writer->is_full = false;
		write_slice(writer, part->name);
		write_arguments(writer, part->arguments, &details[i], 0);
		cut_word(writer);
		if (!writer->is_full)
			return;
	}
	write_only_argument(writer, part);
}

/* __4, __cxx11, THRUST_300001_SM_900_NS: inline namespaces that carry a version. */
static bool is_version(struct slice name)
{
	bool has_digit = false, has_dash = false;

	if (slice_begins(name, "__"))
		return true;
	for (const char *c = name.start; c < name.end; c++) {
		if (!isupper((unsigned char)*c) && !isdigit((unsigned char)*c) && *c != '_')
			return false;
		has_digit |= isdigit((unsigned char)*c) != 0;
		has_dash |= *c == '_';
	}
	return has_digit && has_dash;
}

/* What a person calls the function: no lambda, no version. */
static int keep_names(const struct parts *parts, struct slice *names)
{
	int count = 0;

	for (int i = 0; i < parts->count; i++) {
		struct slice name = parts->items[i].name;

		if (parts->items[i].is_local || !slice_length(name) ||
		    (i + 1 < parts->count && is_version(name)))
			continue;
		/* A constructor. */
		if (count && slice_length(names[count - 1]) == slice_length(name) &&
		    !strncmp(names[count - 1].start, name.start, slice_length(name)))
			continue;
		names[count++] = name;
	}
	return count;
}

static void write_function(struct writer *writer, const struct parts *parts)
{
	struct slice names[MOST_PARTS];
	int count = keep_names(parts, names);

	for (int first = 0; first < count; first++) {
		writer->used = 0;
		writer->is_full = false;
		for (int i = first; i < count; i++) {
			write_text(writer, i > first ? "::" : "");
			write_slice(writer, names[i]);
		}
		cut_word(writer);
		if (!writer->is_full)
			return;
	}
}

/* The last name in a mangled one that is too long to be demangled: _ZN2at6native4fillI... */
static struct slice last_identifier(const char *name)
{
	struct slice found = {name, name + strlen(name)};
	const char *at = name + 2, *end = found.end;

	while (at < end && !isdigit((unsigned char)*at) && strchr("NLKSt", *at))
		at++;
	while (at < end && isdigit((unsigned char)*at)) {
		char *behind;
		unsigned long length = strtoul(at, &behind, 10);

		if (length == 0 || length > (size_t)(end - behind))
			break;
		found = (struct slice){behind, behind + length};
		at = behind + length;
	}
	return found;
}

const char *short_name(struct short_name *short_name, const char *name, enum short_name_style style)
{
	struct writer writer = {.text = short_name->text, .size = SHORT_NAME_LENGTH};
	char *plain = demangle(name, true);
	const char *text = plain ? plain : name;
	struct slice slice = {text, text + strlen(text)};
	struct parts parts;

	if (!plain && slice_begins(slice, "_Z"))
		slice = last_identifier(name);
	name_read(slice_trim(slice), &parts);
	if (style == SHORT_NAME_KERNEL)
		write_kernel(&writer, &parts);
	else
		write_function(&writer, &parts);
	if (!writer.used)
		write_slice(&writer, slice);
	cut_word(&writer);
	finish_name(&writer);
	free(plain);
	return short_name->text;
}

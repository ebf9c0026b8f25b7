#include "render/host_text.h"

#include "base/format.h"
#include "render/render.h"
#include "trace/short_name.h"
#include "trace/texts.h"

#include <stdlib.h>
#include <string.h>

/* Others with less of a wait are not named. */
#define OTHER_SHARE  0.05
#define OTHERS_NAMED 3

static const char *const state_texts[HOST_STATE_COUNT] = {
#define HOST_STATE(symbol, number, text) [HOST_STATE_##symbol] = (text),
#include "facts/host_states.def"
#undef HOST_STATE
};

static const char *state_text(const struct host_doing *doing)
{
	return doing->action == HOST_ACTION_COMPILING ? "compiling"
	       : doing->action == HOST_ACTION_UNKNOWN ? "not known"
						      : state_texts[doing->state];
}

const char *host_state_text(const struct host_texts *texts, uint32_t doing)
{
	if (doing == HOST_NOT_SEEN)
		return "not known";
	return state_text(&texts->record->doings[doing]);
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Cuts off what is before the last folder of the path. Returns the text. */
static char *keep_last_folder(char *line)
{
	const char *from = line + strlen(line);

	for (int slashes = 0; from > line; from--)
		if (from[-1] == '/' && ++slashes == 2)
			break;
	return memmove(line, from, strlen(from) + 1);
}

char *host_place(const struct host_texts *texts, const struct site *site)
{
	struct short_name name;
	const char *function = render_function(site, &name);
	struct site shown = *site;
	char *line, *text;

	if (!site->file) {
		const char *module = site->module ? base_name(site->module) : NULL;

		if (!module)
			return memory_format("%s", function ? function : "an unknown line");
		return memory_format("%s%s%s", function ? function : "", function ? " in " : "",
				     module);
	}
	shown.file = trace_text_package_path(site->file);
	line = trace_text_site(texts->trace, &shown);
	if (texts->is_brief && site->line)
		return keep_last_folder(line);
	text = memory_format("%s%s%s", line, function ? " " : "", function ? function : "");
	free(line);
	return text;
}

char *host_thread_text(const struct host_texts *texts, uint32_t thread_id, uint32_t thread_count)
{
	return thread_count > 1 ? memory_format("%u threads", thread_count)
				: trace_text_thread(texts->trace, thread_id);
}

/* " (NumPy, main thread)", or "" if the trace's texts are brief and there is nothing to say. */
static char *in_brackets(const struct host_texts *texts, const char *called, uint32_t thread_id,
			 uint32_t thread_count)
{
	bool is_main = thread_count == 1 && trace_text_is_main_thread(texts->trace, thread_id);
	char *thread, *text;

	if (texts->is_brief && is_main)
		return called ? memory_format(" (%s)", called) : memory_format("%s", "");
	thread = host_thread_text(texts, thread_id, thread_count);
	text = memory_format(" (%s%s%s)", called ? called : "", called ? ", " : "", thread);
	free(thread);
	return text;
}

char *host_state_phrase(const struct host_doing *doing)
{
	const char *text = state_text(doing);

	if (doing->action == HOST_ACTION_UNKNOWN)
		return memory_format("not looked at");
	if (!doing->name)
		return memory_format("%s", text);
	return doing->state == HOST_STATE_INPUT ? memory_format("%s from %s", text, doing->name)
						: memory_format("%s (%s)", text, doing->name);
}

char *host_line_text(const struct host_texts *texts, const struct host_idle_row *row)
{
	const struct host_doing *doing = &texts->record->doings[row->doing];
	char *place = host_place(texts, &doing->site);
	char *brackets = in_brackets(texts, doing->called, row->thread_id, row->thread_count);
	char *text = memory_format("%s%s", place, brackets);

	free(brackets);
	free(place);
	return text;
}

static char *describe_doing(const struct host_texts *texts, const struct host_idle_row *row)
{
	const struct host_doing *doing = &texts->record->doings[row->doing];
	char *line = host_line_text(texts, row), *state = host_state_phrase(doing);
	char *text;

	if (doing->action == HOST_ACTION_UNKNOWN)
		text = memory_format("host busy before %s, not looked at", line);
	else if (doing->action == HOST_ACTION_STATE && doing->state == HOST_STATE_RUNNING)
		text = memory_format("waiting for %s", line);
	else
		text = memory_format("%s at %s", state, line);
	free(state);
	free(line);
	return text;
}

char *host_other_text(const struct host_texts *texts, const struct host_other *other)
{
	struct site of_call = {0};
	const struct host_doing *doing = NULL;
	char *place, *brackets, *text;

	if (other->call)
		of_call = site_describe(texts->trace, other->call->form->site, NULL);
	else
		doing = &texts->record->doings[other->doing];
	place = host_place(texts, doing ? &doing->site : &of_call);
	brackets = in_brackets(texts, doing ? doing->called : NULL, other->thread_id,
			       other->thread_count);
	if (doing && host_is_outside(doing->state)) {
		char *state = host_state_phrase(doing);

		text = memory_format("%s%s %s", place, brackets, state);
		free(state);
	} else {
		text = memory_format("%s%s%s%s",
				     other->call ? other->call->form->function->name : "",
				     other->call ? " at " : "", place, brackets);
	}
	free(brackets);
	free(place);
	return text;
}

char *host_row_text(const struct host_texts *texts, const struct host_idle_row *row)
{
	const struct host_other *alone = host_others_alone(&row->others);
	const struct host_doing *doing;
	char *own, *other, *text;

	if (row->doing == HOST_NOT_SEEN)
		return memory_format("host busy between calls, not looked at");
	doing = &texts->record->doings[row->doing];
	if (!alone)
		return describe_doing(texts, row);
	own = host_place(texts, &doing->site);
	other = host_other_text(texts, alone);
	text = memory_format("waiting for %s%s, awaited at %s%s%s%s", other,
			     doing->state == HOST_STATE_INTERPRETER ? ", which had the interpreter"
								    : "",
			     own, doing->called ? " (" : "", doing->called ? doing->called : "",
			     doing->called ? ")" : "");
	free(other);
	free(own);
	return text;
}

/* Takes over the text before. */
static char *add_share(char *before, const char *what, int64_t ns, int64_t whole_ns)
{
	struct format percent;
	char *text = memory_format("%s%s%s %s", before, *before ? ", " : "meanwhile ", what,
				   format_percent(&percent, ns, whole_ns));

	free(before);
	return text;
}

char *host_others_text(const struct host_texts *texts, const struct host_others *others)
{
	int64_t unknown_ns = others->wait_ns - others->known_ns;
	char *text;

	if (!others->wait_ns)
		return NULL;
	text = memory_format("%s", "");
	for (size_t i = 0; i < others->count && i < OTHERS_NAMED; i++) {
		const struct host_other *other = &others->items[i];
		char *what;

		if ((double)other->ns < OTHER_SHARE * (double)others->wait_ns)
			break;
		what = host_other_text(texts, other);
		text = add_share(text, what, other->ns, others->wait_ns);
		free(what);
	}
	if ((double)unknown_ns >= OTHER_SHARE * (double)others->wait_ns)
		text = add_share(text, "no thread that was looked at", unknown_ns, others->wait_ns);
	return text;
}

char *host_meanwhile_text(const struct host_texts *texts, const struct host_idle_row *row)
{
	return host_others_alone(&row->others) ? NULL : host_others_text(texts, &row->others);
}

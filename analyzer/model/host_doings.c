/* Makes a record: what threads were found doing. Looks that found the same share a struct host_doing. */
#include "base/mix.h"
#include "model/host_callee.h"
#include "model/host_record_private.h"

#include <string.h>

/* While it is made. */
struct interning {
	struct host_record *work;
	VECTOR(struct host_doing) doings;
	struct map by_look; /* of stacks, state and name */
	struct map by_text; /* of a line's text and the state */
	struct map lines;   /* of a line's text: struct host_doing.line */
};

static uint64_t mix_text(uint64_t hash, const char *text)
{
	for (; text && *text; text++)
		hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
	return mix(hash, 0);
}

static uint64_t mix_line(const struct host_doing *doing)
{
	uint64_t hash = mix_text(mix_text(0, doing->site.file), doing->site.module);

	hash = mix(hash, (uint64_t)doing->site.line);
	if (!doing->site.file)
		hash = mix_text(hash, doing->site.function);
	return mix_text(hash, doing->called);
}

static bool are_same_texts(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static bool are_same(const struct host_doing *a, const struct host_doing *b)
{
	return a->state == b->state && a->action == b->action && a->line == b->line &&
	       are_same_texts(a->name, b->name);
}

static bool are_of_line(const struct host_doing *a, const struct host_doing *b)
{
	return !site_compare(&a->site, &b->site) && are_same_texts(a->called, b->called) &&
	       (a->site.file || are_same_texts(a->site.function, b->site.function));
}

/* The number of the line, and in *doing, too. Texts of one hash that differ get the next ones. */
static void number_line(struct interning *interning, struct host_doing *doing)
{
	uint64_t key = mix_line(doing);
	size_t found;

	for (;; key++) {
		found = map_find(&interning->lines, key);
		if (found >= interning->doings.count) /* MAP_NONE, too */
			break;
		if (are_of_line(doing, &interning->doings.items[found])) {
			doing->line = interning->doings.items[found].line;
			return;
		}
	}
	doing->line = (uint32_t)interning->lines.count;
	map_add(&interning->lines, key, interning->doings.count);
}

static uint32_t intern_doing(struct interning *interning, struct host_doing doing)
{
	uint64_t key;
	size_t found;

	number_line(interning, &doing);
	key = mix_text(mix(mix(doing.action, doing.line), doing.state), doing.name);
	for (;; key++) {
		found = map_find(&interning->by_text, key);
		if (found == MAP_NONE)
			break;
		if (are_same(&doing, &interning->doings.items[found]))
			return (uint32_t)found;
	}
	map_add(&interning->by_text, key, interning->doings.count);
	*vector_add(&interning->doings) = doing;
	return (uint32_t)interning->doings.count - 1;
}

/* At work. */
static struct host_doing doing_at(const struct host_record *work, const struct trace_site *site)
{
	struct host_doing doing = {.state = HOST_STATE_RUNNING,
				   .site = site_describe(work->trace, site, NULL)};

	if (!doing.site.file)
		doing.site.offset = 0;
	doing.called = host_callee(site, doing.site.is_python, &work->index->texts);
	if (!doing.called)
		doing.called = framework_name(doing.site.framework);
	return doing;
}

/* Compiling is one thing to do, whether the thread ran or waited. */
static struct host_doing doing_of_look(const struct host_record *work,
				       const struct trace_host_state *state,
				       const struct trace_site *site)
{
	struct host_doing doing = doing_at(work, site);

	if (host_site_doing(work, state->site) == HOST_FRAME_COMPILE) {
		doing.action = HOST_ACTION_COMPILING;
		return doing;
	}
	doing.state = state->state;
	doing.name = state->name;
	return doing;
}

static struct host_doing doing_of_call(const struct host_record *work,
				       const struct trace_site *stack)
{
	struct host_doing doing = doing_at(work, stack);

	doing.action = HOST_ACTION_UNKNOWN;
	return doing;
}

static uint32_t intern_state(struct interning *interning, const struct trace_host_state *state)
{
	const struct trace_site *site = host_site_of(interning->work, state);
	uint64_t key = mix(mix(mix(mix(1, (uintptr_t)state->site), (uintptr_t)site), state->state),
			   (uintptr_t)state->name);
	size_t found = map_find(&interning->by_look, key);

	if (found == MAP_NONE) {
		found = intern_doing(interning, doing_of_look(interning->work, state, site));
		map_add(&interning->by_look, key, found);
	}
	return (uint32_t)found;
}

/* The lines of calls. A lent stack (lent_sites.c) has the line that waited for the thread. */
static void intern_calls(struct interning *interning)
{
	const struct trace *trace = interning->work->trace;

	for (size_t i = 0; i < trace->call_count; i++) {
		const struct trace_site *stack = trace->calls[i].form->site;
		struct host_site *site =
			stack ? &interning->work->index->sites[stack - trace->sites] : NULL;

		if (site && site->of_call == HOST_NOT_SEEN && (site->is_own || stack->is_lent))
			site->of_call =
				intern_doing(interning, doing_of_call(interning->work, stack));
	}
}

/* What others do for each line. */
static void intern_work(struct interning *interning)
{
	for (size_t i = 0, count = interning->doings.count; i < count; i++) {
		struct host_doing doing = interning->doings.items[i];
		uint32_t at_work;

		doing.state = HOST_STATE_RUNNING;
		doing.name = NULL;
		at_work = intern_doing(interning, doing);
		interning->doings.items[i].at_work = interning->doings.items[at_work].at_work =
			at_work;
	}
}

static void intern_doings(struct host_record *work)
{
	const struct trace *trace = work->trace;
	struct interning interning = {.work = work};
	size_t count;

	for (size_t i = 0; i < trace->host_state_count; i++)
		work->index->doings[i] = intern_state(&interning, &trace->host_states[i]);
	intern_calls(&interning);
	intern_work(&interning);
	vector_move(&interning.doings, work->doings, count);
	work->doing_count = (uint32_t)count;
	map_free(&interning.lines);
	map_free(&interning.by_text);
	map_free(&interning.by_look);
}

struct host_record *host_record_create(const struct trace *trace)
{
	struct host_record *work;

	if (!trace->host_state_count)
		return NULL;
	work = host_record_index(trace);
	intern_doings(work);
	return work;
}

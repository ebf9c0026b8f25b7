#include "trial/trial_plan.h"

#include "base/build_id.h"
#include "base/memory.h"
#include "detectors/detector.h"
#include "detectors/memory/managed_fault.h"
#include "detectors/memory/pool_trims.h"
#include "findings/whatif_replay.h"
#include "trial/trial_conditions.h"
#include "trial/trial_ring.h"
#include "trial/trial_rules.h"
#include "trial/trial_waits.h"

#include <stdlib.h>
#include <string.h>

/* A fix's name, and whether it is made at calls of a site or for the whole run. */
enum fix_scope { SCOPE_CALL, SCOPE_RUN };
static const struct {
	const char *name;
	enum fix_scope scope;
} fixes[TRIAL_FIX_COUNT] = {
#define FIX(id, name, scope) [TRIAL_##id] = {name, SCOPE_##scope},
#include "facts/trial_fixes.def"
#undef FIX
};

const char *trial_fix_name(enum trial_fix fix)
{
	return fixes[fix].name;
}

/* The innermost frame of the call's stack, which is the caller of the function; NULL: unknown. */
static const struct trace_frame *caller_of(const struct trace_call *call)
{
	const struct trace_site *site = call->form->site;

	return site && site->depth && site->frames[0].module ? &site->frames[0] : NULL;
}

static bool is_same_place(const struct trace_call *a, const struct trace_call *b)
{
	const struct trace_frame *x = caller_of(a), *y = caller_of(b);

	return a->form->site == b->form->site ||
	       (x && y && x->offset == y->offset && !strcmp(x->module, y->module));
}

/* The place of the list that the call is of; places->count: none. */
typedef VECTOR(struct trial_place) place_list;
static size_t find_place(const place_list *places, enum trial_fix fix,
			 const struct trace_call *call)
{
	size_t i;

	for (i = 0; i < places->count; i++)
		if (places->items[i].fix == fix &&
		    (!call || is_same_place(places->items[i].call, call)))
			break;
	return i;
}

/* Why the library could not see the call. NULL: it could. */
static const char *find_obstacle(const struct trace_call *call)
{
	if (call->form->via_driver_callback)
		return TRIAL_NEEDS_SHARED_RUNTIME;
	return caller_of(call) ? NULL : "its call site is not known";
}

/* What the rule says of the instances of a part. */
struct choosing {
	const struct analysis *analysis;
	struct trial_part *part;
	struct trial_rules rules;
	place_list places;
	struct instance *kept; /* the finding's instances that the trial fixes */
	size_t *kept_places;   /* of each its index in places; later in the plan's */
	size_t kept_count;
};

/* Takes the reason. */
static void leave_instance(struct trial_part *part, char *reason)
{
	part->left++;
	if (part->refusal)
		free(reason);
	else
		part->refusal = reason;
}

static void choose_instance(struct choosing *choosing, const struct instance *instance)
{
	struct trial_choice choice = {.fix = TRIAL_FIX_COUNT};
	const char *reason = trial_rules_choose(&choosing->rules, instance, &choice);
	size_t place;
	char *text;

	if (!reason && fixes[choice.fix].scope == SCOPE_CALL)
		reason = find_obstacle(choice.call);
	text = reason ? memory_format("%s", reason)
	       : choice.fix == TRIAL_DROPPED_WAIT
		       ? trial_waits_visible(choosing->analysis, choice.call)
		       : NULL;
	if (text) {
		leave_instance(choosing->part, text);
		return;
	}
	choosing->part->fix = choice.fix;
	place = find_place(&choosing->places, choice.fix, choice.call);
	if (place == choosing->places.count)
		*vector_add(&choosing->places) = (struct trial_place){
			.fix = choice.fix, .call = choice.call, .value = choice.value};
	choosing->kept[choosing->kept_count] = *instance;
	choosing->kept_places[choosing->kept_count++] = place;
}

/* All calls of the trace at the places, by start; the caller frees them. */
static const struct trace_call **find_calls(const struct trace *trace, const place_list *places,
					    size_t *count)
{
	VECTOR(const struct trace_call *) calls = {0};
	const struct trace_call **items;

	for (size_t i = 0; i < trace->call_count; i++)
		for (size_t k = 0; k < places->count; k++)
			if (places->items[k].call &&
			    is_same_place(places->items[k].call, &trace->calls[i])) {
				*vector_add(&calls) = &trace->calls[i];
				break;
			}
	vector_move(&calls, items, *count);
	return items;
}

/* A call site of another build than the one that was recorded; malloc'ed; NULL: there is none. */
static char *find_rebuilt(const place_list *places)
{
	for (size_t i = 0; i < places->count; i++) {
		const struct trace_frame *caller = caller_of(places->items[i].call);

		if (!build_id_is_of_file(caller->module, caller->build_id))
			return memory_format("%s was built again since the trace", caller->module);
	}
	return NULL;
}

/* Whether the fix takes no wait away: a prefetch, and a cudaMemcpy() of memory that is pinned in place, which waits as before. */
static bool keeps_waits(enum trial_fix fix, const struct trace_call *const *calls, size_t count)
{
	if (fix == TRIAL_PREFETCH)
		return true;
	if (fix != TRIAL_PINNED_SOURCE && fix != TRIAL_PINNED_RESULT)
		return false;
	for (size_t i = 0; i < count; i++)
		if (strcmp(calls[i]->form->function->name, "cudaMemcpy") != 0)
			return false;
	return true;
}

/* Refuses the fix where something relies on what it changes. */
static void check_conditions(struct choosing *choosing)
{
	struct trial_part *part = choosing->part;
	const struct trace_call **calls;
	size_t count;
	char *unmet;

	if (part->fix == TRIAL_FIX_COUNT || fixes[part->fix].scope == SCOPE_RUN)
		return;
	calls = find_calls(choosing->analysis->observed.model->trace, &choosing->places, &count);
	unmet = find_rebuilt(&choosing->places);
	if (!unmet && !keeps_waits(part->fix, calls, count))
		unmet = trial_conditions_unmet(choosing->analysis, calls, count);
	free(calls);
	if (!unmet)
		return;
	free(part->refusal);
	part->refusal = unmet;
	part->fix = TRIAL_FIX_COUNT;
	part->left = part->finding->instance_count;
	choosing->places.count = 0;
	choosing->kept_count = 0;
}

/* Adds a copy of the finding that has the instances which are fixed alone; takes them. */
static void add_tried(struct trial_plan *plan, const struct choosing *choosing)
{
	struct finding *tried = &plan->tried[plan->tried_count];

	if (!choosing->kept_count) {
		free(choosing->kept);
		free(choosing->kept_places);
		return;
	}
	plan->detectors[plan->tried_count] = *choosing->part->finding->detector;
	if (choosing->part->fix == TRIAL_PINNED_RING)
		plan->detectors[plan->tried_count].apply = trial_ring_apply;
	if (choosing->part->fix == TRIAL_PREFETCH)
		plan->detectors[plan->tried_count].apply = managed_fault_prefetch;
	*tried = *choosing->part->finding;
	tried->detector = &plan->detectors[plan->tried_count];
	tried->joined = NULL;
	tried->joined_count = 0;
	tried->instances = choosing->kept;
	tried->instance_count = choosing->kept_count;
	plan->tried_places[plan->tried_count++] = choosing->kept_places;
}

/* Adds the part's places that the plan has not, and tells the kept instances their index there. */
static void add_places(struct trial_plan *plan, const struct choosing *choosing)
{
	size_t *numbers = memory_array(choosing->places.count, sizeof(*numbers));

	for (size_t i = 0; i < choosing->places.count; i++) {
		const struct trial_place *place = &choosing->places.items[i];
		const place_list known = {plan->places.items, plan->places.count, 0};

		numbers[i] = find_place(&known, place->fix, place->call);
		if (numbers[i] == known.count)
			*vector_add(&plan->places) = *place;
	}
	for (size_t i = 0; i < choosing->kept_count; i++)
		choosing->kept_places[i] = numbers[choosing->kept_places[i]];
	free(numbers);
}

static void plan_part(struct trial_plan *plan, const struct analysis *analysis,
		      const struct finding *finding, size_t number)
{
	struct trial_part *part = vector_add(&plan->parts);
	struct choosing choosing = {
		.analysis = analysis,
		.part = part,
		.rules = trial_rules_of(analysis, finding),
		.kept = memory_array(finding->instance_count, sizeof(*choosing.kept)),
		.kept_places = memory_array(finding->instance_count, sizeof(size_t)),
	};

	*part = (struct trial_part){.number = number, .finding = finding, .fix = TRIAL_FIX_COUNT};
	for (size_t i = 0; i < finding->instance_count; i++)
		choose_instance(&choosing, &finding->instances[i]);
	check_conditions(&choosing);
	part->places = choosing.places.count;
	add_places(plan, &choosing);
	vector_free(&choosing.places);
	add_tried(plan, &choosing);
}

static void count_calls(struct trial_place *place, const struct trace *trace)
{
	for (size_t i = 0; place->call && i < trace->call_count; i++) {
		const struct trace_call *call = &trace->calls[i];

		if (call->form->thread_id != place->call->form->thread_id ||
		    !is_same_place(place->call, call))
			continue;
		if (!place->calls++)
			place->first_ns = call->start_ns;
		place->last_ns = call->start_ns;
	}
}

struct trial_plan trial_plan_make(const struct analysis *analysis,
				  const struct finding *const *findings, size_t count)
{
	struct trial_plan plan = {
		.has_unseen_work = trial_waits_has_unseen_work(analysis->whole),
		.has_unseen_copies = trial_waits_has_unseen_copies(analysis->whole),
	};
	size_t parts = 0;

	for (size_t i = 0; i < count; i++)
		parts += finding_part_count(findings[i]);
	plan.tried = memory_array(parts, sizeof(*plan.tried));
	plan.tried_places = memory_array(parts, sizeof(*plan.tried_places));
	plan.detectors = memory_array(parts, sizeof(*plan.detectors));
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < finding_part_count(findings[i]); k++)
			plan_part(&plan, analysis, finding_part(findings[i], k),
				  (size_t)(findings[i] - analysis->findings.items) + 1);
	for (size_t i = 0; i < plan.places.count; i++)
		count_calls(&plan.places.items[i], analysis->whole);
	return plan;
}

void trial_plan_free(struct trial_plan *plan)
{
	for (size_t i = 0; i < plan->parts.count; i++)
		free(plan->parts.items[i].refusal);
	for (size_t i = 0; i < plan->tried_count; i++) {
		free(plan->tried[i].instances);
		free(plan->tried_places[i]);
	}
	free(plan->tried);
	free(plan->tried_places);
	free(plan->detectors);
	vector_free(&plan->parts);
	vector_free(&plan->places);
}

/* A copy with the instances that were made, which the caller frees. */
static struct finding keep_made(const struct trial_plan *plan, size_t index, const bool *is_made)
{
	const struct finding *tried = &plan->tried[index];
	struct finding made = *tried;

	made.instances = memory_array(tried->instance_count, sizeof(*made.instances));
	made.instance_count = 0;
	for (size_t i = 0; i < tried->instance_count; i++)
		if (!is_made || is_made[plan->tried_places[index][i]])
			made.instances[made.instance_count++] = tried->instances[i];
	return made;
}

struct stated trial_plan_predict(const struct trial_plan *plan, const struct analysis *analysis,
				 const bool *is_made)
{
	struct finding *made = memory_array(plan->tried_count, sizeof(*made));
	const struct finding **findings = memory_array(plan->tried_count, sizeof(*findings));
	struct stated saved;
	size_t count = 0;

	for (size_t i = 0; i < plan->tried_count; i++) {
		made[i] = keep_made(plan, i, is_made);
		if (made[i].instance_count)
			findings[count++] = &made[i];
	}
	saved = whatif_replay(analysis, findings, count).saved;
	for (size_t i = 0; i < plan->tried_count; i++)
		free(made[i].instances);
	free(findings);
	free(made);
	return saved;
}

bool trial_plan_fill(const struct trial_plan *plan, bool is_fixed, struct trial_page *page)
{
	if (plan->places.count > TRIAL_MOST_SITES)
		return false;
	page->version = TRIAL_VERSION;
	page->applies = is_fixed;
	page->has_unseen_work = plan->has_unseen_work;
	page->has_unseen_copies = plan->has_unseen_copies;
	page->site_count = (uint32_t)plan->places.count;
	for (size_t i = 0; i < plan->places.count; i++) {
		const struct trial_place *place = &plan->places.items[i];
		struct trial_site *site = &page->sites[i];
		const struct trace_frame *caller = place->call ? caller_of(place->call) : NULL;
		const char *slash = caller ? strrchr(caller->module, '/') : NULL;
		const char *module = slash ? slash + 1 : caller ? caller->module : "";

		if (strlen(module) >= sizeof(site->module))
			return false;
		memcpy(site->module, module, strlen(module) + 1);
		site->offset = caller ? caller->offset : place->value;
		site->fix = place->fix;
	}
	return true;
}

bool trial_plan_needs_touch(const struct trial_plan *plan)
{
	for (size_t i = 0; i < plan->places.count; i++)
		if (plan->places.items[i].fix == TRIAL_PINNED_SOURCE ||
		    plan->places.items[i].fix == TRIAL_PINNED_RESULT)
			return true;
	return false;
}

struct trial_environment trial_plan_environment(const struct trial_plan *plan)
{
	static const struct {
		enum trial_fix fix;
		const char *name, *value;
	} variables[TRIAL_MOST_VARIABLES] = {
		{TRIAL_EAGER_LOADING, "CUDA_MODULE_LOADING", "EAGER"},
		{TRIAL_MORE_CONNECTIONS, "CUDA_DEVICE_MAX_CONNECTIONS", "32"},
	};
	struct trial_environment environment = {{NULL}};
	size_t words = 0;

	for (size_t i = 0; i < TRIAL_MOST_VARIABLES && variables[i].name; i++)
		for (size_t k = 0; k < plan->places.count; k++)
			if (plan->places.items[k].fix == variables[i].fix) {
				environment.words[words++] = variables[i].name;
				environment.words[words++] = variables[i].value;
			}
	return environment;
}

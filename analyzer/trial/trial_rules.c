#include "trial/trial_rules.h"

#include "detectors/copies/pageable_copies.h"
#include "detectors/detector.h"
#include "detectors/memory/pool_trims.h"

#include <stdlib.h>
#include <string.h>

/* As many as CUDA takes for CUDA_DEVICE_MAX_CONNECTIONS. */
enum { CONNECTIONS_MOST = 32 };

static bool is_call_of(const struct trace_call *call, const char *name)
{
	return !strcmp(call->form->function->name, name);
}

/* Registering memory takes as long as some copies of it. */
enum { IN_PLACE_LEAST_COPIES = 4 };

/* Whether the finding's copies use each memory again and again. */
static bool uses_memory_again(const struct finding *finding)
{
	size_t again = 0;

	for (size_t i = 0; i < finding->instance_count; i++)
		again += pageable_copy_of(&finding->instances[i]).before != NULL;
	return again && again >= (IN_PLACE_LEAST_COPIES - 1) * (finding->instance_count - again);
}

static const char *choose_of_result(const struct trial_rules *rules,
				    const struct instance *instance, struct trial_choice *choice)
{
	/* The copies before went to memory that was freed since, if this one's was new. */
	if (!rules->uses_memory_again ||
	    (pageable_copy_of(instance).before &&
	     pageable_is_to_new(rules->analysis->observed.model, instance)))
		return "its results go to new memory, which would take longer to pin than a copy";
	*choice = (struct trial_choice){.fix = TRIAL_PINNED_RESULT, .call = instance->call};
	return NULL;
}

static const char *choose_of_copy(const struct trial_rules *rules, const struct instance *instance,
				  struct trial_choice *choice)
{
	if (pageable_copy_of(instance).filled_ns)
		return "its source is pinned already: the framework copied the data first";
	if (!is_call_of(instance->call, "cudaMemcpy") &&
	    !is_call_of(instance->call, "cudaMemcpyAsync"))
		return "only cudaMemcpy and cudaMemcpyAsync can be tried";
	if (instance->operation->form->engine == ENGINE_D2H)
		return choose_of_result(rules, instance, choice);
	*choice = (struct trial_choice){.fix = rules->uses_memory_again ? TRIAL_PINNED_SOURCE
									: TRIAL_PINNED_RING,
					.call = instance->call};
	return NULL;
}

static const char *choose_held_free(const struct trace_call *release, struct trial_choice *choice)
{
	if (!is_call_of(release, "cudaFree"))
		return "only cudaFree can be tried";
	*choice = (struct trial_choice){.fix = TRIAL_HELD_FREE, .call = release};
	return NULL;
}

static const char *choose_of_free_sync(const struct trial_rules *rules,
				       const struct instance *instance, struct trial_choice *choice)
{
	(void)rules;
	return choose_held_free(instance->call, choice);
}

static const char *choose_of_alloc(const struct trial_rules *rules, const struct instance *instance,
				   struct trial_choice *choice)
{
	(void)rules;
	if (pool_trims_is_one(instance)) {
		*choice = (struct trial_choice){.fix = TRIAL_POOL_THRESHOLD};
		return NULL;
	}
	if (!is_call_of(instance->call, "cudaMalloc"))
		return "only cudaMalloc can be tried";
	return choose_held_free(pool_trims_release(instance), choice);
}

static const char *choose_dropped_wait(const struct trial_rules *rules,
				       const struct instance *instance, struct trial_choice *choice)
{
	(void)rules;
	if (instance->host_function || (!is_call_of(instance->call, "cudaDeviceSynchronize") &&
					!is_call_of(instance->call, "cudaStreamSynchronize")))
		return "only cudaDeviceSynchronize and cudaStreamSynchronize can be tried";
	*choice = (struct trial_choice){.fix = TRIAL_DROPPED_WAIT, .call = instance->call};
	return NULL;
}

static const char *choose_prefetch(const struct trial_rules *rules, const struct instance *instance,
				   struct trial_choice *choice)
{
	const struct trace_call *launch = instance->site_call;

	if (launch->form->function->class != CLASS_LAUNCH)
		return "only launches of single kernels can be tried, not of graphs";
	if (!rules->analysis->whole->sees_arguments)
		return "launch arguments are not recorded";
	if (!launch->form->arguments)
		return "no argument of its kernels is known to be a pointer";
	*choice = (struct trial_choice){.fix = TRIAL_PREFETCH, .call = launch};
	return NULL;
}

static const char *choose_eager_loading(const struct trial_rules *rules,
					const struct instance *instance,
					struct trial_choice *choice)
{
	(void)rules;
	(void)instance;
	*choice = (struct trial_choice){.fix = TRIAL_EAGER_LOADING};
	return NULL;
}

static const char *choose_connections(const struct trial_rules *rules,
				      const struct instance *instance, struct trial_choice *choice)
{
	const char *set = trace_metadata(rules->analysis->whole, "cuda_device_max_connections");

	(void)instance;
	if (set && strtol(set, NULL, 10) >= CONNECTIONS_MOST)
		return "CUDA_DEVICE_MAX_CONNECTIONS is 32 already";
	*choice = (struct trial_choice){.fix = TRIAL_MORE_CONNECTIONS};
	return NULL;
}

/* The most that a kernel of the run takes, bytes a thread. */
static const char *choose_stack_limit(const struct trial_rules *rules,
				      const struct instance *instance, struct trial_choice *choice)
{
	const struct trace *trace = rules->analysis->whole;
	uint64_t most = 0;

	(void)instance;
	for (size_t i = 0; i < trace->operation_count; i++)
		if (trace->operations[i].form->local_bytes_per_thread > most)
			most = trace->operations[i].form->local_bytes_per_thread;
	if (!most)
		return "the trace lacks the local memory of its kernels";
	*choice = (struct trial_choice){.fix = TRIAL_STACK_LIMIT, .value = most};
	return NULL;
}

static const struct {
	const char *id;
	const char *(*choose)(const struct trial_rules *rules, const struct instance *instance,
			      struct trial_choice *choice);
} rows[] = {
	{"pageable-copy", choose_of_copy},    {"pageable-blocking", choose_of_copy},
	{"free-sync", choose_of_free_sync},   {"alloc-in-loop", choose_of_alloc},
	{"lazy-load", choose_eager_loading},  {"queue-alias", choose_connections},
	{"stack-resize", choose_stack_limit}, {"sync-in-loop", choose_dropped_wait},
	{"managed-fault", choose_prefetch},
};

struct trial_rules trial_rules_of(const struct analysis *analysis, const struct finding *finding)
{
	struct trial_rules rules = {.analysis = analysis};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (!strcmp(rows[i].id, finding->id))
			rules.choose = rows[i].choose;
	rules.uses_memory_again = rules.choose == choose_of_copy && uses_memory_again(finding);
	return rules;
}

const char *trial_rules_choose(const struct trial_rules *rules, const struct instance *instance,
			       struct trial_choice *choice)
{
	return rules->choose ? rules->choose(rules, instance, choice)
			     : "its fix cannot be made in a running program";
}

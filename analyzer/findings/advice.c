#include "findings/advice.h"

#include "base/thresholds.h"
#include "detectors/detector.h"

#include <string.h>

static const struct advice table[] = {
#define ADVICE(id, framework, situation, fix, relies_on, price)                                    \
	{id, FRAMEWORK_##framework, SITUATION_##situation, fix, relies_on, price, false},
#define ADVICE_OF_STEP(id, framework, situation, fix, relies_on, price)                            \
	{id, FRAMEWORK_##framework, SITUATION_##situation, fix, relies_on, price, true},
#include "findings/advice.def"
#undef ADVICE_OF_STEP
#undef ADVICE
};

#define ADVICE_COUNT (sizeof(table) / sizeof(*table))

const struct advice *advice_find(const char *id, enum framework framework, enum situation situation)
{
	const struct advice *any = NULL;

	for (size_t i = 0; i < ADVICE_COUNT; i++) {
		if (table[i].framework != framework || strcmp(table[i].id, id) != 0)
			continue;
		if (table[i].situation == situation)
			return &table[i];
		if (table[i].situation == SITUATION_ANY)
			any = &table[i];
	}
	return any;
}

bool advice_is_of_step(const char *id, const char *relies_on)
{
	for (size_t i = 0; i < ADVICE_COUNT; i++)
		if (table[i].is_of_step && !strcmp(table[i].id, id) && table[i].relies_on &&
		    !strcmp(table[i].relies_on, relies_on))
			return true;
	return false;
}

static enum situation situation_of_copy(const struct trace_operation *operation)
{
	if (operation->form->kind != OPERATION_COPY)
		return SITUATION_ANY;
	if (operation->form->engine == ENGINE_H2D)
		return SITUATION_TO_DEVICE;
	if (operation->form->engine == ENGINE_D2H)
		return operation->form->size_bytes <= COPY_SMALL_BYTES ? SITUATION_SCALAR
								       : SITUATION_TO_HOST;
	return SITUATION_ANY;
}

static bool is_kernel(const struct trace_operation *operation)
{
	return operation && operation->form->kind == OPERATION_KERNEL;
}

/* The copy that the call made, or the work that it or a host function waited for. */
static enum situation situation_of_instance(const struct instance *instance)
{
	const struct trace_operation *operation =
		instance->call && !instance->host_function ? instance->call->operation : NULL;

	if (!instance->call && is_kernel(instance->operation) && is_kernel(instance->cause))
		return SITUATION_KERNELS;
	if (!operation)
		operation = instance->cause;
	return operation ? situation_of_copy(operation) : SITUATION_ANY;
}

/* That of more than half of the instances. */
static enum situation situation_of(const struct finding *finding)
{
	size_t counts[SITUATION_KERNELS + 1] = {0};

	for (size_t i = 0; i < finding->instance_count; i++)
		counts[situation_of_instance(&finding->instances[i])]++;
	for (enum situation situation = SITUATION_TO_DEVICE; situation <= SITUATION_KERNELS;
	     situation++)
		if (counts[situation] * 2 > finding->instance_count)
			return situation;
	return SITUATION_ANY;
}

void advice_give(struct finding *finding)
{
	enum framework framework = finding->site.framework;
	enum situation situation = situation_of(finding);
	const struct advice *advice = advice_find(finding->id, framework, situation);

	if (!advice)
		return;
	/* Fewer copies, where the detector's fix makes them faster. */
	finding->is_other_advice = advice->fix && situation == SITUATION_SCALAR;
	if (advice->fix)
		finding->fix = advice->fix;
	finding->relies_on = advice->relies_on;
	finding->price = advice->price;
	finding->is_of_step = advice->is_of_step;
}

#include "detectors/host/host_room.h"

#include "base/thresholds.h"

#include <stdlib.h>

/* A number of processors; 0: the trace does not tell. */
static double number_of(const struct trace *trace, const char *key)
{
	const char *text = trace_metadata(trace, key);
	const double number = text ? strtod(text, NULL) : 0;

	return number > 0 && number <= SPIN_MOST_CPUS ? number : 0;
}

/* Processors in use on average, by whomever: that of the thread that makes the calls among them. */
static double used_cpus(const struct trace *trace)
{
	const double used = number_of(trace, "host_used_cpus");

	return used > 1 ? used : 1;
}

double host_room_cpus(const struct trace *trace)
{
	const double known = number_of(trace, "host_cpus"),
		     quota = number_of(trace, "host_quota_cpus");
	double cpus = known >= 1 ? known : (double)WORKERS_UNKNOWN_CPUS;

	if (quota > 0 && quota < cpus)
		cpus = quota;
	return cpus > used_cpus(trace) ? cpus - used_cpus(trace) : 0;
}

double host_room_others(const struct trace *trace)
{
	const double others = used_cpus(trace) - 1;

	return others > 1 ? others : 1;
}

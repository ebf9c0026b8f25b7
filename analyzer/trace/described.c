/* Results for call sites, kept: a finding asks for each of its calls, and thousands are of one
 * site. */
#include "base/mix.h"
#include "trace/site.h"
#include "trace/trace_private.h"

#include <pthread.h>

/* Of all traces. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static bool is_of_trace(const struct trace *trace, const struct trace_site *site)
{
	return trace && site && trace->private && site >= trace->sites &&
	       site < trace->sites + trace->site_count;
}

static struct site describe_site(const struct trace *trace, const struct trace_site *site,
				 const char *kernel)
{
	struct trace_private *private = trace->private;
	const uint64_t key = mix(mix(0, (uintptr_t)site), (uintptr_t)kernel);
	const size_t index = map_find(&private->described_map, key);
	struct described *described;

	if (index == MAP_NONE) {
		map_add(&private->described_map, key, private->described.count);
		described = vector_add(&private->described);
		*described =
			(struct described){site, kernel, site_describe_anew(trace, site, kernel)};
		return described->as;
	}
	described = &private->described.items[index];
	return described->site == site && described->kernel == kernel
		       ? described->as
		       : site_describe_anew(trace, site, kernel);
}

struct site site_describe(const struct trace *trace, const struct trace_site *site,
			  const char *kernel)
{
	struct site described;

	if (!is_of_trace(trace, site))
		return site_describe_anew(trace, site, kernel);
	pthread_mutex_lock(&lock);
	described = describe_site(trace, site, kernel);
	pthread_mutex_unlock(&lock);
	return described;
}

void site_forget_described(struct trace *trace)
{
	vector_free(&trace->private->described);
	map_free(&trace->private->described_map);
}

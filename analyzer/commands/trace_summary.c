#include "commands/trace_summary.h"

#include "commands/measure.h"
#include "commands/tool_numbers.h"
#include "render/incident_text.h"

#include <stdlib.h>
#include <string.h>

static void add_incident(struct summary *summary, const struct trace *trace)
{
	struct incident *incident = incident_make(trace);
	char *text = incident ? incident_text(incident) : NULL;
	char *why = incident ? incident_text_cause(incident) : NULL;

	if (incident)
		summary_set_incident(summary, incident, text, why);
	incident_free(incident);
	free(why);
	free(text);
}

struct summary *trace_summary_make(struct trace *trace, bool is_exact)
{
	struct measuring measuring = measure_begin(true);
	struct analysis *analysis;
	struct summary *summary;

	measure_apply(&measuring, trace, NULL);
	tool_numbers_apply(trace, false, NULL);
	measure_free(&measuring);
	analysis = is_exact ? analysis_run(trace) : analysis_run_sampled(trace);
	summary = summary_of_analysis(trace, analysis);
	add_incident(summary, trace->whole ? trace->whole : trace);
	analysis_free(analysis);
	return summary;
}

char *trace_summary_name(const char *folder, const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	size_t length = strlen(name), before = (size_t)(name - path);

	if (length > 3 && strcmp(name + length - 3, ".db") == 0)
		length -= 3;
	if (*folder)
		return memory_format("%s/%.*s.summary.db", folder, (int)length, name);
	return memory_format("%.*s%.*s.summary.db", (int)before, path, (int)length, name);
}

bool trace_summary_write(const struct summary *summary, const char *folder, const char *path,
			 char **error)
{
	char *name, *why = NULL;
	bool ok;

	if (!folder)
		return true;
	name = trace_summary_name(folder, path);
	ok = !summary_write(summary, name, &why);
	if (!ok)
		*error = memory_format("%s cannot be written: %s", name, why);
	free(why);
	free(name);
	return ok;
}

#include "render/job_incident_text.h"

#include "base/format.h"
#include "base/memory.h"
#include "render/table.h"

#include <ctype.h>
#include <stdlib.h>

enum { GAP = 2 };

/* "rank 3", or "process 4242". malloc'ed. */
static char *member_name(const struct job_member *member)
{
	const struct summary *summary = member->summary;

	return summary->rank != SUMMARY_NO_RANK
		       ? memory_format("rank %lld", (long long)summary->rank)
		       : memory_format("process %lld", (long long)summary->process_id);
}

static const char *noun_of(const struct job_incident *incident)
{
	return incident->members[0]->summary->rank != SUMMARY_NO_RANK ? "ranks" : "processes";
}

/* Of a process alone its own sentence. */
static char *text_alone(const struct job_incident *incident)
{
	char *name = member_name(incident->members[0]);
	char *text = memory_format("%s: %s", name, incident->members[0]->summary->incident.text);

	free(name);
	return text;
}

char *job_incident_text(const struct job_incident *incident)
{
	struct format step, count;
	char *name, *text;

	if (incident->count == 1)
		return text_alone(incident);
	format_count(&step, (uint64_t)incident->step);
	format_count(&count, incident->count);
	if (!incident->first)
		return memory_format(
			"step %s was slow on %s %s: each waited for the device, and none was "
			"late by itself",
			step.text, count.text, noun_of(incident));
	name = member_name(incident->first);
	text = memory_format("step %s was slow on %s %s: %s was late first, by %s", step.text,
			     count.text, noun_of(incident), name,
			     incident->first->summary->incident.why
				     ? incident->first->summary->incident.why
				     : "time of its own");
	free(name);
	return text;
}

static char *time_or_none(int64_t ns)
{
	struct format time;

	return memory_format("%s", ns < 0 ? "-" : format_time(&time, ns));
}

static void add_member(struct table *table, const struct page *page,
		       const struct job_member *member)
{
	const struct summary_incident *incident = &member->summary->incident;
	char *name = member_name(member), *took = time_or_none(incident->step_ns);
	char *extra = time_or_none(incident->extra_ns), *own = time_or_none(incident->own_ns);
	char *late = time_or_none(incident->own_ns > 0 ? incident->late_ns : -1);
	char *why = page_text(page, incident->why ? incident->why : incident->text);
	const char *const cells[] = {name, took, extra, own, late, why};

	table_add_row(table, cells);
	free(why);
	free(late);
	free(own);
	free(extra);
	free(took);
	free(name);
}

static bool print_members(const struct page *page, const struct job_incident *incident)
{
	static const char *const names[] = {"process", "took", "more", "of its own", "from", "why"};
	struct table table = table_open(page->out, page->table_width);

	table_set_gap(&table, GAP);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		table_add_column(&table, names[i], i > 0 && i < 5);
	for (size_t i = 0; i < incident->count; i++)
		add_member(&table, page, incident->members[i]);
	return table_print(&table);
}

bool print_job_incidents(const struct page *page, const struct job_report *report)
{
	bool ok = true;

	for (size_t i = 0; i < report->incidents.count; i++) {
		const struct job_incident *incident = &report->incidents.items[i];
		char *text = job_incident_text(incident);

		if (incident->count > 1)
			*text = (char)toupper((unsigned char)*text);
		page_set_style(page, PAGE_STRONG);
		print_wrapped(page, NULL, 0, text);
		page_set_style(page, PAGE_PLAIN);
		free(text);
		if (incident->count > 1)
			ok &= print_members(page, incident);
		fputc('\n', page->out);
	}
	return ok;
}

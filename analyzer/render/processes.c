#include "render/processes.h"

#include "base/memory.h"
#include "render/figures.h"
#include "render/finding_table.h"
#include "render/render.h"

#include <stdlib.h>

/* Of a process in the list. */
#define NAME_WIDTH 24

struct processes {
	struct page page;    /* of the list */
	struct page reports; /* the same, in memory */
	char *text;
	size_t size, count;
	struct finding_table *table;
};

struct processes *processes_create(FILE *out)
{
	struct processes *processes = memory_array(1, sizeof(*processes));

	processes->page = page_open(out);
	processes->reports = processes->page;
	processes->reports.out = open_memstream(&processes->text, &processes->size);
	if (!processes->reports.out) {
		free(processes);
		return NULL;
	}
	processes->table = finding_table_create();
	return processes;
}

bool processes_add(struct processes *processes, const struct trace *trace,
		   const struct analysis *analysis, bool all)
{
	char *name = figures_process(trace);
	char *column = page_cut_end(&processes->page, name, NAME_WIDTH);
	bool ok;

	if (processes->count++)
		fputc('\n', processes->reports.out);
	page_set_style(&processes->reports, PAGE_STRONG);
	print_formatted(&processes->reports, NULL, 0, "%s: %s", name, trace->path);
	page_set_style(&processes->reports, PAGE_PLAIN);
	ok = render_page(&processes->reports, trace, analysis, all);
	finding_table_add(processes->table, trace, analysis, all, column);
	free(column);
	free(name);
	return ok;
}

bool processes_print(struct processes *processes)
{
	bool ok = !fclose(processes->reports.out), has_list = processes->count > 1;

	if (ok && has_list) {
		print_formatted(&processes->page, NULL, 0, "%zu processes", processes->count);
		fputc('\n', processes->page.out);
		ok = finding_table_print(processes->table, &processes->page);
		fputc('\n', processes->page.out);
	}
	if (ok)
		fwrite(processes->text, 1, processes->size, processes->page.out);
	finding_table_free(processes->table);
	free(processes->text);
	free(processes);
	return ok;
}

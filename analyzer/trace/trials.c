/* Fixes that were tried in the running program (trials). */
#include "base/memory.h"
#include "trace/database.h"
#include "trace/loader.h"
#include "trace/rows.h"

/* The rows of a trial are one behind the other. */
static void count_others(struct trace_trial *trials, size_t count)
{
	size_t first = 0;

	for (size_t i = 0; i < count; i++) {
		if (trials[i].trial != trials[first].trial)
			first = i;
		trials[i].others = i - first;
	}
	for (size_t i = count; i-- > 1;)
		if (trials[i - 1].trial == trials[i].trial)
			trials[i - 1].others = trials[i].others;
}

void trace_read_trials(struct trace_loader *loader)
{
	VECTOR(struct trace_trial) trials = {0};
	struct trials_row row;
	struct rows rows;

	rows_open(&rows, &loader->database, TABLE_trials, "ORDER BY id");
	while (rows_next_trials(&rows, &row))
		*vector_add(&trials) = (struct trace_trial){
			.trial = row.trial,
			.finding = trace_keep_text(loader, row.finding),
			.place = trace_keep_text(loader, row.place),
			.fix = trace_keep_text(loader, row.fix),
			.verdict = trace_keep_text(loader, row.verdict),
			.outcome = trace_keep_text(loader, row.outcome),
			.predicted_low_ns = row.predicted_low_ns,
			.predicted_ns = row.predicted_ns,
			.predicted_high_ns = row.predicted_high_ns,
			.has_saving = row.tried_ns != ROW_NULL,
			.tried_low_ns = row_or(row.tried_low_ns, 0),
			.tried_ns = row_or(row.tried_ns, 0),
			.tried_high_ns = row_or(row.tried_high_ns, 0),
		};
	rows_close(&rows);
	count_others(trials.items, trials.count);
	vector_move(&trials, loader->trace->trials, loader->trace->trial_count);
}

static void store_trial(struct query *query, const struct trace_trial *row, bool is_first)
{
	const int64_t absent = row->has_saving ? ROW_NULL : 0;

	query_bind_integer(query, ":first", is_first);
	query_bind_text(query, ":finding", row->finding);
	query_bind_text(query, ":place", row->place);
	query_bind_text(query, ":fix", row->fix);
	query_bind_text(query, ":verdict", row->verdict);
	query_bind_text(query, ":outcome", row->outcome);
	query_bind_integer(query, ":predicted_low", row->predicted_low_ns);
	query_bind_integer(query, ":predicted", row->predicted_ns);
	query_bind_integer(query, ":predicted_high", row->predicted_high_ns);
	query_bind_value(query, 10, row->tried_low_ns, absent);
	query_bind_value(query, 11, row->tried_ns, absent);
	query_bind_value(query, 12, row->tried_high_ns, absent);
	query_next(query);
}

int trace_store_trials(struct trace *trace, const struct trace_trial *rows, size_t count,
		       char **error)
{
	struct database database;
	struct query query;

	bool has_table;

	database_open_write(&database, trace->file);
	has_table = !database.error && rows_has_table(&database, TABLE_trials);
	if (has_table) {
		query_open(&query, &database, "trials",
			   "INSERT INTO trials (trial, finding, place, fix, verdict, outcome, "
			   "predicted_low_ns, predicted_ns, predicted_high_ns, tried_low_ns, "
			   "tried_ns, tried_high_ns) VALUES ("
			   "min((SELECT coalesce(max(trial), 0) FROM trials) + :first, "
			   "2147483647), :finding, "
			   ":place, :fix, :verdict, :outcome, :predicted_low, :predicted, "
			   ":predicted_high, ?10, ?11, ?12)");
		for (size_t i = 0; i < count; i++)
			store_trial(&query, &rows[i], i == 0);
		query_close(&query);
	}
	database_commit(&database);
	*error = database_close(&database);
	if (!*error && !has_table)
		*error = memory_format("%s: its format has no table for it", trace->path);
	return *error ? -1 : 0;
}

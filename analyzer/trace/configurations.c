#include "trace/configurations.h"

void configurations_read(struct configurations *configurations, struct database *database)
{
	struct kernel_configurations_row row;
	struct rows rows;

	*configurations = (struct configurations){0};
	rows_open(&rows, database, TABLE_kernel_configurations, "");
	while (rows_next_kernel_configurations(&rows, &row)) {
		map_set(&configurations->map, (uint64_t)row.id, configurations->rows.count);
		*vector_add(&configurations->rows) = row;
	}
	rows_close(&rows);
}

const struct kernel_configurations_row *
configurations_find(const struct configurations *configurations, int64_t id)
{
	const size_t index = map_find(&configurations->map, (uint64_t)id);

	return index == MAP_NONE ? NULL : &configurations->rows.items[index];
}

void configurations_free(struct configurations *configurations)
{
	vector_free(&configurations->rows);
	map_free(&configurations->map);
}

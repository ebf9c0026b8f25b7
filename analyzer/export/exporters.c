#include "export/exporters.h"

#include <string.h>

static const struct exporter *const exporters[] = {
#define EXPORTER(name) &exporter_##name,
#include "export/exporters.def"
#undef EXPORTER
};

const struct exporter *export_find(const char *name)
{
	for (size_t i = 0; i < sizeof(exporters) / sizeof(*exporters); i++)
		if (!strcmp(exporters[i]->name, name))
			return exporters[i];
	return NULL;
}

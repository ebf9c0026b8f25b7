#include "render/gate.h"

#include <string.h>

gate_printer gate_find_printer(const char *format)
{
	static const struct {
		const char *name;
		gate_printer print;
	} formats[] = {
#define GATE_FORMAT(name) {#name, gate_print_##name},
#include "render/gate_formats.def"
#undef GATE_FORMAT
	};

	for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++)
		if (!strcmp(formats[i].name, format))
			return formats[i].print;
	return NULL;
}

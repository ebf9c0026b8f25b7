/* The images of device code that the program loaded at run time (code_images). */
#include "trace/loader.h"
#include "trace/trace_private.h"

#include <string.h>

void trace_read_code_images(struct trace_loader *loader)
{
	struct code_images_row row;
	struct rows rows;

	rows_open(&rows, &loader->database, TABLE_code_images, "ORDER BY id");
	while (rows_next_code_images(&rows, &row)) {
		char *bytes = arena_alloc(loader->arena, row.image.count);

		memcpy(bytes, row.image.start, row.image.count);
		*vector_add(&loader->trace->private->images) =
			(struct kernel_image){bytes, row.image.count};
	}
	rows_close(&rows);
}

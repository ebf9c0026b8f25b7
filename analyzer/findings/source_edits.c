#include "findings/source_edits.h"

#include <stdlib.h>

void source_edits_free(struct source_edits *edits)
{
	if (!edits)
		return;
	arena_free(&edits->arena);
	free(edits->items);
	free(edits);
}

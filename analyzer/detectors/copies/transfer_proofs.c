#include "detectors/copies/transfer_proofs.h"

#include "base/memory.h"
#include "base/thresholds.h"

#include <stdlib.h>

/* Of a call site's copies: pairs of which all bytes were compared. */
struct line {
	size_t equal, different;
};

/* By transfer_group.line; freed with free(). */
static struct line *count_lines(const struct transfers *found, size_t line_count)
{
	struct line *lines = memory_array(line_count, sizeof(*lines));

	for (size_t i = 0; i < found->groups.count; i++) {
		const struct transfer_group *group = &found->groups.items[i];

		lines[group->line].equal += group->equal;
		lines[group->line].different += group->different;
	}
	return lines;
}

/* Of a pair of which only the lines were compared, what others say of which all bytes were. */
static enum content_proof settled_proof(const struct transfer *transfer,
					const struct transfer_group *group, const struct line *line,
					const struct host_trips *trips)
{
	if (transfer->kind == TRANSFER_MOVED)
		return host_trips_settled(trips, group->line, transfer->proof);
	if (transfer->proof != PROOF_LINES)
		return transfer->proof;
	if (group->different || group->equal)
		return group->different ? PROOF_AGAINST : PROOF_WHOLE;
	return line->equal && !line->different && group->again >= TYPICAL_LEAST_TIMES ? PROOF_LIKELY
										      : PROOF_LINES;
}

void transfer_proofs_settle(struct transfers *found, size_t line_count,
			    const struct host_trips *trips)
{
	struct line *lines = count_lines(found, line_count);
	size_t kept = 0;

	for (size_t i = 0; i < found->all.count; i++) {
		struct transfer *transfer = &found->all.items[i];
		struct transfer_group *group = &found->groups.items[transfer->group];

		transfer->proof = settled_proof(transfer, group, &lines[group->line], trips);
		if (transfer->proof != PROOF_AGAINST)
			found->all.items[kept++] = *transfer;
		else if (!transfer->is_unseen)
			group->again--;
	}
	found->all.count = kept;
	free(lines);
}

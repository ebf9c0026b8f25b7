/*
 * Decides about transfers of which only some lines of bytes were compared, by those of the same call
 * site of which all bytes were. For transfers_find() alone. One thread.
 */
#ifndef STREAMTRACE_TRANSFER_PROOFS_H
#define STREAMTRACE_TRANSFER_PROOFS_H

#include "detectors/copies/host_trips.h"
#include "detectors/copies/transfers.h"

/* Sets the proof of each transfer in found->all. Drops the transfers that are disproved, and takes
 * them from `again` of their groups. Call once, when all transfers and groups are known. line_count:
 * the number of call sites, above all transfer_group.line. */
void transfer_proofs_settle(struct transfers *found, size_t line_count,
			    const struct host_trips *trips);

#endif

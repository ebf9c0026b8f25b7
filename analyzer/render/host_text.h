/*
 * Says what the program's host threads did (model/host_record.h), in the words of who wrote the program. The caller
 * frees each text. One thread.
 */
#ifndef STREAMTRACE_HOST_TEXT_H
#define STREAMTRACE_HOST_TEXT_H

#include "replay/host_idle.h"

/* What is printed of a trace's host states. */
struct host_texts {
	const struct trace *trace;
	const struct host_record *record;
	bool is_brief; /* no folders but a line's last, no function beside a line, no "main thread" */
};

/* "augment.py:41 prepare"; code without a line: "blas_thread_server in libopenblas.so". */
char *host_place(const struct host_texts *texts, const struct site *site);

/* "main thread", "thread loader", "3 threads". */
char *host_thread_text(const struct host_texts *texts, uint32_t thread_id, uint32_t thread_count);

/* What the GPU waited for: "waiting for augment.py:41 prepare (NumPy, main thread)", or what its host did instead
 * of running: "waiting for a thread at train.py:30 main (queue.get, main thread)". A wait for threads that one line
 * explains names that line first. */
char *host_row_text(const struct host_texts *texts, const struct host_idle_row *row);

/* The row's line: "augment.py:41 prepare (NumPy, main thread)". row->doing must not be HOST_NOT_SEEN. */
char *host_line_text(const struct host_texts *texts, const struct host_idle_row *row);

/* "augment.py:41 prepare (NumPy, 3 threads)", or "cudaStreamSynchronize at train.py:9 main (main thread)". */
char *host_other_text(const struct host_texts *texts, const struct host_other *other);

/* Who ran during waits for threads: "meanwhile augment.py:41 prepare (NumPy, 3 threads) 62.0 %, no thread that was
 * looked at 38.0 %". NULL: there was no such wait. */
char *host_others_text(const struct host_texts *texts, const struct host_others *others);

/* The same of the row's waits. NULL also if host_row_text() says so. */
char *host_meanwhile_text(const struct host_texts *texts, const struct host_idle_row *row);

/* "running", "waiting for input from pipe", "in the kernel (munmap)", "compiling", "not looked at": the state or
 * action, with what it was for. */
char *host_state_phrase(const struct host_doing *doing);

/* "running", "waiting for a thread", "compiling" and so on; "not known" for HOST_NOT_SEEN and HOST_ACTION_UNKNOWN.
 * Static. */
const char *host_state_text(const struct host_texts *texts, uint32_t doing);

#endif

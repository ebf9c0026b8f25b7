/*
 * Runs this program's own commands as processes of their own, so that one that crashes, takes all memory or is cancelled
 * takes nothing else with it. One thread; the caller has SIGCHLD blocked.
 */
#ifndef STREAMTRACE_MCP_PROCESS_H
#define STREAMTRACE_MCP_PROCESS_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* The last bytes of what a process wrote. */
struct kept {
	char *bytes;
	size_t size, most;
	bool is_cut; /* there were more */
};

struct process {
	pid_t id;
	int out, errors; /* the ends of pipes to read from; -1: closed */
	struct kept output, messages;
	int status;	 /* as a shell has it: 128 + N after signal N */
	int64_t kill_ms; /* when SIGKILL follows SIGTERM; 0: not stopped */
};

/* The clock of all times here, in ms. */
int64_t process_now_ms(void);

/* Starts `streamtrace WORDS...` in the folder, with no input. Of its output the last most_output bytes are kept. The
 * process gets SIGTERM when this one ends. False: it was not started, and errno says why. End with process_free(). */
bool process_start(struct process *process, char *const *words, const char *folder,
		   size_t most_output);

/* Reads what is there from out and errors, and closes what has ended. */
void process_read(struct process *process);

/* Whether the process has ended; process->status is then set, and nothing more can be read. */
bool process_has_ended(struct process *process);

/* Ends the process and all that it started: by SIGTERM, and by SIGKILL where that is not enough, which the next calls of
 * process_press() do in time. */
void process_stop(struct process *process);
void process_press(struct process *process);

/* Frees what was kept, and closes the pipes. The process must have ended, or never have been started. */
void process_free(struct process *process);

#endif

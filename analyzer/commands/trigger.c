#include "commands/command.h"
#include "commands/watch_pages.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum {
	FILE_MODE = 0600,
	LOOK_NS = 100000000,
	/* The library looks twice a second. */
	SEEN_LOOKS = 50,
	/* An incident records 2 s of the device or some steps, and is written. */
	WRITTEN_LOOKS = 600,
};

/* Whether a trigger is there that the library has not seen yet: a file with content is somebody's own. */
static bool is_waiting(const char *path)
{
	struct stat status;

	return !lstat(path, &status) && S_ISREG(status.st_mode) && !status.st_size;
}

/* Never over what is there. Returns EXIT_FINE, or EXIT_UNREADABLE, and why was printed. */
static int make_trigger(const char *path)
{
	int error;

	if (!mknod(path, S_IFREG | FILE_MODE, 0))
		return EXIT_FINE;
	error = errno;
	if (error == EEXIST && is_waiting(path))
		return EXIT_FINE;
	return command_fail(EXIT_UNREADABLE, "%s: %s", path, strerror(error));
}

/* What the page says has happened since. */
enum news { NEWS_NONE, NEWS_SEEN, NEWS_WRITTEN, NEWS_LEFT_OUT, NEWS_ENDED };

static enum news news_of(struct watched_program *program, const struct watch_page *before)
{
	const struct watch_page *now = &program->page;

	if (!watch_pages_renew(program) || !program->is_alive)
		return NEWS_ENDED;
	if (now->triggers_seen == before->triggers_seen)
		return NEWS_NONE;
	if (now->incidents > before->incidents && now->state != WATCH_RECORDING)
		return NEWS_WRITTEN;
	return now->left_out > before->left_out ? NEWS_LEFT_OUT : NEWS_SEEN;
}

static enum news wait_for_news(struct watched_program *program)
{
	const struct watch_page before = program->page;
	const struct timespec pause = {0, LOOK_NS};
	enum news news = NEWS_NONE;

	for (int i = 0; i < WRITTEN_LOOKS; i++) {
		nanosleep(&pause, NULL);
		news = news_of(program, &before);
		if (news > NEWS_SEEN || (news == NEWS_NONE && i >= SEEN_LOOKS))
			break;
	}
	return news;
}

static int say_written(const struct watched_program *program)
{
	const char *slash = strrchr(program->path, '/');

	command_note("wrote %.*s%s", slash ? (int)(slash + 1 - program->path) : 0, program->path,
		     program->page.incident);
	return EXIT_FINE;
}

static int say_news(const struct watched_program *program, enum news news)
{
	const struct watch_page *page = &program->page;

	switch (news) {
	case NEWS_WRITTEN:
		return say_written(program);
	case NEWS_LEFT_OUT:
		return command_fail(EXIT_UNREADABLE, "%d: no incident was written: %s", page->pid,
				    *page->error ? page->error : "no reason is known");
	case NEWS_SEEN:
		command_note("%d: the incident is being written", page->pid);
		return EXIT_FINE;
	case NEWS_ENDED:
		return command_fail(EXIT_UNREADABLE, "%d: the program has ended", page->pid);
	default:
		return command_fail(EXIT_UNREADABLE,
				    "%d: the program does not answer: it is stopped perhaps, and "
				    "makes the incident when it goes on",
				    page->pid);
	}
}

static int trigger_program(struct watched_program *program)
{
	char *path;
	int status;

	if (program->page.state == WATCH_STOPPED)
		return command_fail(EXIT_UNREADABLE, "%d: watching has stopped: %s",
				    program->page.pid, program->page.error);
	path = watch_pages_beside(program, WATCH_TRIGGER_SUFFIX);
	status = make_trigger(path);
	free(path);
	return status == EXIT_FINE ? say_news(program, wait_for_news(program)) : status;
}

static int trigger_main(const struct arguments *arguments)
{
	struct watched_program program;
	char *error;
	int pid, status;

	if (!watch_pages_is_pid(arguments->operands[0], &pid))
		return command_fail(EXIT_USAGE, "%s: is no process's number",
				    arguments->operands[0]);
	program = watch_pages_of_process(pid, &error);
	status = error ? command_fail(EXIT_UNREADABLE, "%s", error) : trigger_program(&program);
	free(error);
	free(program.path);
	return status;
}

const struct command command_trigger = {
	.name = "trigger",
	.summary = "let a program in watch mode write what it has seen",
	.operands = "PID",
	.needs = "a process's number",
	.description = "Lets the process PID, which was started with streamtrace run --watch, "
		       "write its last "
		       "seconds into a trace, and record its next steps with the device; waits for "
		       "that, and says which file it is.",
	.example = "streamtrace trigger 4242",
	.is_one = true,
	.main = trigger_main,
};

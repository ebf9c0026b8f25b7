#include "commands/explain_race.h"

#include "races/races.h"

const struct detector race_topic = {
	.id = "race",
	.title = RACE_TITLE,
	.fix = "Give the order: cudaEventRecord(event, first) behind the first access, "
	       "cudaStreamWaitEvent(second, event) before the second. Where the host writes or "
	       "releases the "
	       "memory, wait for the event there: cudaEventSynchronize().",
};

const struct explained race_explained = {
	.id = "race",
	.what = "Two operations access the same memory, one of them writes it, and nothing makes "
		"one wait for the "
		"other: no stream, no event, no wait of the host. Or memory is released while an "
		"operation may "
		"still use it.",
	.why = "It costs no time. It makes results wrong in one run of many, on another machine, "
	       "or once a wait that "
	       "happened to order both is taken out.",
	.evidence = "The order of each stream, event, wait of the host and of the legacy default "
		    "stream is "
		    "followed. certain (race): the bytes of both are known, and both ran at once. "
		    "possible "
		    "(race-possible): a kernel takes part, or both did not meet in this run. By "
		    "luck (luck): only the "
		    "barrier of the legacy default stream orders them, or a call of another "
		    "purpose that "
		    "happened to wait, such as a copy that was staged or cudaFree().",
	.cost = "None: a race has no saving. It is said beside the findings, and streamtrace check "
		"--deny=race,race-possible,luck fails a build for it.",
	.false_positives = "A kernel that is given a pointer and uses another part of that memory; "
			   "two threads that agree "
			   "by a flag in memory. Both are possible, never certain.",
	.c = "cudaMemcpyAsync(device, in, bytes, cudaMemcpyHostToDevice, copies);\n"
	     "scale<<<grid, block, 0, work>>>(device);  /* another stream */\n"
	     "\n"
	     "/* instead */\n"
	     "cudaMemcpyAsync(device, in, bytes, cudaMemcpyHostToDevice, copies);\n"
	     "cudaEventRecord(copied, copies);\n"
	     "cudaStreamWaitEvent(work, copied, 0);\n"
	     "scale<<<grid, block, 0, work>>>(device);",
	.python = "with torch.cuda.stream(copies):\n"
		  "    x = host.to(\"cuda\", non_blocking=True)\n"
		  "y = model(x)  # another stream\n"
		  "\n"
		  "# instead\n"
		  "with torch.cuda.stream(copies):\n"
		  "    x = host.to(\"cuda\", non_blocking=True)\n"
		  "torch.cuda.current_stream().wait_stream(copies)\n"
		  "x.record_stream(torch.cuda.current_stream())\n"
		  "y = model(x)",
	.samples = "",
};

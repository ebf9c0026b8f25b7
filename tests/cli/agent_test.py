#!/usr/bin/python3
"""An agent's run over `streamtrace mcp`, scripted: agent_test.py STREAMTRACE ROOT [PROGRAM FAKE_CUDA]

From nothing to the proved fix of a sample: record, report, explain, whatif, record the repaired twin, diff. What it asks
next comes from what the tools have returned, and nothing from a page of the docs. PROGRAM is traced on the stand-in for
the GPU in the folder FAKE_CUDA; without one the recording of a sample stands for a traced run of it. Then the script of
docs/use/agents.md is run on the same traces. Exit status: 0 all is well, 1 something is not, which is printed.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

from mcp_client import Client, install

STREAMTRACE, ROOT = map(os.path.abspath, sys.argv[1:3])
PROGRAM = list(map(os.path.abspath, sys.argv[3:]))
TRIES = 10  # on a machine that does much else a run can take far longer than it should
failures = 0


def check(is_right, what):
    global failures
    if not is_right:
        failures += 1
        print("FAILED:", str(what)[:3000])


def command_of(fixed):
    if PROGRAM:
        return [PROGRAM[0]] + ["--fixed"] * fixed
    recording = os.path.join(ROOT, "samples", "recordings", "pageable_copy" + ".fixed" * fixed + ".db")
    return ["sh", "-c", 'cp "$0" "$STREAMTRACE_OUTPUT/app.db" && echo done', recording]


class Agent:
    """Knows the tools by tools/list alone."""

    def __init__(self, client):
        self.client = client
        self.tools = {tool["name"]: tool for tool in client.result("tools/list")["tools"]}

    def use(self, name, **arguments):
        schema = self.tools[name]["inputSchema"]
        check(set(schema["required"]) <= set(arguments) <= set(schema["properties"]), f"{name}: {sorted(arguments)}")
        result = self.client.call(name, **arguments)
        check(not result["isError"], f"{name}: {result}")
        return result["structuredContent"]

    def record(self, fixed):
        recorded = self.use("record", command=command_of(fixed))
        # That the recording is of another run is said, and makes 5 of 0.
        check(recorded["status"] == (0 if PROGRAM else 5) and recorded["output"] == "done", recorded)
        check(len(recorded["traces"]) == 1, recorded)
        return recorded["traces"]

    def read_finding(self, traces):
        """The first finding, what it is, and what its fix saves."""
        finding = self.use("report", traces=traces)["result"]["findings"][0]
        check(finding["fix"] and finding["site"]["file"] and finding["site"]["line"], finding)
        explained = self.use("explain", id=finding["id"])["text"]
        check(explained.startswith(finding["id"] + ": " + finding["title"]) and "Fixes" in explained, explained)
        saved = self.use("whatif", trace=traces[0], apply=["1"])["result"]["saved_ns"]
        check(0 < saved["low"] <= saved["estimate"] <= saved["high"], saved)
        return finding

    def prove(self, finding, base, head):
        """Whether the finding is gone, and how much time with it."""
        compared = self.use("diff", base=base, head=head)
        verdicts = {row["id"]: row["verdict"] for row in compared["result"]["findings"]}
        change = compared["result"]["change"]
        print(f"{finding['id']} is {verdicts.get(finding['id'])}: predicted {change['predicted_ns']}, "
              f"realised {change['realised_ns']}")
        return (verdicts.get(finding["id"]) == "gone" and change["predicted_ns"]["estimate"] > 0 and
                change["realised_ns"]["estimate"] > 0)


def run_agent(program, folder):
    with Client(program, "--allow-run", cwd=folder) as client:
        agent = Agent(client)
        for _ in range(TRIES):
            base = agent.record(fixed=False)
            finding = agent.read_finding(base)
            head = agent.record(fixed=True)
            if agent.prove(finding, base, head):
                break
        else:
            check(False, "the fix is not proved")
        check(finding["id"] not in [one["id"] for one in agent.use("report", traces=head)["result"]["findings"]], finding)
        check(client.close() == (0, ""), "the end")
    return base + head, finding


def run_script(folder, traces, finding):
    """The script in docs/use/agents.md."""
    with open(os.path.join(ROOT, "docs", "use", "agents.md")) as page:
        block = re.search(r"<!-- script:.*?-->\n\n((?:    .*\n|\n)+)", page.read())[1]
    lines = [line[4:] for line in block.rstrip().splitlines()]
    check(len(lines) <= 10, f"{len(lines)} lines")
    script = os.path.join(folder, "loop.py")
    with open(script, "w") as file:
        file.write("\n".join(lines) + "\n")
    environment = {**os.environ, "PATH": os.path.dirname(STREAMTRACE) + ":" + os.environ["PATH"]}
    done = subprocess.run([sys.executable, script, *traces], capture_output=True, text=True, env=environment)
    check(done.returncode == 0 and not done.stderr, done)
    check(finding["id"] in done.stdout and finding["fix"] in done.stdout and
          f"{finding['site']['file']}:{finding['site']['line']}" in done.stdout, done)
    check(re.search(r"\nrealised [1-9][0-9.]* ms; gone: " + finding["id"], done.stdout), done)
    done = subprocess.run([sys.executable, script, traces[0]], capture_output=True, text=True, env=environment)
    check(done.returncode == 0 and finding["fix"] in done.stdout and "realised" not in done.stdout, done)
    done = subprocess.run([sys.executable, script, script], capture_output=True, text=True, env=environment)
    check(done.returncode == 1 and "loop.py: " in done.stderr and "Traceback" not in done.stderr, done)


def check_configuration():
    """The page's snippet is JSON, and names what there is."""
    with open(os.path.join(ROOT, "docs", "use", "agents.md")) as page:
        text = page.read()
    server = json.loads(re.search(r"\n\n((?:    .*\n)+)", text[text.index('"mcpServers"') - 20:])[1])["mcpServers"]["streamtrace"]
    check(server["command"] == "streamtrace" and server["args"][0] == "mcp", server)
    shown = subprocess.run([STREAMTRACE, "mcp", "--help"], capture_output=True, text=True, check=True).stdout
    check(all(word.split("=")[0] in shown for word in server["args"][1:]), server)


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_CACHE_HOME"] = os.path.join(folder, "cache")
        program = STREAMTRACE if PROGRAM else install(STREAMTRACE, os.path.join(folder, "installed"))
        if PROGRAM:
            os.environ["LD_LIBRARY_PATH"] = PROGRAM[1]
        work = os.path.join(folder, "work")
        os.mkdir(work)
        traces, finding = run_agent(program, work)
        run_script(folder, traces, finding)
        check_configuration()
    print(f"agent: {failures or 'nothing'} wrong")
    sys.exit(bool(failures))


main()

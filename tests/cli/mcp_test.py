#!/usr/bin/python3
"""`streamtrace mcp` as a client sees it: mcp_test.py STREAMTRACE ROOT

Both kinds of revisions, each tool against what the command itself prints, resources, cursors, what lies outside the roots,
progress, cancellation, and input that is none. Programs that are recorded write a trace themselves here: agent_test.py
traces one. Exit status: 0 all is well, 1 something is not, which is printed.
"""
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

from mcp_client import LEGACY, MODERN, Client, install

STREAMTRACE, ROOT = map(os.path.abspath, sys.argv[1:3])
RECORDINGS = os.path.join(ROOT, "samples", "recordings")
BROKEN, FIXED = os.path.join(RECORDINGS, "pageable_copy.db"), os.path.join(RECORDINGS, "pageable_copy.fixed.db")
READERS = ["report", "explain", "whatif", "diff", "check", "info"]
PART = 32768  # what an answer has at most, or one element
failures = 0


def check(is_right, what):
    global failures
    if not is_right:
        failures += 1
        print("FAILED:", str(what)[:2000])


def command(*arguments, statuses=(0,)):
    done = subprocess.run([STREAMTRACE, *arguments], capture_output=True, text=True)
    check(done.returncode in statuses, f"{arguments}: {done}")
    return done.stdout


def check_error(response, code, part):
    error = response.get("error", {})
    check(error.get("code") == code and part in error.get("message", ""), f"{code} {part}: {response}")
    return error


def check_refused(result, part):
    check(result.get("isError") is True and part in result["content"][0]["text"], f"{part}: {result}")


def text_of(result):
    return result["content"][0]["text"]


def check_sessions(client):
    check(client.opened["protocolVersion"] == LEGACY, client.opened)
    check(client.opened["serverInfo"]["name"] == "streamtrace" and "record" in client.opened["instructions"], client.opened)
    check(set(client.opened["capabilities"]) == {"tools", "resources"}, client.opened)
    check(client.result("ping") == {}, "ping")
    check_error(client.ask("initialize", protocolVersion=LEGACY, capabilities={}), -32600, "came before")
    check_error(client.ask("server/discover"), -32601, "server/discover")
    check_error(client.ask("prompts/list"), -32601, "prompts/list")
    tools = client.result("tools/list")
    check(set(tools) == {"tools"} and [tool["name"] for tool in tools["tools"]] == READERS, tools)
    for tool in tools["tools"]:
        check(tool["annotations"]["readOnlyHint"] is True, tool["name"])
        check(all(one["description"] for one in tool["inputSchema"]["properties"].values()), tool["name"])
    top = tools["tools"][0]["inputSchema"]["properties"]["top"]
    check(top == {"type": "integer", "minimum": 0, "description": "show the first N findings; 1 to 1000000"}, top)
    for asked, answered in (("2025-06-18", "2025-06-18"), ("2024-11-05", LEGACY), ("2099-01-01", LEGACY)):
        with Client(STREAMTRACE, opens=False) as other:
            check_error(other.ask("tools/list"), -32602, "protocolVersion")
            check_error(other.ask("initialize", protocolVersion=asked), -32602, "capabilities")
            opened = other.result("initialize", protocolVersion=asked, capabilities={})
            check(opened["protocolVersion"] == answered, opened)


def check_modern(client):
    found = client.result("server/discover")
    check(found["supportedVersions"] == [MODERN] and found["resultType"] == "complete", found)
    check(found["_meta"]["io.modelcontextprotocol/serverInfo"]["name"] == "streamtrace", found)
    check((found["ttlMs"], found["cacheScope"]) == (0, "private"), found)
    for method in ("tools/list", "resources/list", "resources/templates/list"):
        result = client.result(method)
        check({"resultType", "_meta", "ttlMs", "cacheScope"} < set(result), f"{method}: {sorted(result)}")
    result = client.call("explain", id="pageable-copy")
    check(result["resultType"] == "complete" and "ttlMs" not in result, sorted(result))
    check_error(client.ask("ping"), -32601, "ping")
    # In the session that initialize begins requests need not name a revision; those that do need not wait for it.
    client.modern = False
    check_error(client.ask("tools/list"), -32602, "protocolVersion")
    meta = {"io.modelcontextprotocol/protocolVersion": MODERN}
    check_error(client.ask("tools/list", _meta=meta), -32602, "clientCapabilities")
    error = check_error(client.ask("tools/list", _meta={"io.modelcontextprotocol/protocolVersion": "1900-01-01"}), -32022, "")
    check(error.get("data") == {"supported": [MODERN], "requested": "1900-01-01"}, error)
    client.result("initialize", protocolVersion=LEGACY, capabilities={})
    check("resultType" not in client.result("tools/list"), "a session's result")
    client.modern = True
    check("resultType" in client.result("tools/list"), "a result of the new revision, in a session")


def check_same(client, tool, arguments, *words, statuses=(0,)):
    """The tool's answer is what the command prints."""
    result = client.call(tool, **arguments)
    printed = command(*words, statuses=statuses)
    structured = result["structuredContent"]
    check(not result["isError"] and structured["status"] == statuses[0], f"{tool}: {result}")
    if "text" in structured:
        check(structured["text"] == printed == text_of(result), f"{tool}: {structured}")
    else:
        check(structured["result"] == json.loads(printed), f"{tool}: {structured}")
        check(json.loads(text_of(result)) == structured, f"{tool}: the text is not the JSON")
    check("next_cursor" not in structured, f"{tool}: goes on")


def check_tools(client):
    plain = ["--no-measure", "--format=json"]
    check_same(client, "report", {"traces": ["pageable_copy.db"]}, "report", *plain, BROKEN)
    check_same(client, "report", {"traces": [BROKEN], "top": 1, "min": "1%", "site": "*.cu", "all": True, "exact": False},
               "report", *plain, "--top=1", "--min=1%", "--site=*.cu", "--all", BROKEN)
    check_same(client, "report", {"traces": [BROKEN], "format": "text"}, "report", "--no-measure", BROKEN)
    check_same(client, "report", {"traces": [BROKEN], "format": "md"}, "report", "--no-measure", "--format=md", BROKEN)
    check_same(client, "explain", {"id": "pageable-copy"}, "explain", "pageable-copy")
    check_same(client, "explain", {}, "explain")
    check_same(client, "whatif", {"trace": BROKEN, "apply": ["1", "2"]}, "whatif", *plain, "--apply=1,2", BROKEN)
    check_same(client, "diff", {"base": [BROKEN], "head": [FIXED]}, "diff", *plain, BROKEN, FIXED)
    check_same(client, "diff", {"base": [BROKEN, BROKEN], "head": [BROKEN], "min": "1ms"},
               "diff", *plain, "--min=1ms", BROKEN, BROKEN, "vs", BROKEN)
    check_same(client, "check", {"traces": [BROKEN]}, "check", *plain, BROKEN, statuses=(1,))
    check_same(client, "check", {"traces": [BROKEN], "deny": ["sync-in-loop", "free-sync"], "max_lost": "90%"},
               "check", *plain, "--deny=sync-in-loop,free-sync", "--max-lost=90%", BROKEN)
    check_same(client, "info", {"traces": ["pageable_copy.db"]}, "info", "--format=json", BROKEN)
    check_same(client, "info", {"traces": [BROKEN, FIXED], "format": "text"}, "info", BROKEN, FIXED)


def check_wrong_arguments(client):
    for tool, arguments, part in (
            ("report", {}, "report needs traces"), ("report", {"traces": []}, "an array of traces"),
            ("report", {"traces": "pageable_copy.db"}, "an array of traces"), ("report", {"traces": [1]}, "an array of texts"),
            ("report", {"traces": [BROKEN], "nonsense": 1}, "no argument nonsense"),
            ("report", {"traces": [BROKEN], "top": -1}, "whole number"),
            ("report", {"traces": [BROKEN], "top": "1"}, "whole number"),
            ("report", {"traces": [BROKEN], "top": 0}, "--top=0"),
            ("report", {"traces": [BROKEN], "all": 1}, "true or false"),
            ("report", {"traces": [BROKEN], "format": "html"}, "json|text|md"),
            ("report", {"traces": [BROKEN], "format": "json|text"}, "json|text|md"),
            ("report", {"traces": [BROKEN], "site": 5}, "a text"),
            ("report", {"traces": [BROKEN], "cursor": "1.1"}, "another answer"),
            ("report", {"traces": [BROKEN], "cursor": "x"}, "another answer"),
            ("report", {"traces": ["--help"]}, "--help: no such file"),
            ("explain", {"id": "pagable-copy"}, "did you mean"), ("explain", {"id": "--help"}, "--help"),
            ("whatif", {"trace": BROKEN}, "whatif needs apply"), ("whatif", {"trace": BROKEN, "apply": ["99"]}, "99"),
            ("diff", {"base": [BROKEN]}, "diff needs head")):
        check_refused(client.call(tool, **arguments), part)
    check_error(client.ask("tools/call", name="nonsense"), -32602, "unknown tool: nonsense")
    check_error(client.ask("tools/call"), -32602, "unknown tool")
    check_error(client.ask("tools/call", name="report", arguments=[]), -32602, "arguments must be an object")
    check_error(client.ask("tools/call", name="record", arguments={"command": ["true"]}), -32602, "--allow-run")
    check_error(client.ask("tools/list", cursor="x"), -32602, "cursor")


def call_parts(client, tool, **arguments):
    """All parts of an answer."""
    parts, cursor = [], {}
    while True:
        result = client.call(tool, **arguments, **cursor)
        structured = result["structuredContent"]
        check(not result["isError"], result)
        parts.append(structured)
        if "next_cursor" not in structured:
            return parts
        cursor = {"cursor": structured["next_cursor"]}


def check_parts(client):
    """Long answers: an array, an object with arrays, and text."""
    everything = sorted(os.path.join(RECORDINGS, name) for name in os.listdir(RECORDINGS) if name.endswith(".db"))
    some = everything[:10]
    parts = call_parts(client, "report", traces=some)
    whole = json.loads(command("report", "--no-measure", "--format=json", *some))
    check(isinstance(whole, list) and len(parts) > 2, f"{len(parts)} parts")
    check(parts[0]["result"] + [one for part in parts[1:] for one in part["more"]] == whole, "the array's parts")
    parts = call_parts(client, "check", traces=everything)
    whole = json.loads(command("check", "--no-measure", "--format=json", *everything, statuses=(1,)))
    check(len(parts) > 1 and len(json.dumps(whole)) > PART, f"{len(parts)} parts of an object")
    joined = parts[0]["result"]
    for part in parts[1:]:
        check("result" not in part and part["more"], f"a part: {sorted(part)}")
        for key, values in part["more"].items():
            joined[key] += values
    check(joined == whole, "the object's parts")
    for part in parts:
        check(len(json.dumps(part, separators=(",", ":"), ensure_ascii=False).encode()) < 2 * PART, "a part's size")
    some = everything[:28]
    parts = call_parts(client, "report", traces=some, format="text")
    check(len(parts) > 2 and all(len(part["text"].encode()) <= PART for part in parts), "parts of text")
    check("".join(part["text"] for part in parts) == command("report", "--no-measure", *some), "the text's parts")
    cursor = parts[0]["next_cursor"]
    check_refused(client.call("report", traces=some[1:], format="text", cursor=cursor), "another answer")
    text = text_of(client.call("report", traces=some, format="text"))
    check(text.endswith(f"(goes on: call again with cursor {cursor})\n"), text[-200:])


def check_resources(folder):
    """130 traces and what is none, in an order that does not depend on the folder's."""
    deep = os.path.join(folder, "a", "b c%")
    os.makedirs(deep)
    os.makedirs(os.path.join(folder, ".hidden"))
    names = [f"{number:03}.db" for number in range(128)]
    shutil.copy(BROKEN, os.path.join(folder, names[0]))
    for name in names[1:]:
        os.link(os.path.join(folder, names[0]), os.path.join(folder, name))
    shutil.copy(BROKEN, os.path.join(deep, "deep.db"))
    shutil.copy(BROKEN, os.path.join(folder, ".hidden", "no.db"))
    shutil.copy(os.path.join(ROOT, "README.md"), os.path.join(folder, "text.db"))
    os.symlink(FIXED, os.path.join(folder, "link.db"))
    os.symlink(RECORDINGS, os.path.join(folder, "folder"))
    found, cursor = [], {}
    with Client(STREAMTRACE, cwd=folder) as client:
        while True:
            result = client.result("resources/list", **cursor)
            check(len(result["resources"]) <= 100, len(result["resources"]))
            found += result["resources"]
            if "nextCursor" not in result:
                break
            cursor = {"cursor": result["nextCursor"]}
        pages = [one["uri"] for one in found if one["mimeType"] == "text/html"]
        reports = [one["uri"] for one in found if one["mimeType"] == "text/markdown"]
        real = os.path.realpath(folder)
        check(reports == ["streamtrace://trace" + path for path in [f"{real}/{name}" for name in names] +
                          [f"{real}/a/b%20c%25/deep.db"]], reports[-4:])
        check(pages == [uri.replace("//trace/", "//page/") for uri in reports], pages[-4:])
        check(found[0]["name"] == "000.db", found[0])
        contents = client.result("resources/read", uri=reports[-1])["contents"]
        deep = os.path.join(deep, "deep.db")
        check(contents == [{"uri": reports[-1], "mimeType": "text/markdown",
                            "text": command("report", "--no-measure", "--format=md", os.path.realpath(deep))}], contents)
        page = client.result("resources/read", uri=pages[-1])["contents"][0]
        check(page["mimeType"] == "text/html" and page["text"].startswith("<!DOCTYPE html>") and
              page["text"].rstrip().endswith("</html>"), page["text"][-200:])
        templates = client.result("resources/templates/list")["resourceTemplates"]
        check([one["uriTemplate"] for one in templates] == ["streamtrace://trace{+path}", "streamtrace://page{+path}"],
              templates)
        for uri in ("streamtrace://trace" + FIXED, "streamtrace://trace/etc/passwd", "streamtrace://nothing/x", "file:///etc",
                    f"streamtrace://trace{real}/link.db", f"streamtrace://page{real}/folder/pageable_copy.db",
                    f"streamtrace://trace{real}/a/../../x", "streamtrace://trace", f"streamtrace://trace{real}/%00"):
            check_error(client.ask("resources/read", uri=uri), -32602, "no such")
        check_error(client.ask("resources/read", uri=f"streamtrace://trace{real}/text.db"), -32602, "text.db")
        check_error(client.ask("resources/read"), -32602, "uri must be a text")
        check_error(client.ask("resources/list", cursor="x"), -32602, "cursor")
        check_error(client.ask("resources/list", cursor=1), -32602, "cursor")


def check_outside(folder):
    """What is not below the roots is neither read nor told from what is not there."""
    inside, outside = os.path.join(folder, "inside"), os.path.join(folder, "outside")
    beside = inside + "beside"
    for path in (inside, outside, beside, os.path.join(inside, "links")):
        os.mkdir(path)
        shutil.copy(BROKEN, os.path.join(path, "app.db"))
    with open(os.path.join(outside, "allowed.txt"), "w") as file:
        file.write("secret words\n")
    os.symlink(os.path.join(outside, "app.db"), os.path.join(inside, "link.db"))
    os.symlink(outside, os.path.join(inside, "away"))
    os.symlink(os.path.join(outside, "app.db"), os.path.join(inside, "links", "other.db"))
    os.symlink("app.db", os.path.join(inside, "same.db"))
    with Client(STREAMTRACE, "--root=" + inside, "--allow-run", cwd=outside) as client:
        for name in ("app.db", "./app.db", inside + "/app.db", "same.db", "links/app.db", "links/../app.db"):
            check(not client.call("report", traces=[name])["isError"], f"{name} is refused")
        for name in ("../outside/app.db", outside + "/app.db", "link.db", "away/app.db", "away", "..", "../insidebeside/app.db",
                     beside + "/app.db", "/", outside + "/missing.db", "/proc/self/cwd/app.db"):
            for tool, arguments in (("report", {"traces": [name]}), ("report", {"traces": ["app.db", name]}),
                                    ("whatif", {"trace": name, "apply": ["1"]}), ("check", {"traces": [name]}),
                                    ("diff", {"base": ["app.db"], "head": [name]}), ("check", {"traces": ["app.db"], "allow": name}),
                                    ("record", {"command": ["true"], "directory": name})):
                check_refused(client.call(tool, **arguments), "no such file or folder below")
        check_refused(client.call("report", traces=["links"]), "a link to a file elsewhere")
        check_refused(client.call("check", traces=["app.db"], allow=outside + "/allowed.txt"), "no such file")
        for name in ("../new", outside + "/new", "away/new", "a%p", "links", "..", "", "missing/new", "new/", "x" * 300):
            result = client.call("record", command=["true"], output=name)
            check(result["isError"] is True and "structuredContent" not in result, f"{name}: {result}")
    check(sorted(os.listdir(outside)) == ["allowed.txt", "app.db"], os.listdir(outside))
    check(sorted(os.listdir(inside)) == ["app.db", "away", "link.db", "links", "same.db"], os.listdir(inside))


def check_sources(folder):
    """Edits and lines of the source, of files below the roots alone, whatever the trace names."""
    inside, outside = os.path.join(folder, "inside"), os.path.join(folder, "outside")
    for path in (inside, outside):
        shutil.copytree(os.path.join(ROOT, "samples"), os.path.join(path, "samples"),
                        ignore=shutil.ignore_patterns("recordings"))
    trace, other = os.path.join(inside, "app.db"), os.path.join(inside, "other.db")
    for path, working_directory in ((trace, inside), (other, outside)):
        shutil.copy(os.path.join(RECORDINGS, "sync_in_loop.db"), path)
        with sqlite3.connect(path) as database:
            database.execute("UPDATE metadata SET value = ? WHERE key = 'working_directory'", (working_directory,))
        database.close()
    source = os.path.join(inside, "samples", "sync_in_loop.cu")
    asked = {"edit": True, "source": True}

    def finding(client, path):
        result = client.call("report", traces=[path], **asked)
        check(not result["isError"], result)
        return result["structuredContent"]["result"]["findings"][0]

    with Client(STREAMTRACE, "--root=" + inside, cwd=folder) as client:
        first = finding(client, trace)
        check(first["edit"]["diff"] and first["edit"]["folder"] == os.path.realpath(inside), first["edit"])
        check(first["source"]["file"] == source and len(first["source"]["lines"]) == 3, first["source"])
        done = subprocess.run(["patch", "-p1", "-s", "--dry-run"], input=first["edit"]["diff"], text=True, cwd=inside)
        check(done.returncode == 0, "the diff does not apply")
        plain = client.call("report", traces=[trace])["structuredContent"]["result"]["findings"][0]
        check(plain["edit"] is None and plain["source"] is None, "an edit that was not asked for")
        for name in ("edit", "source"):
            text = text_of(client.call("report", traces=[trace], format="text", **{name: True}))
            check(("+++ b/samples" in text) == (name == "edit"), f"{name}: {text[:500]}")
            check_refused(client.call("report", traces=[trace], format="md", **{name: True}), "no --format=md")
        # The copy below the root stands for a file outside of it, which is not read.
        check(finding(client, other)["source"]["file"] == "samples/sync_in_loop.cu", "the file below the root")
        os.remove(source)
        os.symlink(os.path.join(outside, "samples", "sync_in_loop.cu"), source)
        for path in (trace, other):
            found = finding(client, path)
            check(found["source"] is None, f"lines from outside: {found['source']}")
            check(found["edit"]["diff"] is None and "not below the roots" in found["edit"]["why_not"], found["edit"])
    with Client(STREAMTRACE, f"--root={inside}:{outside}", cwd=folder) as client:
        check(finding(client, other)["source"]["file"] == os.path.join(outside, "samples", "sync_in_loop.cu"), "two roots")


def check_client_roots(folder):
    """A client's own roots: within those of the options, or alone."""
    one, two = os.path.join(folder, "one"), os.path.join(folder, "two é")
    for path in (one, two, os.path.join(one, "in")):
        os.mkdir(path)
        shutil.copy(BROKEN, os.path.join(path, "app.db"))

    def reads(client, path):
        return not client.call("report", traces=[os.path.join(path, "app.db")])["isError"]

    def listed(client):
        return sorted({os.path.dirname(one["uri"].replace("streamtrace://trace", "")) for one in
                       client.result("resources/list")["resources"] if "//trace/" in one["uri"]})

    with Client(STREAMTRACE, cwd=one, roots=[two]) as client:
        check(reads(client, two) and not reads(client, one), "roots of the client alone")
        check(listed(client) == [os.path.realpath(folder) + "/two%20%C3%A9"], listed(client))
        check(client.call("report", traces=["app.db"])["isError"] is False, "a relative name")
        client.roots = [os.path.join(one, "in")]
        client.notify("notifications/roots/list_changed")
        check(reads(client, os.path.join(one, "in")) and not reads(client, two) and not reads(client, one), "changed roots")
        client.roots = []
        client.notify("notifications/roots/list_changed")
        check(reads(client, one) and not reads(client, two), "no roots: the current folder")
    with Client(STREAMTRACE, "--root=" + one, cwd=two, roots=[two, os.path.join(one, "in")]) as client:
        check(reads(client, os.path.join(one, "in")) and not reads(client, two) and not reads(client, one), "both roots")
    with Client(STREAMTRACE, "--root=" + os.path.join(one, "in"), roots=[folder]) as client:
        check(reads(client, os.path.join(one, "in")) and not reads(client, one), "the client's root is larger")
    with Client(STREAMTRACE, "--root=" + one, roots=[two]) as client:
        check(not reads(client, one) and not reads(client, two), "nothing in common")
        check(listed(client) == [], "nothing to list")
    with Client(STREAMTRACE, f"--root={one}:{two}", cwd=folder) as client:
        check(reads(client, one) and reads(client, two) and not reads(client, folder), "two roots")
    # A request that comes before the roots waits for them, and can be cancelled.
    with Client(STREAMTRACE, cwd=one, roots=[two]) as client:
        first = client.start("tools/call", name="report", arguments={"traces": [os.path.join(one, "app.db")]})
        second = client.start("tools/call", name="report", arguments={"traces": [os.path.join(two, "app.db")]})
        client.notify("notifications/cancelled", requestId=first)
        check(client.wait(second)["result"]["isError"] is False, "a request that waited")
        client.result("ping")
        check(not client.strays, client.strays)
    # The new revision has none.
    with Client(STREAMTRACE, cwd=one, modern=True, roots=[two]) as client:
        check(reads(client, one) and not reads(client, two), "the new revision")
    done = subprocess.run([STREAMTRACE, "mcp", "--root=" + one + "/app.db"], stdin=subprocess.DEVNULL, capture_output=True)
    check(done.returncode == 2 and b"is no folder" in done.stderr, done)


def is_running(path):
    """Whether the process runs whose id is in the file."""
    with open(path) as file:
        try:
            with open(f"/proc/{int(file.read())}/stat") as status:
                return status.read().rsplit(")", 1)[1].split()[0] != "Z"
        except (FileNotFoundError, ProcessLookupError):  # before it is opened, or read
            return False


def wait_for(condition, what):
    end = time.monotonic() + 120
    while not condition() and time.monotonic() < end:
        time.sleep(0.02)
    check(condition(), what)


WRITES = 'cp "$0" "$STREAMTRACE_OUTPUT/app.db"; pwd; echo said >&2; exit 7'


def check_record(program, folder):
    with Client(program, "--allow-run", cwd=folder) as client:
        tool = client.result("tools/list")["tools"][0]
        check((tool["name"], tool["annotations"]["readOnlyHint"]) == ("record", False), tool)
        result = client.call("record", command=["sh", "-c", WRITES, BROKEN])
        structured = result["structuredContent"]
        made = os.path.join(os.path.realpath(folder), "streamtrace-1")
        check(not result["isError"] and structured["status"] == 7, result)
        check((structured["folder"], structured["traces"]) == (made, [made + "/app.db"]), structured)
        check(structured["output"] == os.path.realpath(folder) and "said" in structured["messages"], structured)
        check(not client.call("report", traces=structured["traces"])["isError"], "a report on what was recorded")
        check(not client.call("report", traces=["streamtrace-1"])["isError"], "a report on its folder")
        os.mkdir(os.path.join(folder, "work"))
        result = client.call("record", command=["sh", "-c", WRITES, BROKEN], output="mine", directory="work", first_use=False)
        structured = result["structuredContent"]
        check(structured["traces"] == [os.path.join(os.path.realpath(folder), "mine", "app.db")], structured)
        check(structured["output"] == os.path.join(os.path.realpath(folder), "work"), structured)
        check_refused(client.call("record", command=["true"], output="mine"), "File exists")
        check_refused(client.call("record", command=[]), "a program")
        check_refused(client.call("record", command="true"), "a program")
        # Nothing is recorded: that is an error, and no folder is left.
        result = client.call("record", command=["/no/such/program"])
        check(result["isError"] and result["structuredContent"]["status"] == 127, result)
        result = client.call("record", command=["sh", "-c", "printf 'a\\033[1m\\377b\\n\\n'; exit 3"])
        check(result["isError"] and result["structuredContent"]["output"] == "a?[1m?b", result)
        check("no trace was written" in json.dumps(result["structuredContent"]["messages"]), result)
        check(sorted(os.listdir(folder)) == ["mine", "streamtrace-1", "work"], os.listdir(folder))
        result = client.call("record", command=["sh", "-c", "seq 100000; seq 100000 >&2"])
        said = result["structuredContent"]
        check(said["output"].endswith("\n99999\n100000") and len(said["output"]) <= 8192, said["output"][-80:])
        check(len(json.dumps(said["messages"])) < 32768 and "no trace" in said["messages"][-1], said["messages"][-3:])
        # It has no input.
        check("no input" in client.call("record", command=["sh", "-c", "cat; echo no input"])["structuredContent"]["output"],
              "the input of a program")


def check_cancel(program, folder):
    stays = 'echo $$ >pid; trap "" TERM; sleep 1000 & wait; wait; wait'
    # The loader's words about the library must not end it when nobody reads them any more.
    goes = 'exec 2>/dev/null; echo $$ >pid; exec sleep 1000'
    pid = os.path.join(folder, "pid")
    with Client(program, "--allow-run", cwd=folder) as client:
        for what in (goes, stays):
            number = client.start("tools/call", name="record", arguments={"command": ["sh", "-c", what]},
                                  _meta={"progressToken": what[:3]})
            wait_for(lambda: os.path.exists(pid) and os.path.getsize(pid), "the program starts")
            check(client.call("explain")["isError"] is False, "a call meanwhile")
            check_refused(client.call("record", command=["true"]), "is being recorded")
            client.notify("notifications/cancelled", requestId="nonsense")
            client.notify("notifications/cancelled", requestId=number, reason="enough")
            wait_for(lambda: not is_running(pid), "the program ends")
            os.remove(pid)
            # Its trace is finished before the next one may begin.
            wait_for(lambda: not client.call("record", command=["sh", "-c", WRITES, BROKEN])["isError"],
                     "a recording after that")
        check(not client.strays, f"answers of what was cancelled: {client.strays}")
        result = client.call("record", command=["sh", "-c", 'cp "$0" "$STREAMTRACE_OUTPUT/app.db"; sleep 1000', BROKEN],
                             timeout_s=1)
        check(result["structuredContent"]["status"] == 143 and len(result["structuredContent"]["traces"]) == 1, result)
        # The end of the input ends programs, and other calls are answered.
        client.start("tools/call", name="record", arguments={"command": ["sh", "-c", goes]})
        wait_for(lambda: os.path.exists(pid) and os.path.getsize(pid), "the program starts")
        status, errors = client.close()
        check((status, errors) == (0, "") and not is_running(pid), f"the end: {status} {errors}")
    os.remove(pid)
    with Client(program, "--allow-run", cwd=folder) as client:
        client.start("tools/call", name="record", arguments={"command": ["sh", "-c", goes]})
        wait_for(lambda: os.path.exists(pid) and os.path.getsize(pid), "the program starts")
        client.process.send_signal(signal.SIGKILL)
        wait_for(lambda: not is_running(pid), "the program ends with a server that is killed")


def check_progress(program, folder):
    with Client(program, "--allow-run", cwd=folder) as client:
        number = client.start("tools/call", name="record", arguments={"command": ["sleep", "1.3"]}, _meta={"progressToken": "é"})
        client.wait(number)
        steps = [note["params"] for note in client.notes]
        check(len(steps) >= 2 and all(step["progressToken"] == "é" for step in steps), steps)
        check(all(a["progress"] < b["progress"] for a, b in zip(steps, steps[1:])), steps)
        check(steps[1]["message"] == f"record: {steps[1]['progress'] // 1000} s" and steps[1]["progress"] >= 1000, steps)
        client.notes.clear()
        client.wait(client.start("tools/call", name="report", arguments={"traces": []}, _meta={"progressToken": 1}))
        client.wait(client.start("tools/call", name="explain", arguments={}, _meta={"progressToken": [1]}))
        check(not client.notes, client.notes)
        numbers = [client.start("tools/call", name="explain", arguments={}, _meta={"progressToken": one}) for one in (7, "b")]
        for number in numbers:
            client.wait(number)
        check({note["params"]["progressToken"] for note in client.notes} == {7, "b"}, client.notes)
        # Calls beside each other, up to a limit.
        numbers = [client.start("tools/call", name="explain", arguments={}) for _ in range(40)]
        for result in [client.wait(number)["result"] for number in numbers]:
            check(not result["isError"] or "too many calls" in text_of(result), result)


def check_bad_input():
    with Client(STREAMTRACE) as client:
        for line, code in ((b"nonsense", -32700), (b"{", -32700), (b"\xff\xfe\x00", -32700), (b"[" * 100000, -32700),
                           (b'"text"', -32700), (b"[]", -32600), (b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600),
                           (b"{}", -32600), (b'{"jsonrpc":"1.0","id":"a","method":"ping"}', -32600),
                           (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600),
                           (b'{"jsonrpc":"2.0","id":"a","method":5}', -32600), (b'{"jsonrpc":"2.0","id":"a"}', -32600),
                           (b'{"jsonrpc":"2.0","id":[1],"method":"ping"}', -32600),
                           (b'{"jsonrpc":"2.0","id":"a","method":"ping","params":[]}', -32602),
                           (b'{"jsonrpc":"2.0","id":"a","method":""}', -32601),
                           (b'{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"report\\u0000"}}', -32700),
                           (b"x" * (3 << 20), -32600)):
            client.write(line + b"\n")
            answer = client.read()
            check(answer["error"]["code"] == code, f"{line[:60]}: {answer}")
            check(answer.get("id") == ("a" if b'"a"' in line and code != -32700 else None), f"{line[:60]}: {answer}")
        # No answer to these.
        client.write(b'\n\n{"jsonrpc":"2.0","method":"nonsense"}\n{"jsonrpc":"2.0","id":"roots-1","result":{}}\n'
                     b'{"jsonrpc":"2.0","id":9,"error":{"code":1,"message":""}}\n{"jsonrpc":"2.0","method":"notifications/cancelled"}\n'
                     b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{}}}\n')
        # In pieces.
        message = b'{"jsonrpc":"2.0","id":"pieces","method":"ping"}\r\n'
        for i in range(0, len(message), 7):
            client.write(message[i:i + 7])
            time.sleep(0.01)
        check(client.read() == {"jsonrpc": "2.0", "id": "pieces", "result": {}}, "a message in pieces")
        check(client.close() == (0, ""), "the end of the input")
    with Client(STREAMTRACE) as client:
        client.start("tools/call", name="explain", arguments={"id": "pageable-copy"})
        client.process.stdin.close()
        answer = client.read()
        check(answer and not answer["result"]["isError"], "a call is answered after the end of the input")
        check(client.process.wait() == 0, "the status then")
    # Nobody reads the answers.
    with Client(STREAMTRACE) as client:
        client.selector.close()
        client.process.stdout.close()
        try:
            for _ in range(10000):
                client.start("ping")
        except BrokenPipeError:
            pass
        check(client.process.wait() == 3 and b"Broken pipe" in client.process.stderr.read(), "a closed output")
    for words in (["mcp", "x"], ["mcp", "--root"], ["mcp", "--root=/no/such/folder"]):
        done = subprocess.run([STREAMTRACE, *words], stdin=subprocess.DEVNULL, capture_output=True)
        check(done.returncode == 2 and done.stderr.count(b"\n") == 1 and not done.stdout, done)


def main():
    with tempfile.TemporaryDirectory() as folder:
        names = iter("abcdefghi")

        def place():
            path = os.path.join(folder, next(names))
            os.mkdir(path)
            return path

        os.environ["XDG_CACHE_HOME"] = place()
        with Client(STREAMTRACE, "--root=" + RECORDINGS) as client:
            check_sessions(client)
            check_tools(client)
            check_wrong_arguments(client)
            check_parts(client)
        with Client(STREAMTRACE, "--root=" + RECORDINGS, modern=True) as client:
            check_tools(client)
            check_modern(client)
        check_resources(place())
        program = install(STREAMTRACE, os.path.join(folder, "installed"))
        check_outside(place())
        check_sources(place())
        check_client_roots(place())
        check_record(program, place())
        check_cancel(program, place())
        check_progress(program, place())
        check_bad_input()
    print(f"mcp: {failures or 'nothing'} wrong")
    sys.exit(bool(failures))


main()

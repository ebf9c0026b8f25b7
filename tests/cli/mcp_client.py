"""A client of the Model Context Protocol for tests: it starts `streamtrace mcp` and speaks JSON with it.

MCP_SCHEMAS in the environment: a folder with the protocol's schemas, REVISION/schema.json, as `./dev mcp-test` gets them.
Each message of the server is then checked against that of its revision, which takes jsonschema.
"""
import json
import os
import selectors
import subprocess
import time

MODERN = "2026-07-28"
LEGACY = "2025-11-25"
HANG_S = 300
RESULTS = {"initialize": "InitializeResult", "server/discover": "DiscoverResult", "ping": "EmptyResult",
           "tools/list": "ListToolsResult", "tools/call": "CallToolResult", "resources/list": "ListResourcesResult",
           "resources/templates/list": "ListResourceTemplatesResult", "resources/read": "ReadResourceResult",
           "roots/list": "ListRootsRequest", "notifications/progress": "ProgressNotification"}


class Schemas:
    """Of both kinds of revisions; without MCP_SCHEMAS anything is right."""

    def __init__(self):
        self.folder, self.validators = os.environ.get("MCP_SCHEMAS"), {}

    def check(self, revision, name, value):
        if not self.folder:
            return
        if (revision, name) not in self.validators:
            import jsonschema
            with open(os.path.join(self.folder, revision, "schema.json")) as file:
                schema = {**json.load(file), "$ref": "#/$defs/" + name}
            self.validators[revision, name] = jsonschema.Draft202012Validator(schema)
        errors = [f"{list(error.path)}: {error.message[:300]}" for error in self.validators[revision, name].iter_errors(value)]
        assert not errors, f"{name} of {revision}: {errors[:3]}"


SCHEMAS = Schemas()


class Client:
    """roots: what it tells of its own, as paths; None: it has none. modern: it speaks the revision without sessions."""

    def __init__(self, program, *options, roots=None, modern=False, cwd=None, env=None, opens=True):
        self.modern, self.roots = modern, roots
        self.notes, self.strays, self.asked = [], [], {}
        self.number, self.pending = 0, b""
        self.process = subprocess.Popen([program, "mcp", *options], cwd=cwd, env=env, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.selector = selectors.DefaultSelector()
        self.selector.register(self.process.stdout, selectors.EVENT_READ)
        if opens and not modern:
            self.opened = self.result("initialize", protocolVersion=LEGACY, clientInfo={"name": "test", "version": "1"},
                                      capabilities={"roots": {"listChanged": True}} if roots is not None else {})
            self.notify("notifications/initialized")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()

    def write(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message):
        self.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")

    def notify(self, method, **params):
        self.send({"method": method, "params": params})

    def start(self, method, **params):
        """Sends a request, and returns its id."""
        self.number += 1
        if self.modern:
            params["_meta"] = {"io.modelcontextprotocol/protocolVersion": MODERN,
                               "io.modelcontextprotocol/clientCapabilities": {}, **params.get("_meta", {})}
        self.asked[self.number] = (MODERN if self.modern else LEGACY, method)
        self.send({"id": self.number, "method": method, "params": params})
        return self.number

    def read(self, most_s=HANG_S):
        """The next message; None: the server has ended, or nothing came in that time."""
        end = time.monotonic() + most_s
        while b"\n" not in self.pending:
            if not self.selector.select(max(0, end - time.monotonic())):
                return None
            data = os.read(self.process.stdout.fileno(), 1 << 16)
            if not data:
                return None
            self.pending += data
        line, self.pending = self.pending.split(b"\n", 1)
        message = json.loads(line)
        self.check_schema(message)
        return message

    def check_schema(self, message):
        revision, method = self.asked.get(message.get("id"), (MODERN if self.modern else LEGACY, None))
        if "method" in message:
            SCHEMAS.check(revision, RESULTS[message["method"]], message)
        elif "result" in message:
            SCHEMAS.check(revision, "JSONRPCResultResponse", message)
            SCHEMAS.check(revision, RESULTS.get(method, "Result"), message["result"])
        else:
            SCHEMAS.check(revision, "JSONRPCErrorResponse", message)

    def wait(self, number):
        """The response to a request. Meanwhile notifications and other responses are kept, and the roots told."""
        for i, message in enumerate(self.strays):
            if message.get("id") == number:
                return self.strays.pop(i)
        while True:
            message = self.read()
            assert message, f"no answer: {self.process.stderr.read1() if self.process.poll() is not None else ''}"
            if "method" not in message and message.get("id") == number:
                return message
            if message.get("method") == "roots/list":
                self.tell_roots(message)
            else:
                (self.notes if "method" in message else self.strays).append(message)

    def tell_roots(self, message):
        self.send({"id": message["id"], "result": {"roots": [{"uri": "file://" + path} for path in self.roots]}})

    def ask(self, method, **params):
        return self.wait(self.start(method, **params))

    def result(self, method, **params):
        response = self.ask(method, **params)
        assert "result" in response, response
        return response["result"]

    def call(self, tool, **arguments):
        """The result of a tool."""
        return self.result("tools/call", name=tool, arguments=arguments)

    def close(self):
        """Ends the input, and returns the exit status and what was written to standard error."""
        self.process.stdin.close()
        self.process.stdin = None
        _, errors = self.process.communicate(timeout=HANG_S)
        return self.process.returncode, errors.decode()


def install(program, folder):
    """A copy of the program with a library that the loader cannot preload, so that it runs what it is given, untraced:
    that can write a trace itself, into the folder that STREAMTRACE_OUTPUT names."""
    os.makedirs(os.path.join(folder, "bin"))
    os.makedirs(os.path.join(folder, "lib"))
    copy = os.path.join(folder, "bin", "streamtrace")
    with open(program, "rb") as old, open(copy, "wb") as new:
        new.write(old.read())
    os.chmod(copy, 0o700)
    with open(os.path.join(folder, "lib", "libstrace.so"), "w"):
        pass
    return copy

"""A headless Chromium, driven over its DevTools protocol: two pipes, no network and no library."""
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time


class BrowserError(Exception):
    pass


class Browser:
    """One page. Waits have a limit that a loaded machine does not reach."""

    LIMIT_S = 120

    def __init__(self, width=1440, height=900):
        self.folder = tempfile.mkdtemp(prefix="streamtrace-web.")
        self.said = open(os.path.join(self.folder, "stderr"), "w+b")
        read_end, self.to_browser = os.pipe()
        self.from_browser, write_end = os.pipe()
        self.process = subprocess.Popen(
            [
                os.environ.get("CHROMIUM", "chromium"),
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--hide-scrollbars",
                "--force-color-profile=srgb",
                "--font-render-hinting=none",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-extensions",
                f"--user-data-dir={self.folder}/profile",
                f"--window-size={width},{height}",
                "--remote-debugging-pipe",
                "about:blank",
            ],
            preexec_fn=lambda: self._move_pipes(read_end, write_end),
            close_fds=False,
            stdin=subprocess.DEVNULL,
            stdout=self.said,
            stderr=self.said,
        )
        os.close(read_end)
        os.close(write_end)
        self.buffer = b""
        self.next_id = 0
        self.events = []
        self.session = None
        targets = self.call("Target.getTargets")["targetInfos"]
        page = next(target for target in targets if target["type"] == "page")
        attached = self.call("Target.attachToTarget", targetId=page["targetId"], flatten=True)
        self.session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")
        self.resize(width, height)

    @staticmethod
    def _move_pipes(read_end, write_end):
        """The browser reads from 3 and writes to 4, whatever numbers these have now."""
        read_end, write_end = os.dup(read_end), os.dup(write_end)
        spare = [os.dup(read_end) for _ in range(4)]
        read_end, write_end = os.dup(read_end), os.dup(write_end)
        os.dup2(read_end, 3)
        os.dup2(write_end, 4)
        for number in spare + [read_end, write_end]:
            if number > 4:
                os.close(number)

    def _read(self, limit_s):
        """The next message."""
        until = time.monotonic() + limit_s
        while b"\0" not in self.buffer:
            ready, _, _ = select.select([self.from_browser], [], [], max(0, until - time.monotonic()))
            if not ready:
                return None
            more = os.read(self.from_browser, 1 << 20)
            if not more:
                self.said.seek(0)
                raise BrowserError("Chromium ended: " + self.said.read().decode(errors="replace")[-2000:])
            self.buffer += more
        text, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(text)

    def _send(self, method, parameters):
        self.next_id += 1
        message = {"id": self.next_id, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.to_browser, data) :]
        return self.next_id

    def call(self, method, **parameters):
        number = self._send(method, parameters)
        while True:
            answer = self._read(self.LIMIT_S)
            if answer is None:
                raise BrowserError(f"{method}: no answer in {self.LIMIT_S} s")
            if answer.get("id") != number:
                self.events.append(answer)
                # Until somebody answers it the page stands still.
                if answer.get("method") == "Page.javascriptDialogOpening":
                    self._send("Page.handleJavaScriptDialog", {"accept": True})
                continue
            if "error" in answer:
                raise BrowserError(f"{method}: {answer['error']}")
            return answer["result"]

    def resize(self, width, height, is_phone=False):
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=2 if is_phone else 1,
            mobile=is_phone,
        )

    def set_theme(self, theme):
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": theme}])

    def open(self, url):
        self.events.clear()
        self.call("Page.navigate", url=url)

    def run(self, script):
        """The value of the expression, or of what it promises."""
        answer = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            raise BrowserError(f"{script}: {json.dumps(answer['exceptionDetails'])[:600]}")
        return answer["result"].get("value")

    def wait_for(self, script, limit_s=LIMIT_S):
        until = time.monotonic() + limit_s
        while time.monotonic() < until:
            if self.run(script):
                return
            time.sleep(0.05)
        raise BrowserError(f"not within {limit_s} s: {script}")

    def key(self, key):
        code = {"Enter": 13, "Escape": 27, "Tab": 9}.get(key, 0)
        text = "\r" if key == "Enter" else key if len(key) == 1 else ""
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, text=text, windowsVirtualKeyCode=code)

    def type(self, text):
        self.call("Input.insertText", text=text)

    def mouse(self, kind, x, y, **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def click(self, x, y):
        for kind in ("mousePressed", "mouseReleased"):
            self.mouse(kind, x, y, button="left", clickCount=1)

    def screenshot(self, path=None):
        data = base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"])
        if path:
            with open(path, "wb") as file:
                file.write(data)
        return data

    def complaints(self):
        """What the page said on its console, failed to load, or tried to load at all."""
        said = []
        for event in self.events:
            method, parameters = event.get("method"), event.get("params", {})
            if method == "Runtime.exceptionThrown":
                said.append(json.dumps(parameters["exceptionDetails"])[:600])
            elif method == "Runtime.consoleAPICalled":
                said.append("console: " + json.dumps(parameters["args"])[:300])
            elif method == "Log.entryAdded":
                said.append("log: " + json.dumps(parameters["entry"])[:300])
            elif method == "Page.javascriptDialogOpening":
                said.append("dialog: " + parameters["message"])
            elif method == "Network.requestWillBeSent":
                url = parameters["request"]["url"]
                if not url.startswith(("file:", "data:", "about:")):
                    said.append("request: " + url)
        return said

    def close(self):
        try:
            self.session = None
            self.call("Browser.close")
        except (BrowserError, OSError):
            pass
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.to_browser)
        os.close(self.from_browser)
        self.said.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

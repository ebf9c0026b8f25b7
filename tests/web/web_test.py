#!/usr/bin/python3
"""Drives the page of `report --format html` in headless Chromium: web_test.py STREAMTRACE ROOT [--update] [CHECK...]

Each check_...() is a check; what it finds wrong is printed. The pictures of docs/use/timeline/ are compared
with today's, and with --update replaced (pngquant makes them small). With STREAMTRACE_WEB_KEEP=FOLDER those
that differ go there. Exit status: 0 all is well, 1 not.
"""
import base64
import glob
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
import traceback

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from browser import Browser, BrowserError

RECORDINGS = ("pageable_copy", "default_stream", "serial_chunks")
DESKTOP, PHONE = (1280, 800), (390, 760)
# Bytes of pages: of 1,000 streams in five runs, and of the largest other recordings.
MOST_BYTES = {"stream_churn": 360000, "stream_churn.fixed": 400000, "queue_full": 400000, "resent_weights": 400000}

# Pictures are compared as so many fields; their mean difference of 255, and the share of fields that differ
# by more than 48, may be no more: other fonts and versions stay below it.
FIELDS = (64, 40)
MOST_MEAN, MOST_FIELDS = 3.0, 0.02

COMPARE = """(async () => {
	const fields = await Promise.all([FIRST, SECOND].map(async (url) => {
		const image = new Image();
		image.src = url;
		await image.decode();
		const canvas = document.createElement("canvas");
		[canvas.width, canvas.height] = [WIDTH, HEIGHT];
		const context = canvas.getContext("2d");
		context.imageSmoothingQuality = "high";
		context.drawImage(image, 0, 0, WIDTH, HEIGHT);
		return context.getImageData(0, 0, WIDTH, HEIGHT).data;
	}));
	let sum = 0, far = 0;
	for (let i = 0; i < fields[0].length; i += 4) {
		const away = [0, 1, 2].map((k) => Math.abs(fields[0][i + k] - fields[1][i + k]));
		sum += away[0] + away[1] + away[2];
		far += Math.max(...away) > 48;
	}
	return [sum / (WIDTH * HEIGHT * 3), far / (WIDTH * HEIGHT)];
})()"""

# What a browser would run or load, if it came to stand in the page as markup.
EVIL = "</script><script>alert(1)</script><img src=x onerror=alert(2)>\"'&<!--${alert(3)}"


class Test:
    def __init__(self, streamtrace, root, update):
        self.streamtrace, self.root, self.update = streamtrace, root, update
        self.folder = tempfile.mkdtemp(prefix="streamtrace-web-test.")
        self.failures = []
        self.comparer = None

    def expect(self, ok, what):
        if not ok:
            self.failures.append(what)
            print("web-test: " + what, flush=True)

    def page_of(self, *traces, options=(), status=0):
        page = os.path.join(self.folder, os.path.basename(traces[0]) + ".html")
        command = [self.streamtrace, "report", "--no-measure", "--format", "html", *options, "-o", page, *traces]
        found = subprocess.run(command).returncode
        self.expect(found == status, f"a report ends with {found}: {' '.join(command)}")
        return page

    def open(self, browser, page, theme="light", size=DESKTOP, anchor=""):
        browser.resize(*size, is_phone=size == PHONE)
        browser.set_theme(theme)
        browser.open("about:blank")
        browser.open("file://" + page + anchor)
        browser.wait_for("document.body && document.body.dataset.ready === '1'")
        settle(browser)

    def picture(self, browser, name):
        """Compares the page with the picture of that name, or replaces it."""
        path = os.path.join(self.root, "docs/use/timeline", name + ".png")
        data = browser.screenshot()
        if self.update:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as file:
                file.write(data)
            if shutil.which("pngquant"):
                subprocess.run(["pngquant", "--force", "--ext", ".png", "--nofs", "48", path], check=True)
            return
        mean, far = self.difference(data, read(path))
        self.expect(
            mean <= MOST_MEAN and far <= MOST_FIELDS,
            f"{name}: differs from docs/use/timeline/{name}.png by {mean:.1f}, in {far:.1%} of the fields",
        )
        if mean > MOST_MEAN or far > MOST_FIELDS:
            self.keep(name, data)

    def difference(self, first, second):
        """In a page of its own, which may load data: URLs."""
        urls = ['"data:image/png;base64,' + base64.b64encode(data).decode() + '"' for data in (first, second)]
        script = COMPARE.replace("FIRST", urls[0]).replace("SECOND", urls[1])
        script = script.replace("WIDTH", str(FIELDS[0])).replace("HEIGHT", str(FIELDS[1]))
        if not self.comparer:
            self.comparer = Browser()
        return self.comparer.run(script)

    def close(self):
        if self.comparer:
            self.comparer.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def keep(self, name, data):
        folder = os.environ.get("STREAMTRACE_WEB_KEEP")
        if folder:
            with open(os.path.join(folder, name + ".png"), "wb") as file:
                file.write(data)


def read(path):
    with open(path, "rb") as file:
        return file.read()


def settle(browser):
    """What is to be drawn is drawn, and what is to be read is read."""
    browser.run(
        """(async () => {
	for (let quiet = 0; quiet < 4; quiet = loading.size || isDrawing ? 0 : quiet + 1)
		await new Promise((resolve) => setTimeout(resolve, 25));
})()"""
    )


def middle_of(browser, selector):
    return browser.run(
        f"(() => {{ const box = document.querySelector({selector!r}).getBoundingClientRect();"
        " return [box.x + box.width / 2, box.y + box.height / 2]; })()"
    )


def click(browser, selector):
    browser.click(*middle_of(browser, selector))
    settle(browser)


def colours_of(browser, name, which="canvas"):
    """How many pixels of the canvas have the colour of the style sheet."""
    return browser.run(
        f"""(() => {{
	const canvas = document.querySelector("{which}"), context = canvas.getContext("2d");
	const hex = getComputedStyle(document.documentElement).getPropertyValue("--{name}").trim();
	const wanted = [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
	const data = context.getImageData(0, 0, canvas.width, canvas.height).data;
	let count = 0;
	for (let i = 0; i < data.length; i += 4)
		count += wanted.every((value, k) => Math.abs(data[i + k] - value) < 3);
	return count;
}})()"""
    )


def check_finding(test, browser):
    """A click goes to the worst place, and an arrow is there."""
    before = colours_of(browser, "lost")
    click(browser, "#finding-1 .title")
    test.expect(browser.run("location.hash") == "#finding-1", "a click on a finding does not set the link")
    test.expect(browser.run("state.finding === 0 && placeNow().end_ns > placeNow().start_ns"), "no place is shown")
    inside = "state.from < placeNow().start_ns && placeNow().end_ns < state.to"
    test.expect(browser.run(inside), "the place is not in sight")
    test.expect(browser.run("!!placeNow().waiter && !!placeNow().waited"), "nobody waits for anything")
    test.expect(colours_of(browser, "lost") > before + 100, "no arrow is drawn")
    text = browser.run("details.textContent")
    test.expect("who waited" in text and "for whom" in text, "the details do not name who waited: " + text)
    worst = browser.run("placeNow().end_ns - placeNow().start_ns")
    browser.key("n")
    test.expect(browser.run("state.place === 1"), "the key n does not go to the next place")
    test.expect(browser.run("placeNow().end_ns - placeNow().start_ns") <= worst, "the first place is not the worst")


def check_zoom(test, browser):
    browser.key("0")
    settle(browser)
    length = browser.run("state.to - state.from")
    x, y = middle_of(browser, "canvas")
    time = browser.run(f"timeAt({x} - canvas.getBoundingClientRect().left)")
    browser.mouse("mouseWheel", x, y, deltaX=0, deltaY=-300)
    settle(browser)
    test.expect(browser.run("state.to - state.from") < 0.7 * length, "the wheel does not zoom in")
    again = browser.run(f"timeAt({x} - canvas.getBoundingClientRect().left)")
    test.expect(abs(again - time) < 1e-6 * length, "what is under the pointer does not stay there")
    start = browser.run("state.from")
    browser.mouse("mousePressed", x, y, button="left", clickCount=1)
    browser.mouse("mouseMoved", x - 60, y, button="left")
    browser.mouse("mouseReleased", x - 60, y, button="left", clickCount=1)
    test.expect(browser.run("state.from") > start, "a drag does not move the timeline")
    browser.key("0")
    test.expect(abs(browser.run("state.to - state.from") - length) < 1, "the key 0 does not show everything")


def check_after(test, browser):
    test.expect(browser.run("modeNow()") == "both", "the run after the fixes is not shown at first")
    test.expect(browser.run("shown.runs[1].end_ns < measured.end_ns"), "the run after the fixes is no shorter")
    click(browser, ".modes button:nth-child(2)")
    test.expect(browser.run("state.runs.join()") != "0" and browser.run("modeNow()") == "after", "no switch to after")
    count = browser.run("fixChoice.options.length")
    runs = set()
    for i in range(count):
        browser.run(f"fixChoice.selectedIndex = {i}; fixChoice.onchange()")
        settle(browser)
        runs.add(browser.run("state.panes[0].run.end_ns"))
    test.expect(len(runs) == count, f"{count} choices of fixes show {len(runs)} different runs")
    browser.key("b")
    browser.key("b")
    test.expect(browser.run("modeNow()") == "before", "the key b does not switch the runs")
    browser.key("b")


# How often the first stream's events of the run after all fixes have another name or amount than measured.
OTHER_EVENTS = """(async () => {
	const lane = shown.runs[1].lanes.find((one) => one.kind === "stream"), row = lane.chunks[0];
	const after = await loadChunk(row), before = await loadChunk(measured.lanes[lane.base].chunks[0]);
	let other = 0;
	for (let i = 0; i < after.count; i++) {
		const at = before.id.indexOf(after.id[i]);
		other += at < 0 || before.thing[at] !== after.thing[i] || before.amount[at] !== after.amount[i] || before.link[at] !== after.link[i];
	}
	return [row.length, after.count > 10, other, after.start.every((start, i) => !i || start >= after.start[i - 1])];
})()"""


def check_bases(test, browser):
    """Events of a replayed run that are told by those of the measured one are the same events."""
    found = browser.run(OTHER_EVENTS)
    test.expect(found == [9, True, 0, True], f"events after the fixes: {found}")


def check_steps(test, browser):
    """Steps: the sentence of the text report, numbers above the lanes of the measured run, and what is in one on a click."""
    recording = os.path.join(test.root, "samples/recordings/pageable_copy.db")
    text = subprocess.run([test.streamtrace, "report", "--no-measure", recording], capture_output=True, text=True).stdout
    sentence = re.search("49 steps of .*? once[.]", " ".join(text.split()))[0]
    test.open(browser, test.page_of(recording))
    headline = browser.run("document.querySelector('.headline').textContent")
    test.expect(sentence in headline.replace("\xa0", " "), "the headline lacks: " + sentence)
    test.expect(not re.search(r"\d %", headline), "a line may break before a % sign: " + headline)
    test.expect(browser.run("steps.length === 50 && steps.every((time, i) => !i || time > steps[i - 1])"), "steps are not in order")
    rows = browser.run("[measured, shown.runs[1]].map((run) => rowsOf(run).filter((row) => row.isSteps).length)")
    test.expect(rows == [1, 0], f"rows of steps in the measured run and after the fixes: {rows}")
    browser.key("0")
    settle(browser)
    numbers = browser.run("(() => { const drawn = []; const old = context.fillText; context.fillText = function (what, x) { drawn.push([what, x]); };"
                          " drawSteps(state.panes[0], 0); delete context.fillText; return drawn; })()")
    right = browser.run("steps.map((time) => xOf(time))")
    test.expect(len(numbers) >= 4 and all(abs(right[int(what) - 1] + 4 - x) < 1 for what, x in numbers), f"numbers of steps: {numbers}")
    x, y = browser.run("(() => { const box = canvas.getBoundingClientRect(); return [box.x + xOf((steps[9] + steps[10]) / 2), box.y + state.panes[0].top + GROUP / 2]; })()")
    browser.click(x, y)
    browser.wait_for("details.textContent.startsWith('Step 10 of 49: ')")
    test.expect(browser.run("state.range.from === steps[9] && state.range.to === steps[10]"), "a click selects another step")
    test.expect(browser.complaints() == [], f"steps: the page complains: {browser.complaints()}")


def check_search(test, browser):
    browser.key("/")
    browser.type("h2d")
    settle(browser)
    found = browser.run("things.filter((thing, i) => state.matches[i] && thing[THING.COUNT]).length")
    test.expect(found > 0, "the search finds no copies")
    browser.key("Enter")
    browser.wait_for("!!(state.picked && state.picked.chunk)")
    first = browser.run("state.picked.chunk.start[state.picked.index]")
    browser.key("Enter")
    browser.wait_for(f"state.picked.chunk.start[state.picked.index] > {first}")
    browser.key("Escape")
    test.expect(browser.run("state.matches === null"), "Escape does not end the search")


def check_sums(test, browser):
    """Of all that is in sight the sums are those of the lanes."""
    browser.key("0")
    browser.key("v")
    browser.wait_for("!!details.querySelector('table')")
    rows = browser.run(
        "[...details.querySelector('table').rows].slice(1).map((row) => [row.cells[0].textContent, row.cells[1].textContent])"
    )
    lanes = browser.run("measured.lanes.filter((lane) => lane.kind !== 'engine').map((lane) => [lane.name, formatCount(lane.count)])")
    test.expect(rows == lanes, f"the sums are {rows}, the lanes have {lanes}")
    browser.key("Escape")


def check_hover(test, browser):
    """Over the middle of the first long event of each lane there is a tip with its facts."""
    browser.key("0")
    settle(browser)
    point = browser.run(
        """(() => {
	const pane = state.panes[0], lane = pane.run.lanes.find((one) => one.kind === "stream");
	const chunk = chunkNow(lane.chunks[0]), box = canvas.getBoundingClientRect();
	const index = chunk.length.indexOf(chunk.longest);
	return [box.x + xOf(chunk.start[index] + chunk.longest / 2), box.y + laneY(pane, lane) + LANE / 2];
})()"""
    )
    browser.mouse("mouseMoved", *point)
    settle(browser)
    text = browser.run("tip.hidden ? '' : tip.textContent")
    test.expect("takes" in text and "starts at" in text and "times" in text, "no facts over an event: " + text)


def check_keys(test, browser):
    """All can be reached without a mouse."""
    browser.run("canvas.focus()")
    browser.key("ArrowDown")
    test.expect(browser.run("!!state.lane"), "the key for the lane below does nothing")
    for key in ".,+-dabtlmmixX?":
        browser.key(key)
    test.expect(browser.run("!help.hidden"), "the key ? shows no keys")
    browser.key("Escape")
    browser.key("t")
    browser.key("1")
    test.expect(browser.run("state.finding") == 0, "the key 1 does not go to the first finding")
    names = browser.run("[...document.querySelectorAll('button')].filter((one) => !one.textContent && !one.ariaLabel).length")
    test.expect(names == 0, f"{names} buttons have no name")


def check_page(test, browser):
    page = test.page_of(os.path.join(test.root, "samples/recordings/pageable_copy.db"))
    test.open(browser, page)
    test.expect(browser.run("document.querySelectorAll('.card').length") == 2, "there are not two findings")
    for check in (check_finding, check_zoom, check_after, check_bases, check_search, check_sums, check_hover, check_keys):
        check(test, browser)
    test.open(browser, page, anchor="#finding-2")
    test.expect(browser.run("state.finding") == 1, "a link with #finding-2 does not go there")
    test.expect(browser.complaints() == [], f"the page complains: {browser.complaints()}")


# How full each of 1000 pixels is, by the lane's levels of detail and by its events.
BOTH_WAYS = """(async () => {
	const run = shown.runs[RUN], lane = run.lanes.find((one) => one.name === LANE);
	const view = { from: run.end_ns * FROM, to: run.end_ns * TO, base: run.end_ns * FROM };
	const scale = 1000 / (view.to - view.from), rows = [new PixelRow(), new PixelRow()], wide = [];
	const level = levelFor(run, lane, 1 / scale);
	for (const tile of lane.levels[level])
		if (tile)
			await loadBlock(tile[0]);
	for (const row of rows)
		row.resize(1000);
	addBins(rows[0], run, lane, level, view, scale, colours);
	for (const source of sourcesOf(run, lane))
		for (const row of source.chunks)
			addEvents(rows[1], lane, await loadChunk(row), view, scale, colours, null, wide);
	let sums = [0, 0], apart = 0;
	for (let at = 0; at < 4000; at += 40) {
		const parts = rows.map((row) => row.sums.slice(at, at + 40).filter((_, i) => i % 4 === 3).reduce((sum, part) => sum + Math.min(part, 1), 0));
		sums = sums.map((sum, i) => sum + parts[i]);
		apart = Math.max(apart, Math.abs(parts[0] - parts[1]) / 10);
	}
	return { level, wide: wide.length, sums, apart };
})()"""


def check_levels(test, browser):
    """What is drawn from the levels of detail is what would be drawn from the events."""
    page = os.path.join(test.folder, "scale.html")
    scale = os.path.join(os.path.dirname(test.streamtrace), "tests/viewer_scale")
    subprocess.run([scale, "100000", page], check=True)
    test.open(browser, page)
    for run, lane, start, end, level in ((0, "compute", 0.5, 0.55, 2), (1, "compute", 0.2, 0.25, 2), (0, "stream 3", 0.1, 0.7, 0),
                                         (0, "thread 4001", 0.4, 0.55, 1)):
        script = BOTH_WAYS.replace("RUN", str(run)).replace("LANE", f"'{lane}'")
        found = browser.run(script.replace("FROM", str(start)).replace("TO", str(end)))
        where = f"{lane} of run {run} from {start} to {end}: {found}"
        test.expect(found["level"] == level and found["wide"] == 0, "not as was to be compared: " + where)
        test.expect(abs(found["sums"][0] / found["sums"][1] - 1) < 0.05, "levels and events differ: " + where)
        test.expect(found["apart"] < 0.15, "levels and events differ somewhere: " + where)
    test.expect(browser.complaints() == [], f"a large page complains: {browser.complaints()}")


def check_filter(test, browser):
    """Findings keep the numbers of the whole report."""
    page = test.page_of(os.path.join(test.root, "samples/recordings/pageable_copy.db"), options=("--site", "pageable_copy.cu:22"))
    test.open(browser, page)
    test.expect(browser.run("cards.length === 1 && !!document.getElementById('finding-2')"), "no finding 2 alone")
    click(browser, "#finding-2 .title")
    click(browser, "#finding-2 .main")
    test.expect(browser.run("state.panes[1].run.fixes.join()") == "2", "not the run after fix 2")
    test.expect(browser.run("runTitle(state.panes[1].run)").startswith("After fix 2, predicted"), "fix 2 has another title")


def check_phone(test, browser):
    test.open(browser, test.page_of(os.path.join(test.root, "samples/recordings/default_stream.db")), size=PHONE)
    for tab in ("findings", "timeline"):
        browser.run(f"showTab('{tab}')")
        settle(browser)
        wide = browser.run("document.documentElement.scrollWidth - innerWidth")
        test.expect(wide <= 0, f"on a phone the {tab} are {wide} px too wide")
        small = browser.run(
            "[...document.querySelectorAll('button')].filter((one) => one.offsetParent && !one.closest('.link, h2, th') && one.offsetHeight < 30).length"
        )
        test.expect(small == 0, f"on a phone {small} buttons of the {tab} are too small for a finger")


def make_ranges(database):
    """A range around all calls of each thread, in it one around each hundred calls, and a started one."""
    database.executescript(
        """
        CREATE TABLE nvtx_ranges (id INTEGER PRIMARY KEY, is_pushed, thread_id, start_ns, end_ns, end_thread_id, name_id,
                                  domain_id, color);
        INSERT INTO strings VALUES (900001, 'epoch'), (900002, 'step'), (900003, 'train');
        INSERT INTO nvtx_ranges (is_pushed, thread_id, start_ns, end_ns, name_id, domain_id)
          SELECT 1, thread_id, min(start_ns), NULL, 900001, 900003 FROM calls GROUP BY thread_id;
        INSERT INTO nvtx_ranges (is_pushed, thread_id, start_ns, end_ns, name_id)
          SELECT 1, thread_id, min(start_ns), max(end_ns), 900002 FROM calls GROUP BY thread_id, id / 100;
        INSERT INTO nvtx_ranges (is_pushed, thread_id, start_ns, end_ns, name_id)
          SELECT 0, thread_id, min(start_ns), max(end_ns), 900002 FROM calls GROUP BY thread_id;"""
    )


def make_evil(test):
    """A recording all of whose texts would be markup and script."""
    path = os.path.join(test.folder, "evil.db")
    shutil.copy(os.path.join(test.root, "samples/recordings/pageable_copy.db"), path)
    database = sqlite3.connect(path)
    make_ranges(database)
    texts = {"strings": "text", "frames": "function", "functions": "name", "devices": "name", "modules": "path"}
    for table, column in [*texts.items(), ("frames", "file")]:
        if any(row[1] == column for row in database.execute(f"PRAGMA table_info({table})")):
            database.execute(f"UPDATE {table} SET {column} = ? || {column}", (EVIL,))
    database.execute("UPDATE metadata SET value = ? WHERE key IN ('program', 'working_directory')", (EVIL,))
    database.commit()
    database.close()
    return path


def make_far(test):
    """A recording with an operation at the last time that a trace can have."""
    path = os.path.join(test.folder, "far.db")
    shutil.copy(os.path.join(test.root, "samples/recordings/pageable_copy.db"), path)
    database = sqlite3.connect(path)
    last = (1 << 62) - 1
    database.execute("UPDATE operations SET start_ns = ?, end_ns = ? WHERE id = 5", (last - 10, last))
    database.commit()
    database.close()
    return path


def elements(browser):
    return browser.run("(() => { const all = {}; for (const one of document.querySelectorAll('*')) all[one.tagName] = (all[one.tagName] || 0) + 1; return all; })()")


def check_hostile(test, browser):
    test.open(browser, test.page_of(os.path.join(test.root, "samples/recordings/pageable_copy.db")))
    expected = elements(browser)
    test.open(browser, test.page_of(make_evil(test)))
    browser.run("selectFinding(0)")
    browser.key("v")
    browser.wait_for("!!details.querySelector('table')")
    browser.run("searchBox.value = 'alert'; search()")
    settle(browser)
    test.expect(browser.run("document.title").startswith(EVIL.split("/")[-1]), "the title is not the program's name")
    test.expect(browser.run("things.some((thing) => thing[THING.NAME].includes('alert') || (thing[THING.FULL] || '').includes('alert'))"), "no name is hostile")
    found = elements(browser)
    for tag in ("IMG", "IFRAME", "SCRIPT", "LINK", "META", "STYLE", "CANVAS", "ARTICLE"):
        test.expect(
            found.get(tag, 0) == expected.get(tag, 0),
            f"a hostile trace: {found.get(tag, 0)} elements {tag} instead of {expected.get(tag, 0)}",
        )
    test.expect(browser.complaints() == [], f"a hostile trace's page complains: {browser.complaints()}")


def wait_loaded(browser, script):
    """Until the page was loaded again and the expression is true. Meanwhile a script can fail."""
    for _ in range(2400):
        try:
            if browser.run("document.body && document.body.dataset.ready === '1' && " + script):
                return
        except BrowserError:
            pass
        time.sleep(0.05)
    raise BrowserError("not after two minutes: " + script)


def check_processes(test, browser):
    """A page of several processes shows one of them, and leads to the findings of all."""
    recordings = [os.path.join(test.root, f"samples/recordings/{name}.db") for name in ("default_stream", "pageable_copy")]
    page = test.page_of(recordings[0], make_evil(test), recordings[1])
    test.open(browser, page)
    rows = "[...document.querySelectorAll('.processes .stair')]"
    test.expect(browser.run(rows + ".length") == 3, "the list has not three processes")
    test.expect(browser.run("processNow") == 2, "the process that can win back most is not shown")
    test.open(browser, page, anchor="#process-1")
    test.expect(browser.run("shown.findings[0].line") == "samples/default_stream.cu:27", "a link does not lead to a process")
    browser.click(*middle_of(browser, ".processes .stair:last-child"))
    wait_loaded(browser, "processNow === 3")
    test.expect(browser.run("location.hash") == "#process-3", "a click on a process does not set the link")
    test.expect(browser.run("shown.findings[0].line") == "samples/pageable_copy.cu:26", "a click does not show the process")
    test.expect(browser.run(rows + ".map((one) => one.ariaCurrent).join()") == "false,false,true", "another row is marked")
    browser.key("]")
    wait_loaded(browser, "processNow === 1")
    browser.key("[")
    wait_loaded(browser, "processNow === 3")
    browser.run("document.querySelector('.all').open = true")
    saved = browser.run("[...document.querySelectorAll('.one b')].map((one) => one.textContent)")
    test.expect(len(saved) == 5 and saved[0] == saved[1], f"the findings of all processes save {saved}")
    browser.click(*middle_of(browser, ".all .one:last-child"))
    wait_loaded(browser, "processNow === 1 && state.finding === 0")
    test.expect(browser.run("location.hash") == "#process-1-finding-1", "a click on a finding does not set the link")
    test.open(browser, page, anchor="#process-2-finding-2")
    test.expect(browser.run("state.finding === 1 && processNow === 2"), "a link does not lead to a process's finding")
    test.expect(browser.run("document.querySelectorAll('img').length") == 0, "a hostile name became an element")
    test.open(browser, page, anchor="#process-4-finding-9")
    test.expect(browser.run("state.finding === -1 && processNow === 2"), "a link to what is not there fails")
    test.expect(browser.complaints() == [], f"a page of processes complains: {browser.complaints()}")


def check_ranks(test, browser):
    """Ranks are listed by number, whatever the order of their files."""
    paths = []
    for rank in ("0", "10", "2"):
        paths.append(os.path.join(test.folder, f"trace.{rank}.db"))
        shutil.copy(os.path.join(test.root, "samples/recordings/default_stream.db"), paths[-1])
        database = sqlite3.connect(paths[-1])
        database.execute("INSERT OR REPLACE INTO metadata VALUES ('rank', ?)", (rank,))
        database.commit()
        database.close()
    test.open(browser, test.page_of(*paths))
    names = browser.run("[...document.querySelectorAll('.processes .stair span')].map((one) => one.textContent.split(':')[0])")
    test.expect(names == ["rank 0", "rank 2", "rank 10"], f"the ranks are listed as {names}")
    browser.key("]")
    wait_loaded(browser, "processNow === 3")


def check_rank_lanes(test, browser):
    """Lanes of the ranks of a machine are on one axis: the rank that all wait for is in collectives shortest."""
    job = os.path.join(test.folder, "job")
    subprocess.run([os.path.join(test.root, "tests/bench/ranks.py"), job, "6", "--host-ranks", "4", "--steps", "8"], check=True)
    test.open(browser, test.page_of(*(os.path.join(job, name) for name in sorted(os.listdir(job)) if name.endswith(".db"))))
    rows = "[...document.querySelectorAll('.lanes .lane')]"
    test.expect(browser.run(rows + ".map((one) => one.textContent)") == [f"rank {i}" for i in range(6)], "the lanes' names")
    test.expect(browser.run("document.querySelectorAll('.machines > div').length") == 2, "each machine has its own axis")
    shares = browser.run("processOrder.map((at) => [...processes[at - 1].lane.collectives].reduce((sum, one) => sum + Number(one), 0))")
    test.expect(min(shares) == shares[1] and max(shares[:1] + shares[2:]) > 3 * shares[1], f"time in collectives {shares}")
    test.expect(browser.run(rows + ".every((one) => one.querySelectorAll('path').length === 2)"), "a lane is not drawn")
    browser.click(*middle_of(browser, ".lanes .lane:nth-child(3)"))
    wait_loaded(browser, "processNow === 3")
    many = os.path.join(test.folder, "machines")
    subprocess.run([os.path.join(test.root, "tests/bench/ranks.py"), many, "60", "--host-ranks", "1", "--steps", "2", "--straggler", "40"], check=True)
    test.open(browser, test.page_of(many))
    test.expect(browser.run("document.querySelector('.lanes').clientHeight < innerHeight / 2"), "many machines push the findings away")
    seen = "((row, list) => row.top >= list.top && row.bottom <= list.bottom)(...[one, one.parentElement.closest('.stairs, .machines')].map((it) => it.getBoundingClientRect()))"
    test.expect(browser.run(f"processNow === 41 && [...document.querySelectorAll('aside [aria-current=true]')].map((one) => {seen}).join() === 'true,true'"), "the shown process is not in sight")
    test.expect(browser.complaints() == [], f"lanes complain: {browser.complaints()}")


def check_ranges(test, browser):
    """NVTX ranges: lanes above the calls of their thread, which can be picked and found."""
    path = os.path.join(test.folder, "ranges.db")
    shutil.copy(os.path.join(test.root, "samples/recordings/pageable_copy.db"), path)
    with sqlite3.connect(path) as database:
        make_ranges(database)
    test.open(browser, test.page_of(path))
    kinds = browser.run("measured.lanes.filter((lane) => lane.group === 'Host').map((lane) => lane.kind).slice(0, 4)")
    test.expect(kinds == ["ranges", "ranges", "ranges", "thread"], f"the lanes of the host are {kinds}")
    test.expect(browser.run("shown.runs[1].lanes.every((lane) => lane.kind !== 'ranges')"), "a replay has ranges")
    test.expect(colours_of(browser, "class-9") > 1000, "no ranges are drawn")
    browser.run("searchBox.value = 'step'; search()")
    settle(browser)
    browser.run("searchNext(1)")
    settle(browser)
    test.expect(browser.run("state.picked && state.picked.lane.kind === 'ranges'"), "the search finds no range")
    test.expect("step" in browser.run("details.textContent"), "the details do not name the range")
    places = browser.run("JSON.stringify(shown.findings[0].places[0].text)")
    test.expect("in NVTX range" in places, "no place is in a range: " + places)
    test.expect(browser.complaints() == [], f"ranges: the page complains: {browser.complaints()}")


def make_host(test):
    """The trace of tests/cli/host.sql: three threads, of which one makes calls."""
    path = os.path.join(test.folder, "host.db")
    if not os.path.exists(path):
        with sqlite3.connect(path) as database:
            for name in ("preload/schema.sql", "tests/cli/host.sql"):
                with open(os.path.join(test.root, name), encoding="utf-8") as sql:
                    database.executescript(sql.read())
    return path


def point_in(browser, lane, time):
    """The lane's point at that time of the measured run."""
    return browser.run(
        f"""(() => {{
	const box = canvas.getBoundingClientRect(), lane = measured.lanes.find((one) => {lane});
	return [box.x + xOf({time}), box.y + laneY(state.panes[0], lane) + LANE / 2];
}})()"""
    )


MAIN_STATES = "one.kind === 'states' && one.name === 'main thread'"


def check_states(test, browser):
    """What threads did between their calls: below the calls, by colour, with facts, and threads that hardly ran on demand."""
    test.open(browser, test.page_of(make_host(test)))
    browser.run("setMode('before')")
    settle(browser)
    rows = "rowsOf(measured).filter((row) => row.y >= laneY(state.panes[0], measured.lanes.find((lane) => lane.kind === 'thread')) - state.panes[0].top)"
    labels = browser.run(rows + ".map((row) => row.label || row.text)")
    test.expect(labels == ["main thread", "between calls", "loader-0", "\u25b8 1 thread that hardly ran"], f"rows of the host: {labels}")
    test.expect(colours_of(browser, "class-13") > 1000, "no waits for threads are drawn")
    legend = browser.run("document.querySelector('.legend').textContent")
    test.expect(legend.endswith("Host threads between their callsrunningwaiting for a threadwaiting for input"), "the legend: " + legend)
    check_wait(test, browser)
    check_fold(test, browser)
    browser.key("0")
    browser.key("v")
    browser.wait_for("!!details.querySelector('table')")
    sums = browser.run("[...details.querySelectorAll('table')[1].rows].slice(1, 3).map((row) => [...row.cells].map((cell) => cell.textContent))")
    test.expect(sums == [["main thread, running", "450 ms", "48.4\xa0%"], ["main thread, in CUDA calls", "290 ms", "31.2\xa0%"]], f"sums: {sums}")
    browser.run("searchBox.value = 'queue.get'; search(); searchNext(1)")
    browser.wait_for("!!(state.picked && state.picked.chunk && state.picked.lane.kind === 'states')")
    test.expect(browser.complaints() == [], f"states: the page complains: {browser.complaints()}")


def check_wait(test, browser):
    """A click on a wait says who ran meanwhile, and goes there."""
    browser.mouse("mouseMoved", *point_in(browser, MAIN_STATES, 1.9e8))
    settle(browser)
    text = browser.run("tip.textContent")
    for words in ("waiting for a thread", "Host, main thread (100)", "queue.get", "looks20", "train.py:30", "inmain"):
        test.expect(words in text, f"the facts of a wait lack {words}: {text}")
    browser.click(*point_in(browser, MAIN_STATES, 1.9e8))
    browser.wait_for("!!details.querySelector('.link')")
    text = browser.run("details.querySelector('.link').textContent")
    test.expect(text == "thread loader-0, running, loader.py:12 fill (json.loads), 18.0 ms", "who ran meanwhile: " + text)
    browser.run("details.querySelector('.link').click()")
    settle(browser)
    test.expect(browser.run("state.picked.lane.name") == "thread loader-0", "the link does not go to who ran")


def check_fold(test, browser):
    """Threads that hardly ran: a click on their row shows them, the key hides them."""
    fold = "rowsOf(measured).find((row) => row.isFold)"
    third = "rowsOf(measured).filter((row) => row.lane && row.lane.folded).length"
    y = browser.run(f"canvas.getBoundingClientRect().y + state.panes[0].top + {fold}.y + GROUP / 2")
    x = browser.run("canvas.getBoundingClientRect().x + 40")
    test.expect(browser.run(third) == 0, "a thread that hardly ran is shown at first")
    browser.click(x, y)
    settle(browser)
    test.expect(browser.run(third) == 1, "a click on the row does not show them")
    browser.key("e")
    test.expect(browser.run(third) == 0, "the key e does not hide them")


def make_races(test, case):
    """The trace of a case of tests/detectors/races."""
    path = os.path.join(test.folder, case + ".db")
    with sqlite3.connect(path) as database:
        for name in ("preload/schema.sql", "tests/support/prelude.sql", f"tests/detectors/races/{case}.sql"):
            with open(os.path.join(test.root, name), encoding="utf-8") as sql:
                database.executescript(sql.read().split("-- Found:")[0])
    return path


def check_races(test, browser):
    """A click on a race shows both accesses, and an arrow from the second to the end of the first."""
    test.open(browser, test.page_of(make_races(test, "copies")))
    rows = browser.run("raceRows().map((row) => row.textContent)")
    test.expect(len(rows) == 1 and rows[0].startswith("certain, 1 time: cudaMemcpyAsync at app.cu:30 writes what"), f"races: {rows}")
    before = colours_of(browser, "lost")
    click(browser, ".races button")
    ends = browser.run("[placeNow().waiter, placeNow().waited].map((end) => [measured.lanes[end[0]].name, end[1] / 1e6, end[2] / 1e6])")
    test.expect(ends == [["stream 24", 5, 15], ["stream 23", 0, 10]], f"the ends of the arrow: {ends}")
    test.expect(browser.run("state.from < placeNow().start_ns && placeNow().end_ns < state.to"), "the race is not in sight")
    test.expect(colours_of(browser, "lost") > before + 100, "no arrow is drawn")
    text = browser.run("details.textContent")
    for words in ("Race 1 of 1", "nothing orders them", "first", "second", "app.cu:30", "app.cu:31"):
        test.expect(words in text, f"the details lack {words}: {text}")
    # A touch of the host is a moment in its thread's lane.
    test.open(browser, test.page_of(make_races(test, "host-early")))
    click(browser, ".races button")
    ends = browser.run("[placeNow().waiter, placeNow().waited].map((end) => [measured.lanes[end[0]].kind, end[1] / 1e6, end[2] / 1e6])")
    test.expect(ends == [["thread", 4, 4], ["stream", 0, 10]], f"the ends of the arrow to a touch: {ends}")
    browser.key("n")
    test.expect(browser.run("state.race === 1"), "the key n does not go to the next race")
    test.expect(browser.complaints() == [], f"races: the page complains: {browser.complaints()}")


def check_votes(test, browser):
    """States that share a pixel do not mix: it has the colour of the one that fills most of it."""
    test.open(browser, test.page_of(make_host(test)))
    drawn = browser.run(
        f"""(() => {{
	const row = new PixelRow(), lane = measured.lanes.find((one) => {MAIN_STATES});
	row.resize(5);
	drawLane(row, measured, lane, {{ from: 0, to: measured.end_ns, base: 0 }}, 5 / measured.end_ns, colours, null);
	return [...Array(5).keys()].map((pixel) => [0, 1, 2].map((at) => Math.round(row.sums[4 * pixel + at] / row.sums[4 * pixel + 3])).join() === colours[11].join());
}})()"""
    )
    test.expect(drawn == [True] * 5, f"pixels of two steps each, of which work takes half: {drawn}")


def check_far(test, browser):
    """Times that no run has are drawn like others."""
    test.open(browser, test.page_of(make_far(test)))
    for times in ("lastTime - 1, lastTime", "0, 1", "lastTime / 2, lastTime / 2"):
        browser.run(f"show({times})")
        settle(browser)
        test.expect(browser.run("state.to - state.from >= 50 && scaleNow() < 1e6"), f"far times: nothing is in sight of {times}")
    test.expect(browser.run("lastTime > 2e18"), "far times: no event is far")
    test.expect(browser.complaints() == [], f"far times: the page complains: {browser.complaints()}")


def check_without_script(test, browser):
    """Without JavaScript the findings of all processes are listed, with their fixes."""
    recordings = [os.path.join(test.root, f"samples/recordings/{name}.db") for name in ("default_stream", "pageable_copy")]
    page = test.page_of(recordings[0], make_evil(test), recordings[1])
    browser.call("Emulation.setScriptExecutionDisabled", value=True)
    for size in (DESKTOP, PHONE):
        browser.resize(*size, is_phone=size == PHONE)
        browser.open("file://" + page)
        browser.wait_for("document.readyState === 'complete' && !document.querySelector('canvas')")
        found = "[...document.querySelectorAll('.process')].map((one) => [...one.querySelectorAll('.card .fix')].filter((fix) => fix.offsetHeight).length)"
        test.expect(browser.run(found) == [1, 2, 2], f"without JavaScript fixes are seen: {browser.run(found)}")
        wide = browser.run("document.documentElement.scrollWidth - innerWidth")
        test.expect(wide <= 0, f"without JavaScript the page is {wide} px too wide")
    test.expect(browser.run("document.querySelectorAll('img').length") == 0, "without JavaScript a hostile name became an element")


def check_words(test, browser):
    """The page says the words and the figures of the text report."""
    for name in ("pageable_copy", "compile_in_loop", "stream_churn"):
        recording = os.path.join(test.root, f"samples/recordings/{name}.db")
        text = subprocess.run([test.streamtrace, "report", "--no-measure", recording], check=True, capture_output=True, text=True,
                              env={**os.environ, "COLUMNS": "100"}).stdout
        said = " ".join(text.split())
        test.open(browser, test.page_of(recording))
        parts = browser.run("""[...document.querySelectorAll(".headline h2, .headline p, .run, #finding-1 .more > p, .card .more > p:not(.fix)")]
			.filter((one) => !one.querySelector("a")).map((one) => one.textContent)""")
        for part in parts:
            for words in part.replace("\u00b7", "\n").split("\n"):
                test.expect(" ".join(words.split()) in said, f"{name}: the page says other than the text: {words}")
        test.expect(len(parts) > 8, f"{name}: the page says only {parts}")
    times = "[999, 1234, 9996, 99960, 999600, 1234567, 59.96e6, 1e9, 1234e9].map(formatTime)"
    expected = ["999 ns", "1.23 us", "10.0 us", "100 us", "1.00 ms", "1.23 ms", "60.0 ms", "1.00 s", "1234 s"]
    test.expect(browser.run(times) == expected, f"times: {browser.run(times)}")


def check_apart(test, browser):
    """Starts have the digits that tell short events apart: of two kernels one behind the other no two are the same."""
    expected = ["846.012 ms", "846 ms", "1.50 us", "0 ns", "12.34567890 s"]
    times = "[[846012345, 12000], [846012345, 20e6], [1500, 100], [0, 5], [12345678901, 100]].map(([ns, apart]) => formatApart(ns, apart))"
    test.open(browser, test.page_of(os.path.join(test.root, "samples/recordings/tiny_kernels.db")))
    test.expect(browser.run(times) == expected, f"times apart: {browser.run(times)}")
    starts = browser.run("""(async () => {
	const lane = measured.lanes.find((one) => one.kind === "stream" && one.count > 20), chunk = await loadChunk(lane.chunks[0]);
	return [...Array(20).keys()].map((index) => factsOf({ run: measured, lane, chunk, index }).find(([what]) => what === "starts at")[1]);
})()""")
    test.expect(len(set(starts)) == 20, f"starts of different events are shown as {starts}")


def check_enqueued(test, browser):
    """The line that enqueued an operation is in sight when the operation is clicked."""
    page = test.page_of(os.path.join(test.root, "samples/recordings/tiny_kernels.db"))
    for size in (DESKTOP, PHONE):
        test.open(browser, page, size=size)
        browser.run("""(async () => {
	showTab("timeline");
	const lane = measured.lanes.find((one) => one.kind === "stream" && one.count > 20), chunk = await loadChunk(lane.chunks[0]);
	await pick({ run: measured, lane, chunk, index: 1 });
})()""")
        settle(browser)
        row = browser.run("[...details.querySelectorAll('dt')].find((one) => one.textContent === 'enqueued by')?.nextSibling.textContent || ''")
        test.expect("tiny_kernels.cu:" in row, f"an operation's line is said as {row}")
        seen = "((row, box) => row.bottom <= box.bottom && row.top >= box.top)(details.querySelector('.link').getBoundingClientRect(), details.getBoundingClientRect())"
        test.expect(browser.run(seen), "one must scroll to see the line that enqueued an operation")


# How long each event of that name took.
EVENTS_OF = """(async () => {
	const lengths = [];
	for (const lane of measured.lanes.filter((one) => one.kind !== "engine"))
		for (const row of lane.chunks) {
			const chunk = await loadChunk(row);
			chunk.thing.forEach((thing, index) => things[thing][THING.NAME] === "WANTED" && lengths.push(chunk.length[index]));
		}
	return lengths;
})()"""


def check_table(test, browser):
    """Kernels, copies and calls by name: the sums of the trace, sorted by each column; a click shows the longest."""
    test.open(browser, test.page_of(os.path.join(test.root, "samples/recordings/serial_chunks.db")))
    browser.key("l")
    settle(browser)
    rows = "[...details.querySelectorAll('tbody tr')].map((row) => [...row.cells].map((cell) => cell.textContent))"
    found = {row[0]: row[1:] for row in browser.run(rows)}
    copies = browser.run(EVENTS_OF.replace("WANTED", "H2D copy"))
    times = browser.run(f"[{sum(copies)}, {sum(copies) / len(copies)}, {max(copies)}].map(formatTime)")
    test.expect(found.get("H2D copy") == [f"{len(copies):,}", *times], f"the table's copies are {found.get('H2D copy')}, not {len(copies)}, {times}")
    test.expect("cudaMemcpyAsync" in found and len(found) == browser.run("new Set(things.map((one) => one[THING.NAME])).size"), f"the table has {found}")
    for column, name in enumerate(("name", "times", "total", "mean", "longest")):
        browser.run(f"details.querySelectorAll('th button')[{column}].click()")
        first = "TABLE_COLUMNS.map(([, valueOf]) => tableRows().map(valueOf))"
        values = browser.run(first)[column]
        is_up = browser.run("tableOrder.isUp")
        test.expect(values == sorted(values, reverse=not is_up), f"the table is not sorted by {name}: {values}")
        test.expect(browser.run("[...details.querySelectorAll('th')].map((one) => one.ariaSort)")[column] is not None, f"nothing says that the table is sorted by {name}")
    browser.run("[...details.querySelectorAll('tbody button')].find((one) => one.textContent === 'H2D copy').click()")
    browser.wait_for("!!(state.picked && state.picked.chunk)")
    test.expect(browser.run("state.picked.chunk.length[state.picked.index]") == max(copies), "a click does not show the longest")
    test.expect(browser.run("!!details.querySelector('tbody')"), "a click on a row closes the table")
    test.expect(browser.run("state.picked.chunk.length[state.picked.index] * scaleNow() > 8"), "the longest is too narrow to see")
    browser.key("Escape")
    test.expect(browser.run("state.matches === null && !details.querySelector('tbody')"), "Escape does not close the table")


ROWS = "rowsOf(measured).filter((row) => row.lane).map((row) => row.lane.name)"


def check_lanes(test, browser):
    """A lane's name pins it above the others or hides it, in both runs; keys do the same."""
    test.open(browser, test.page_of(os.path.join(test.root, "samples/recordings/serial_chunks.db")), size=(1280, 560))
    names = browser.run(ROWS)
    x, y = browser.run("((box) => [box.x + 40, box.y + rowTop(state.panes[0], rowsOf(measured)[3]) + LANE / 2])(canvas.getBoundingClientRect())")
    browser.click(x, y)
    settle(browser)
    chosen = browser.run("state.lane.name")
    test.expect(chosen in names and chosen in browser.run("details.textContent"), f"a click on a lane's name shows {chosen}")
    click(browser, "#details .walk button")
    test.expect(browser.run(ROWS) == [chosen] + [name for name in names if name != chosen], f"pinned lanes are {browser.run(ROWS)}")
    test.expect(browser.run("rowsOf(shown.runs[1])[0].lane.name") == chosen, "a lane is not pinned in the other run")
    browser.run("scrollPane(state.panes[0], 60); draw()")
    test.expect(browser.run("state.panes[0].scroll > 0 && rowTop(state.panes[0], rowsOf(measured)[0]) === state.panes[0].top"), "a pinned lane scrolls away")
    at = browser.run("(hit(20, rowTop(state.panes[0], rowsOf(measured).find((row) => row.lane)) + 5).row || {}).label")
    test.expect(at == chosen, f"over the pinned lane is {at}")
    browser.key("x")
    settle(browser)
    test.expect(browser.run(ROWS) == [name for name in names if name != chosen], f"without the hidden lane there are {browser.run(ROWS)}")
    test.expect(browser.run("rowsOf(measured).at(-1).text").endswith("1 hidden lane"), "nothing says that a lane is hidden")
    browser.run("scrollPane(state.panes[0], 1e6); draw()")
    x, y = browser.run("((box) => [box.x + 40, box.y + rowTop(state.panes[0], rowsOf(measured).at(-1)) + 8])(canvas.getBoundingClientRect())")
    browser.click(x, y)
    settle(browser)
    test.expect(browser.run(ROWS) == names, "a click on the row does not show hidden lanes")


def check_ruler(test, browser):
    """Between two points it says how far they are apart: by a drag along the axis, which holds to edges, and by keys."""
    test.open(browser, test.page_of(os.path.join(test.root, "samples/recordings/pageable_copy.db")))
    start, end = browser.run("((chunk) => [chunk.start[0], chunk.start[0] + chunk.length[0]])(chunkNow(measured.lanes.find((one) => one.kind === 'stream').chunks[0]))")
    browser.run(f"show({start} - ({end} - {start}), {end} + ({end} - {start}))")
    settle(browser)
    x1, x2, y = browser.run(f"((box) => [box.x + xOf({start}) + 1, box.x + xOf({end}) - 1, box.y + 8])(canvas.getBoundingClientRect())")
    browser.mouse("mousePressed", x1, y, button="left", clickCount=1)
    browser.mouse("mouseMoved", (x1 + x2) / 2, y, button="left")
    browser.mouse("mouseMoved", x2, y, button="left")
    browser.mouse("mouseReleased", x2, y, button="left", clickCount=1)
    settle(browser)
    holds = browser.run(f"state.ruler.from === {start} && Math.abs(state.ruler.to - {end}) * scaleNow() < 1 && Number.isInteger(state.ruler.to)")
    test.expect(holds, "a drag along the axis does not measure from edge to edge")
    said = browser.run("formatDistance(state.ruler.to - state.ruler.from)")
    test.expect(browser.run("details.textContent").startswith(said + " measured") and len(said.replace(".", "").split()[0]) >= 6, f"measured: {said}")
    browser.key("Escape")
    test.expect(browser.run("state.ruler === null"), "Escape does not take the ruler away")
    browser.run("canvas.focus(); state.lane = measured.lanes.find((one) => one.kind === 'stream'); state.picked = null")
    browser.key(".")
    browser.wait_for("!!(state.picked && state.picked.chunk)")
    browser.key("m")
    first = browser.run("state.picked.chunk.start[state.picked.index]")
    browser.key(".")
    browser.wait_for(f"state.picked.chunk.start[state.picked.index] !== {first}")
    second = browser.run("state.picked.chunk.start[state.picked.index]")
    browser.key("m")
    test.expect(browser.run("state.ruler.to - state.ruler.from") == abs(second - first), "the key m does not measure from event to event")
    test.expect("end to start" in browser.run("details.textContent"), "the ruler does not say the gap between two events")


def check_threads(test, browser):
    """Threads have the names that the trace has for them."""
    path = os.path.join(test.folder, "threads.db")
    shutil.copy(make_host(test), path)
    with sqlite3.connect(path) as database:
        database.executescript("DELETE FROM host_states; UPDATE metadata SET value = 101 WHERE key = 'process_id'; UPDATE threads SET name = 'feeder' WHERE id = 100;")
    test.open(browser, test.page_of(path))
    names = browser.run("measured.lanes.filter((lane) => lane.kind === 'thread').map((lane) => lane.name)")
    test.expect(names == ["thread feeder"], f"the threads are called {names}")


def check_apart_runs(test, browser):
    """Traces that are not of one run stand each by itself; ranks of a job on two machines belong together."""
    paths = []
    for name in ("first", "second", "third"):
        paths.append(os.path.join(test.folder, name + ".db"))
        shutil.copy(os.path.join(test.root, "samples/recordings/default_stream.db"), paths[-1])
    with sqlite3.connect(paths[2]) as database:
        for table in ("calls", "operations"):
            database.execute(f"UPDATE {table} SET start_ns = start_ns + 3600000000000, end_ns = end_ns + 3600000000000")
    test.open(browser, test.page_of(paths[0], paths[2]))
    test.expect(browser.run("document.querySelector('.processes h2').textContent") == "2 traces, each by itself", "two runs are taken for one")
    test.expect(browser.run("document.querySelectorAll('.machines > div').length") == 2, "two runs share an axis")
    test.open(browser, test.page_of(*paths))
    title = browser.run("document.querySelector('.processes h2').textContent")
    test.expect(title == "3 traces of 2 runs" and browser.run("document.querySelector('.processes h3').textContent") == "Run 1: 2 processes", f"three traces of two runs: {title}")
    test.open(browser, test.page_of(*paths[:2]))
    test.expect(browser.run("document.querySelector('.processes h2').textContent") == "2 processes", "two processes of one time are taken for two runs")
    with sqlite3.connect(paths[1]) as database:
        database.execute("INSERT OR REPLACE INTO metadata VALUES ('boot_id', 'another machine')")
    test.open(browser, test.page_of(*paths[:2]))
    test.expect(browser.run("processTitle()") == "2 traces, each by itself", "traces of two machines without ranks are taken for one run")
    for rank, path in enumerate(paths[:2]):
        with sqlite3.connect(path) as database:
            database.execute("INSERT OR REPLACE INTO metadata VALUES ('rank', ?)", (str(rank),))
    test.open(browser, test.page_of(*paths[:2]))
    test.expect(browser.run("processTitle()") == "2 processes", "two ranks of two machines are taken for two runs")


def check_empty(test, browser):
    """The page of a trace without anything says so."""
    path = os.path.join(test.folder, "empty.db")
    with sqlite3.connect(path) as database, open(os.path.join(test.root, "preload/schema.sql"), encoding="utf-8") as sql:
        database.executescript(sql.read())
    test.open(browser, test.page_of(path, status=5))
    browser.run("dispatchEvent(new Event('beforeprint')); dispatchEvent(new Event('afterprint')); showTable()")
    settle(browser)
    test.expect("no GPU operations" in browser.run("document.querySelector('.headline').textContent"), "an empty trace says nothing")
    test.expect(browser.complaints() == [], f"an empty trace's page complains: {browser.complaints()}")


# axe-core (npm) says what people with a screen reader or weak eyes cannot use.
AXE = """axe.run().then((found) => found.violations.map((one) => one.id + ": " + one.nodes.slice(0, 3).map((node) => node.html.slice(0, 120)).join(", ")))"""


def check_axe(test, browser):
    path = os.environ.get("AXE_CORE", "")
    if not os.path.exists(path):
        print("axe: left out: AXE_CORE does not name axe-core's axe.min.js (npm install axe-core)")
        return
    axe = read(path).decode() + ";0"
    recordings = [os.path.join(test.root, f"samples/recordings/{name}.db") for name in ("compile_in_loop", "default_stream")]
    for page in (test.page_of(recordings[0]), test.page_of(*recordings)):
        for theme, size in (("light", DESKTOP), ("dark", DESKTOP), ("light", PHONE), ("dark", PHONE)):
            test.open(browser, page, theme=theme, size=size)
            browser.run(axe)
            for step in ("0", "selectFinding(0); showTab('findings')", "showTab('timeline'); showTable()", "showLane(measured.lanes[0])",
                         "toggleHelp(); searchBox.value = 'copy'; search()"):
                browser.run(step + "; 0")
                settle(browser)
                found = browser.run(AXE)
                test.expect(not found, f"axe, {theme}, {size}, {step}: {found}")


def check_contrast(test, browser):
    """What is written on boxes and in the legend has a contrast of 4.5 to what it is written on."""
    for theme in ("light", "dark"):
        test.open(browser, test.page_of(make_host(test)), theme=theme)
        least = browser.run("""(() => {
	const numbers = (css) => css.match(/[0-9.]+/g).map(Number).slice(0, 3);
	const contrast = (a, b) => { const [one, other] = [a, b].map(luminanceOf).sort((x, y) => y - x); return (one + 0.05) / (other + 0.05); };
	const legend = getComputedStyle(document.querySelector(".legend")), foot = getComputedStyle(document.querySelector(".foot"));
	return Math.min(contrast(numbers(legend.color), numbers(foot.backgroundColor)),
		...colours.map((colour) => contrast(colour, inkOn(colour) === "#000" ? [0, 0, 0] : [255, 255, 255])));
})()""")
        test.expect(least >= 4.5, f"{theme}: a contrast of {least:.2f}")


def check_size(test, browser):
    """The pages of the largest recordings stay small."""
    for name, most in MOST_BYTES.items():
        size = os.path.getsize(test.page_of(os.path.join(test.root, f"samples/recordings/{name}.db")))
        test.expect(size <= most, f"the page of {name} has {size} bytes, more than {most}")


def check_print(test, browser):
    """On paper: the whole run, light, and all findings with their fixes; and the screen as before."""
    test.open(browser, test.page_of(os.path.join(test.root, "samples/recordings/pageable_copy.db")), theme="dark")
    browser.run("selectFinding(0)")
    settle(browser)
    before = browser.run("JSON.stringify([state.from, state.to, state.runs, canvas.width, state.panes[1].shift])")
    browser.call("Emulation.setEmulatedMedia", media="print")
    browser.run("dispatchEvent(new Event('beforeprint'))")
    test.expect(browser.run("state.from <= 0 && state.to >= measured.end_ns"), "not the whole run is printed")
    for name in ("class-0", "class-3", "class-4"):
        test.expect(colours_of(browser, name, "figure canvas") > 500, f"{name} is not printed")
    seen = "(selector) => [...document.querySelectorAll(selector)].filter((one) => one.offsetHeight).length"
    seen = browser.run(f"['.fix', '.stair', 'figure .chip', '#timeline', 'input', 'nav', '.walk'].map({seen})")
    test.expect(seen == [2, 11, 5, 0, 0, 0, 0], f"on paper are {seen} of what should and should not be there")
    browser.run("dispatchEvent(new Event('afterprint'))")
    browser.call("Emulation.setEmulatedMedia", media="", features=[{"name": "prefers-color-scheme", "value": "dark"}])
    settle(browser)
    after = browser.run("JSON.stringify([state.from, state.to, state.runs, canvas.width, state.panes[1].shift])")
    test.expect(before == after, f"the screen after printing: {after} instead of {before}")
    test.expect(browser.run("document.documentElement.dataset.theme === 'dark' && !document.querySelector('figure')"), "printing leaves traces")
    pdf = base64.b64decode(browser.call("Page.printToPDF", preferCSSPageSize=True, printBackground=True)["data"])
    sizes = {tuple(round(float(side)) for side in box.split()[2:]) for box in re.findall(rb"/MediaBox \[([0-9. ]+)\]", pdf)}
    pages = int(re.search(rb"/Count (\d+)", pdf)[1])
    test.expect(pages == 2 and sizes == {(595, 842)}, f"the PDF has {pages} pages of {sizes}, not two of A4")


def check_printed_at_once(test, browser):
    """chromium --print-to-pdf takes the page when it is loaded: then the timeline is drawn."""
    page = test.page_of(os.path.join(test.root, "samples/recordings/pageable_copy.db"))
    browser.call("Page.addScriptToEvaluateOnNewDocument", source="addEventListener('load', () => window.readyAtLoad = document.body.dataset.ready)")
    test.open(browser, page)
    browser.wait_for("document.readyState === 'complete'")
    test.expect(browser.run("window.readyAtLoad") == "1", "the page is loaded before it is drawn")


def check_policy(test, browser):
    """Whatever came to stand in the page would not be run, nor fetched."""
    test.open(browser, test.page_of(os.path.join(test.root, "samples/recordings/default_stream.db")))
    browser.run(
        "(() => { const one = document.createElement('script'); one.textContent = 'window.evil = 1'; document.body.append(one);"
        " const other = document.createElement('div'); other.innerHTML = '<img src=x onerror=\"window.evil = 2\">';"
        " document.body.append(other); return new Promise((resolve) => setTimeout(resolve, 300)); })()"
    )
    test.expect(browser.run("window.evil === undefined"), "the page runs scripts other than its own")


def check_pictures(test, browser):
    for name in RECORDINGS:
        page = test.page_of(os.path.join(test.root, f"samples/recordings/{name}.db"))
        test.open(browser, page)
        test.picture(browser, name + ".light")
        click(browser, "#finding-1 .title")
        test.picture(browser, name + ".finding")
        click(browser, "#finding-1 .main")
        test.picture(browser, name + ".after")
        test.open(browser, page, theme="dark")
        test.picture(browser, name + ".dark")
        test.open(browser, page, size=PHONE)
        click(browser, "#finding-1 .title")
        test.picture(browser, name + ".phone")
    test.open(browser, test.page_of(os.path.join(test.root, "samples/recordings/pageable_copy.db")))
    browser.run("togglePin(measured.lanes.find((lane) => lane.kind === 'thread')); setRuler(251961732, 664306732); showTable()")
    settle(browser)
    test.picture(browser, "table")
    test.open(browser, test.page_of(make_host(test)))
    browser.run("setMode('before'); show(1e8, 3.5e8)")
    settle(browser)
    test.picture(browser, "host_threads")


def check_comparison(test, browser):
    """Pictures of other pages, themes and runs are told apart."""
    pictures = {os.path.basename(path): read(path) for path in glob.glob(os.path.join(test.root, "docs/use/timeline/*.png"))}
    for first, second in (("light", "dark"), ("light", "after"), ("light", "finding")):
        for name in RECORDINGS:
            mean, far = test.difference(*(pictures[f"{name}.{kind}.png"] for kind in (first, second)))
            test.expect(
                mean > MOST_MEAN or far > MOST_FIELDS, f"{name}: {first} and {second} pass for the same: {mean:.1f}, {far:.1%}"
            )


CHECKS = (check_page, check_levels, check_filter, check_phone, check_hostile, check_processes, check_ranks, check_rank_lanes, check_ranges, check_steps, check_states, check_races, check_votes, check_far, check_without_script, check_words, check_apart, check_enqueued, check_table, check_lanes,
          check_ruler, check_threads, check_apart_runs, check_empty, check_axe, check_contrast, check_size, check_print, check_printed_at_once, check_policy, check_pictures, check_comparison)


def main():
    test = Test(sys.argv[1], sys.argv[2], "--update" in sys.argv)
    names = [name for name in sys.argv[3:] if name != "--update"]
    for check in CHECKS:
        if names and check.__name__[6:] not in names:
            continue
        before = len(test.failures)
        try:
            with Browser() as browser:
                check(test, browser)
        except Exception:
            test.expect(False, f"{check.__name__}: {traceback.format_exc()}")
        print(f"{check.__name__[6:]}: {'failed' if len(test.failures) > before else 'passed'}", flush=True)
    test.close()
    return 1 if test.failures else 0


sys.exit(main())

#!/usr/bin/python3
"""How long a page takes to open and to draw, in headless Chromium: scale.py PAGE...

A row a page: its size; from the start of its loading until findings and all lanes are drawn, until it is
loaded; and with all in sight, with a hundredth and with a 10,000th of the run in sight, of 120 frames of
panning: the processor time of the page's thread for a frame (mean), what drawing took (median), and the time
from frame to frame (median). Other work on the machine shows in the last two. The browser draws on the
processor here: where there is a GPU it is quicker.
"""
import os
import statistics
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from browser import Browser

# What the view needs is read first.
READ = """(async () => {
	show(lastTime * 0.4, lastTime * (0.4 + SHARE));
	for (let quiet = 0; quiet < 10; quiet = loading.size ? 0 : quiet + 1)
		await new Promise((resolve) => requestAnimationFrame(resolve));
})()"""
PAN = """(async () => {
	const costs = [], times = [];
	for (let i = 0; i < 120; i++) {
		pan(i % 40 < 20 ? 6 : -6);
		times.push(await new Promise((resolve) => requestAnimationFrame(resolve)));
		costs.push(drawCost);
	}
	return { costs, gaps: times.slice(1).map((time, i) => time - times[i]) };
})()"""


def thread_time(browser):
    """Of the page's main thread, in s."""
    metrics = browser.call("Performance.getMetrics")["metrics"]
    return next(metric["value"] for metric in metrics if metric["name"] == "ThreadTime")


def measure(browser, page):
    browser.call("Performance.enable", timeDomain="threadTicks")
    browser.open("file://" + os.path.abspath(page))
    browser.wait_for("document.body && document.body.dataset.ready === '1'", 300)
    browser.run("new Promise((resolve) => { redraw(); requestAnimationFrame(() => setTimeout(resolve)); })")
    ready = browser.run("readyTime")
    browser.wait_for("document.readyState === 'complete'", 300)
    whole = browser.run("performance.timing.domContentLoadedEventEnd - performance.timing.navigationStart")
    cells = [os.path.basename(page), f"{os.path.getsize(page) / 1e6:.1f} MB", f"{ready / 1000:.2f} s", f"{whole / 1000:.2f} s"]
    for share in (1, 0.01, 0.0001):
        browser.run(READ.replace("SHARE", str(share)))
        before = thread_time(browser)
        result = browser.run(PAN)
        cells.append(
            f"{(thread_time(browser) - before) * 1000 / 120:.1f} / {statistics.median(result['costs']):.1f} / "
            f"{statistics.median(result['gaps']):.1f} ms"
        )
    return cells


def main():
    print("| page | size | open | loaded | all in sight | 1 % | 0.01 % |\n|---|---|---|---|---|---|---|")
    for page in sys.argv[1:]:
        with Browser() as browser:
            print("| " + " | ".join(measure(browser, page)) + " |", flush=True)


main()

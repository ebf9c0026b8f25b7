// The timeline: where each run and lane is, and drawing them.

const canvas = element("canvas", { id: "timeline", tabIndex: 0 });
const context = canvas.getContext("2d");
const strip = document.createElement("canvas"); // a row of pixels for each lane
const stripContext = strip.getContext("2d");
const pixelRow = new PixelRow();

const RULER = 24, TITLE = 24, GROUP = 19, LANE = 20, GAP = 2;

const state = {
	from: 0, to: 1, // what is in sight
	runs: [], // indexes of shown.runs, from top to bottom
	panes: [],
	race: -1, // index in shown.races
	finding: -1, place: 0, // index in report.findings, and in its places
	hover: null, picked: null, // what hit() returns
	range: null, // { from, to } that is summed up
	ruler: null, // { from, to } that is measured
	measured: null, // where the key m began to measure: [start, end]
	matches: null, // by thing: what the search found
	width: 0, height: 0, gutter: 150,
};

function element(name, properties, ...children) {
	const made = Object.assign(document.createElement(name), properties);
	made.append(...children.filter((child) => child !== null && child !== undefined));
	return made;
}

let isDrawing = false;

function redraw() {
	if (isDrawing)
		return;
	isDrawing = true;
	requestAnimationFrame(() => {
		isDrawing = false;
		draw();
	});
}

// Colours of the style sheet.
let colours = null;

function readColour(style, name) {
	const hex = style.getPropertyValue(name).trim();
	return [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
}

function readColours() {
	const style = getComputedStyle(document.documentElement);
	const background = readColour(style, "--stage");
	colours = CLASS_NAMES.map((name, index) => readColour(style, "--class-" + index));
	colours.dim = colours.map((colour) =>
		colour.map((value, index) => Math.round(background[index] + (value - background[index]) * 0.2)));
	for (const name of ["text", "quiet", "line", "stage", "raised", "accent", "lost", "ink"])
		colours[name] = style.getPropertyValue("--" + name).trim();
	redraw();
}

function css(colour) {
	return "rgb(" + colour.join(",") + ")";
}

function scaleNow() {
	return (state.width - state.gutter) / (state.to - state.from);
}

function xOf(time) {
	return state.gutter + (time - state.from) * scaleNow();
}

function timeAt(x) {
	return state.from + (x - state.gutter) / scaleNow();
}

// Shows from one time to another: at least 50 ns, or what numbers of that size can tell apart, and no more
// than there is with a margin.
function show(from, to) {
	const margin = lastTime * 0.02;
	const length = Math.min(Math.max(to - from, 50, Math.abs(to) * 1e-11), lastTime + 2 * margin);
	const start = Math.min(Math.max((from + to - length) / 2, -margin), lastTime + margin - length);
	state.from = start;
	state.to = start + length;
	redraw();
}

function showAll() {
	for (const pane of state.panes)
		pane.shift = 0;
	show(-lastTime * 0.005, lastTime * 1.02);
}

function zoom(factor, x) {
	const at = timeAt(x === undefined ? (state.gutter + state.width) / 2 : x);
	show(at - (at - state.from) / factor, at + (state.to - at) / factor);
}

function pan(pixels) {
	const by = pixels / scaleNow();
	show(state.from + by, state.to + by);
}

function fitCanvas() {
	const box = canvas.parentElement.getBoundingClientRect();
	const ratio = window.devicePixelRatio || 1;
	state.width = Math.max(60, box.width);
	state.height = Math.max(120, box.height);
	state.gutter = box.width < 560 ? 104 : 150;
	canvas.width = Math.round(state.width * ratio);
	canvas.height = Math.round(state.height * ratio);
	canvas.style.width = state.width + "px";
	canvas.style.height = state.height + "px";
	layOut();
	redraw();
}

const widths = new Cache(4000); // by font and text

function widthOf(string) {
	const key = context.font + string;
	let width = widths.get(key);
	if (width === undefined)
		widths.set(key, width = context.measureText(string).width);
	return width;
}

// Cut where it is too long; nothing where hardly a part of it would fit.
function text(string, x, y, most, colour) {
	if (most < 30)
		return;
	const width = widthOf(string);
	let cut = string;
	if (width > most) {
		const length = Math.floor(string.length * (most - 12) / width);
		if (length < 4)
			return;
		cut = string.slice(0, length) + "\u2026";
	}
	context.fillStyle = colour;
	context.fillText(cut, x, y, most + 4);
}

// 1, 2 or 5 times a power of ten that leaves room for a label.
function tickStep(nsPerPixel) {
	const least = nsPerPixel * 90;
	const power = 10 ** Math.floor(Math.log10(least));
	return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= least);
}

// With as many digits as the step needs, in one unit for all.
function tickLabel(time, step) {
	const units = [["s", 1e9], ["ms", 1e6], ["us", 1e3], ["ns", 1]];
	const [unit, size] = units.find(([, ns]) => Math.max(state.to, step) >= ns) || units[3];
	const digits = Math.max(0, Math.min(9, Math.ceil(-Math.log10(step / size) - 1e-9)));
	return (time / size).toFixed(digits) + " " + unit;
}

function drawRuler() {
	const step = tickStep(1 / scaleNow());
	context.fillStyle = colours.raised;
	context.fillRect(0, 0, state.width, RULER);
	for (let time = Math.ceil(Math.max(0, state.from) / step) * step; time <= state.to; time += step) {
		const x = Math.round(xOf(time)) + 0.5;
		context.fillStyle = colours.line;
		context.fillRect(x - 0.5, RULER - 6, 1, state.height);
		if (x + 70 < state.width)
			text(tickLabel(time, step), x + 4, RULER / 2, 100, colours.quiet);
	}
}

function nameOfFixes(run) {
	return run.fixes.length === 1 ? "fix " + run.fixes[0]
		: run === shown.runs[1] ? "all fixes" : "fixes " + run.fixes.join(" + ");
}

// What the report says that the run's fixes save.
function savedBy(run) {
	if (run === shown.runs[1])
		return report.headline.lost_overlap_ns.estimate;
	const only = run.fixes.length === 1 ? report.findings[indexOf(run.fixes[0])] : null;
	return only ? only.lost_overlap_ns.estimate : wholeTime - run.end_ns;
}

function runTitle(run) {
	if (run.fixes)
		return "After " + nameOfFixes(run) + ", predicted: " + formatTime(wholeTime - savedBy(run));
	return "As measured: " + formatTime(report.headline.wall_ns) +
		(wholeTime < report.headline.wall_ns ? ", without the tracer " + formatTime(wholeTime) : "");
}

function drawTitle(pane) {
	const run = pane.run;
	context.fillStyle = colours.raised;
	context.fillRect(0, pane.y, state.width, TITLE);
	context.fillStyle = run.fixes ? colours.accent : colours.text;
	context.fillRect(0, pane.y, 4, TITLE);
	context.font = "600 13px system-ui, sans-serif";
	const shift = pane.shift && state.width > 560 ? "  (drawn " + formatTime(Math.abs(pane.shift)) +
		(pane.shift > 0 ? " later" : " earlier") + ": the same work)" : "";
	text(runTitle(run) + shift, 12, pane.y + TITLE / 2, state.width - 20, colours.text);
	context.font = "12px system-ui, sans-serif";
}

// What ended before the measured run's end was saved.
function drawSaved(pane) {
	const from = xOf(pane.run.end_ns), to = xOf(measured.end_ns);
	if (!pane.run.fixes || pane.shift || to - from < 1)
		return;
	const x = Math.max(from, state.gutter);
	context.save();
	context.globalAlpha = 0.14;
	context.fillStyle = colours.accent;
	context.fillRect(x, pane.top, to - x, pane.height);
	context.restore();
	context.fillStyle = colours.accent;
	if (from >= state.gutter)
		context.fillRect(from, pane.top, 2, pane.height);
	const label = formatTime(savedBy(pane.run)) + " saved";
	context.font = "600 13px system-ui, sans-serif";
	text(label, Math.max(x + 10, Math.min((x + Math.min(to, state.width)) / 2 - 40, state.width - 100)),
		pane.top + Math.min(pane.height / 2, 60), Math.min(to, state.width) - x - 12, colours.text);
	context.font = "12px system-ui, sans-serif";
}

function eventLabel(chunk, index) {
	const thing = things[chunk.thing[index]];
	return isState(thing) ? stateLabel(thing) : thing[THING.NAME];
}

// As WCAG 2 defines it, from 0 to 1.
function luminanceOf(colour) {
	const [red, green, blue] = colour.map((value) => value > 10 ? ((value / 255 + 0.055) / 1.055) ** 2.4 : value / 255 / 12.92);
	return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

// Black or white, whichever has more contrast to the colour: it is at least 4.5.
function inkOn(colour) {
	return (luminanceOf(colour) + 0.05) ** 2 > 0.05 * 1.05 ? "#000" : "#fff";
}

// An event with a box of its own, which begins at `start` and is so wide.
function drawBox(lane, chunk, index, start, width, y) {
	const number = chunk.thing[index];
	const palette = state.matches && !state.matches[number] ? colours.dim : colours;
	const x = Math.max(state.gutter, start), end = Math.min(state.width, start + width);
	const colour = palette[things[number][THING.CLASS]];
	context.fillStyle = css(colour);
	context.fillRect(x, y, Math.max(end - x - 0.5, 0.5), LANE);
	if (lane.kind === "thread" && chunk.amount[index] > 0) {
		const waits = Math.max(x, start + width - chunk.amount[index] * scaleNow());
		context.fillStyle = css(palette[CLASS.WAIT]);
		context.fillRect(waits, y, Math.max(end - waits - 0.5, 0), LANE);
		if (end - waits > (end - x) / 2) {
			text(eventLabel(chunk, index), waits + 4, y + LANE / 2, end - waits - 8, inkOn(palette[CLASS.WAIT]));
			return;
		}
	}
	if (end - x > 38)
		text(eventLabel(chunk, index), x + 4, y + LANE / 2, end - x - 8, inkOn(colour));
}

// The lanes of a pane; each is a row of pixels that is drawn as high as the lane.
function drawPane(pane, ratio) {
	const width = Math.max(1, Math.round((state.width - state.gutter) * ratio));
	const view = { from: state.from - pane.shift, to: state.to - pane.shift, base: state.from - pane.shift };
	const all = rowsOf(pane.run), top = pane.top + all.pinnedHeight;
	const rows = all.filter((row) => row.isPinned || (rowTop(pane, row) + row.height > top && rowTop(pane, row) < pane.top + pane.height));
	const image = stripContext.createImageData(width, Math.max(1, rows.length));
	pixelRow.resize(width);
	const boxes = rows.map((row, at) => {
		if (!row.lane)
			return null;
		const wide = drawLane(pixelRow, pane.run, row.lane, view, scaleNow() * ratio, colours, state.matches);
		pixelRow.paint(image.data, at);
		return wide;
	});
	if (strip.width < width || strip.height < rows.length) {
		strip.width = Math.max(strip.width, width);
		strip.height = Math.max(strip.height, rows.length);
	}
	stripContext.putImageData(image, 0, 0);
	const drawRows = (isPinned, from) => inside(from, pane.top + pane.height, () => rows.forEach((row, at) => {
		if (Boolean(row.isPinned) === isPinned)
			drawRow(pane, row, at, boxes[at], width, ratio);
	}));
	drawRows(false, top);
	drawRows(true, pane.top);
	inside(pane.top, pane.top + pane.height, () => {
		context.fillStyle = colours.quiet;
		if (all.pinnedHeight)
			context.fillRect(0, top - GAP, state.width, 1);
		drawSaved(pane);
		drawMarks(pane);
		drawScrollBar(pane);
	});
}

// Draws nothing above and below.
function inside(top, bottom, drawing) {
	context.save();
	context.beginPath();
	context.rect(0, top, state.width, bottom - top);
	context.clip();
	drawing();
	context.restore();
}

// at: the strip's row of pixels that the lane was drawn into, `width` wide.
function drawRow(pane, row, at, boxes, width, ratio) {
	const y = rowTop(pane, row);
	if (!row.lane) {
		text(row.text, 10, y + GROUP / 2 + 1, state.width - 20, colours.quiet);
		if (row.isSteps)
			drawSteps(pane, y);
		return;
	}
	context.imageSmoothingEnabled = false;
	context.drawImage(strip, 0, at, width, 1, state.gutter, y, state.width - state.gutter, LANE);
	for (const { chunk, index, x, width: boxWidth } of boxes)
		drawBox(row.lane, chunk, index, state.gutter + x / ratio, boxWidth / ratio, y);
	if (row.lane === state.lane)
		outline(state.gutter, y, state.width - state.gutter, colours.quiet, 1);
	const indent = state.gutter < 120 ? 8 : 22;
	text(row.label, indent, y + LANE / 2, state.gutter - indent - 6, row.isBelow ? colours.quiet : colours.text);
}

function drawScrollBar(pane) {
	const all = rowsOf(pane.run).height;
	if (all <= pane.height + 1)
		return;
	context.fillStyle = colours.quiet;
	context.fillRect(state.width - 5, pane.top + pane.scroll / all * pane.height, 4, pane.height * pane.height / all);
}

let drawCost = 0; // of the last frame, ms

function draw() {
	const began = performance.now();
	const ratio = canvas.width / state.width;
	context.setTransform(ratio, 0, 0, ratio, 0, 0);
	context.font = "12px system-ui, sans-serif";
	context.textBaseline = "middle";
	context.fillStyle = colours.stage;
	context.fillRect(0, 0, state.width, state.height);
	drawRuler();
	for (const pane of state.panes) {
		drawTitle(pane);
		drawPane(pane, ratio);
	}
	drawMeasured();
	drawCost = performance.now() - began;
}

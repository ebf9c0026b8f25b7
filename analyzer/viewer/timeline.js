// The timeline: where each run and lane is, and drawing them.

const canvas = element("canvas", { id: "timeline", tabIndex: 0 });
const context = canvas.getContext("2d");
const strip = document.createElement("canvas"); // a row of pixels for each lane
const stripContext = strip.getContext("2d");
const pixelRow = new PixelRow();

const RULER = 26, TITLE = 26, GROUP = 20, LANE = 22, GAP = 3;

const state = {
	from: 0, to: 1, // what is in sight
	runs: [], // indexes of shown.runs, from top to bottom
	panes: [],
	finding: -1, place: 0, // index in report.findings, and in its places
	hover: null, picked: null, // what hit() returns
	range: null, // { from, to } that is summed up
	matches: null, // by thing: what the search found
	width: 0, height: 0, gutter: 150,
};

const lastTime = shown.runs.reduce((most, run) => Math.max(most, run.end_ns), 1);

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
	for (const name of ["text", "quiet", "line", "stage", "raised", "accent", "lost"])
		colours[name] = style.getPropertyValue("--" + name).trim();
	redraw();
}

function css(colour) {
	return "rgb(" + colour.join(",") + ")";
}

// Rows of a run: its title, groups and lanes, with y from its top.
function rowsOf(run) {
	if (run.rows)
		return run.rows;
	let y = 0, group = null;
	run.rows = [];
	for (const lane of run.lanes) {
		if (lane.group !== group) {
			group = lane.group;
			run.rows.push({ y, height: GROUP, text: group });
			y += GROUP;
		}
		run.rows.push({ y, height: LANE, lane });
		y += LANE + GAP;
	}
	run.rows.height = y + 4;
	return run.rows;
}

// Each run gets the height that it needs, or its share of what there is.
function layOut() {
	const free = state.height - RULER - TITLE * state.runs.length;
	const wanted = state.runs.map((index) => rowsOf(shown.runs[index]).height);
	const most = free / state.runs.length;
	const spare = wanted.reduce((sum, height) => sum + Math.max(0, most - height), 0);
	const pressed = wanted.filter((height) => height > most).length;
	let y = RULER;
	state.panes = state.runs.map((index, i) => {
		const height = Math.max(40, wanted[i] > most ? most + spare / pressed : wanted[i]);
		const before = state.panes.find((pane) => pane.index === index);
		const pane = { index, run: shown.runs[index], y, top: y + TITLE, height, scroll: before ? before.scroll : 0 };
		y = pane.top + height;
		scrollPane(pane, 0);
		return pane;
	});
}

function scrollPane(pane, by) {
	const most = Math.max(0, rowsOf(pane.run).height - pane.height);
	pane.scroll = Math.min(most, Math.max(0, pane.scroll + by));
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

// Shows from one time to another: at least 50 ns, and no more than there is with a margin.
function show(from, to) {
	const margin = lastTime * 0.02;
	const length = Math.min(Math.max(to - from, 50), lastTime + 2 * margin);
	const start = Math.min(Math.max((from + to - length) / 2, -margin), lastTime + margin - length);
	state.from = start;
	state.to = start + length;
	redraw();
}

function showAll() {
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
	state.gutter = box.width < 560 ? 84 : 150;
	canvas.width = Math.round(state.width * ratio);
	canvas.height = Math.round(state.height * ratio);
	canvas.style.width = state.width + "px";
	canvas.style.height = state.height + "px";
	layOut();
	redraw();
}

function text(string, x, y, most, colour) {
	if (most < 8)
		return;
	context.fillStyle = colour;
	let cut = string;
	if (context.measureText(cut).width > most) {
		let low = 0, high = string.length;
		while (low < high) {
			const middle = (low + high + 1) >> 1;
			if (context.measureText(string.slice(0, middle) + "\u2026").width <= most)
				low = middle;
			else
				high = middle - 1;
		}
		if (low < 4)
			return;
		cut = string.slice(0, low) + "\u2026";
	}
	context.fillText(cut, x, y);
}

// 1, 2 or 5 times a power of ten that leaves room for a label.
function tickStep(nsPerPixel) {
	const least = nsPerPixel * 90;
	const power = 10 ** Math.floor(Math.log10(least));
	return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= least);
}

// With as many digits as the step needs, in one unit for all.
function tickLabel(time, step) {
	const units = [["s", 1e9], ["ms", 1e6], ["\u00b5s", 1e3], ["ns", 1]];
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
		text(tickLabel(time, step), x + 4, 13, 100, colours.quiet);
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
	return run.fixes.length === 1 ? report.findings[run.fixes[0] - 1].lost_overlap_ns.estimate : wholeTime - run.end_ns;
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
	text(runTitle(run), 12, pane.y + TITLE / 2, state.width - 20, colours.text);
	context.font = "12px system-ui, sans-serif";
}

// What ended before the measured run's end was saved.
function drawSaved(pane) {
	const from = xOf(pane.run.end_ns), to = xOf(measured.end_ns);
	if (!pane.run.fixes || to - from < 1)
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
	return things[chunk.thing[index]][THING.NAME];
}

// Dark or light, whichever can be read on the colour.
function inkOn(colour) {
	return 0.299 * colour[0] + 0.587 * colour[1] + 0.114 * colour[2] > 150 ? "#111" : "#fff";
}

function drawBox(lane, box, y) {
	const { chunk, index } = box, number = chunk.thing[index];
	const palette = state.matches && !state.matches[number] ? colours.dim : colours;
	const x = Math.max(state.gutter, state.gutter + box.x), end = Math.min(state.width, state.gutter + box.x + box.width);
	const colour = palette[things[number][THING.CLASS]];
	context.fillStyle = css(colour);
	context.fillRect(x, y, Math.max(end - x - 0.5, 0.5), LANE);
	if (lane.kind === "thread" && chunk.amount[index] > 0) {
		const waits = Math.max(x, state.gutter + box.x + box.width - chunk.amount[index] * scaleNow());
		context.fillStyle = css(palette[CLASS.WAIT]);
		context.fillRect(waits, y, Math.max(end - waits - 0.5, 0), LANE);
		if (end - waits > (end - x) / 2) {
			text(eventLabel(chunk, index), waits + 4, y + LANE / 2, end - waits - 8, inkOn(palette[CLASS.WAIT]));
			return;
		}
	}
	if (end - x > 24)
		text(eventLabel(chunk, index), x + 4, y + LANE / 2, end - x - 8, inkOn(colour));
}

// The lanes of a pane; each is a row of pixels that is drawn as high as the lane.
function drawPane(pane, ratio) {
	const width = Math.max(1, Math.round((state.width - state.gutter) * ratio));
	const view = { from: state.from, to: state.to, base: state.from };
	pixelRow.resize(width);
	const image = stripContext.createImageData(width, 1);
	if (strip.width < width)
		strip.width = width;
	context.save();
	context.beginPath();
	context.rect(0, pane.top, state.width, pane.height);
	context.clip();
	context.imageSmoothingEnabled = false;
	for (const row of rowsOf(pane.run)) {
		const y = pane.top + row.y - pane.scroll;
		if (y + row.height < pane.top || y > pane.top + pane.height)
			continue;
		if (!row.lane) {
			text(row.text, 10, y + GROUP / 2 + 1, state.width - 20, colours.quiet);
			continue;
		}
		const boxes = drawLane(pixelRow, pane.run, row.lane, view, scaleNow() * ratio, colours, state.matches);
		pixelRow.paint(image.data);
		stripContext.putImageData(image, 0, 0);
		context.drawImage(strip, 0, 0, width, 1, state.gutter, y, state.width - state.gutter, LANE);
		for (const box of boxes)
			drawBox(row.lane, { ...box, x: box.x / ratio, width: box.width / ratio }, y);
		if (row.lane === state.lane)
			outline(state.gutter, y, state.width - state.gutter, colours.quiet, 1);
		const indent = state.gutter < 100 ? 8 : 22;
		text(row.lane.name, indent, y + LANE / 2, state.gutter - indent - 6, colours.text);
	}
	drawSaved(pane);
	drawMarks(pane);
	drawScrollBar(pane);
	context.restore();
}

function drawScrollBar(pane) {
	const all = rowsOf(pane.run).height;
	if (all <= pane.height + 1)
		return;
	context.fillStyle = colours.quiet;
	context.fillRect(state.width - 5, pane.top + pane.scroll / all * pane.height, 4, pane.height * pane.height / all);
}

function outline(x, y, width, colour, thickness) {
	context.strokeStyle = colour;
	context.lineWidth = thickness;
	context.strokeRect(x, y, width, LANE);
}

function laneY(pane, lane) {
	const row = rowsOf(pane.run).find((one) => one.lane === lane);
	return row ? pane.top + row.y - pane.scroll : pane.top;
}

function outlineEvent(pane, lane, start, end, colour) {
	const x = Math.max(xOf(start), state.gutter - 4), to = Math.min(xOf(end), state.width + 4);
	if (to >= state.gutter && x <= state.width)
		outline(x, laneY(pane, lane), Math.max(to - x, 3), colour, 2);
}

// The event that the pointer is on, the picked one, the place of the finding, what is summed up.
function drawMarks(pane) {
	for (const found of [state.hover, state.picked])
		if (found && found.run === pane.run && found.chunk) {
			const start = found.chunk.start[found.index];
			outlineEvent(pane, found.lane, start, start + found.chunk.length[found.index], colours.text);
		}
	if (!pane.run.fixes)
		drawPlace(pane);
	if (state.range) {
		const from = xOf(state.range.from), to = xOf(state.range.to);
		context.globalAlpha = 0.18;
		context.fillStyle = colours.text;
		context.fillRect(from, pane.top, to - from, pane.height);
		context.globalAlpha = 1;
	}
}

function placeNow() {
	const places = state.finding >= 0 ? shown.places[state.finding] : [];
	return places[state.place] || null;
}

// Where the finding's time was lost, and an arrow from what waited to what it waited for.
function drawPlace(pane) {
	const place = placeNow();
	if (!place)
		return;
	const from = Math.max(xOf(place.start_ns), state.gutter), to = Math.min(xOf(place.end_ns), state.width);
	if (to > from) {
		context.globalAlpha = 0.13;
		context.fillStyle = colours.lost;
		context.fillRect(from, pane.top, Math.max(to - from, 1), pane.height);
		context.globalAlpha = 1;
	}
	for (const end of [place.waited, place.waiter])
		if (end && measured.lanes[end[0]])
			outlineEvent(pane, measured.lanes[end[0]], end[1], end[2], colours.lost);
	if (place.waited && place.waiter && measured.lanes[place.waited[0]] && measured.lanes[place.waiter[0]])
		drawArrow(pane, place);
}

// Of a call the wait ends when it returns, of an operation when it starts.
function drawArrow(pane, place) {
	const [waiterLane, waitedLane] = [place.waiter, place.waited].map((end) => measured.lanes[end[0]]);
	const isCall = waiterLane.kind === "thread";
	const margin = 8;
	const clamp = (x) => Math.min(Math.max(x, state.gutter + margin), state.width - margin);
	const x1 = clamp(xOf(isCall ? Math.max(place.waiter[1], Math.min(place.start_ns, place.waiter[2]))
		: place.waiter[1])), x2 = clamp(xOf(place.waited[2]));
	const y1 = laneY(pane, waiterLane) + LANE / 2;
	let y2 = laneY(pane, waitedLane) + LANE / 2;
	y2 += y2 < y1 ? LANE / 2 : y2 > y1 ? -LANE / 2 : 0;
	const bend = Math.max(24, Math.abs(y1 - y2) / 2);
	const middle = y2 < y1 ? -bend : bend;
	context.strokeStyle = context.fillStyle = colours.lost;
	context.lineWidth = 2.5;
	context.beginPath();
	context.moveTo(x1, y1);
	context.bezierCurveTo(x1, y1 + middle, x2, y2 - middle, x2, y2);
	context.stroke();
	context.beginPath();
	context.arc(x1, y1, 4, 0, 7);
	context.fill();
	const tip = y2 < y1 ? 9 : -9;
	context.beginPath();
	context.moveTo(x2, y2);
	context.lineTo(x2 - 5, y2 + tip);
	context.lineTo(x2 + 5, y2 + tip);
	context.fill();
	drawFlag("waited " + formatTime(place.end_ns - place.start_ns) + " for this", x2, (y1 + y2) / 2);
}

// A word on a plate, beside x.
function drawFlag(label, x, y) {
	context.font = "600 12px system-ui, sans-serif";
	const width = context.measureText(label).width + 12;
	const left = x + 10 + width > state.width ? x - 10 - width : x + 10;
	context.fillStyle = colours.lost;
	context.fillRect(Math.max(left, state.gutter), y - 10, width, 20);
	text(label, Math.max(left, state.gutter) + 6, y, width, "#fff");
	context.font = "12px system-ui, sans-serif";
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
	drawCost = performance.now() - began;
}

// What is at this point of the canvas: { pane, run, lane, chunk, index }, as far as there is such a thing.
function hit(x, y) {
	const pane = state.panes.find((one) => y >= one.y && y < one.top + one.height);
	if (!pane || y < pane.top || x < state.gutter)
		return pane ? { pane, run: pane.run } : null;
	const row = rowsOf(pane.run).find((one) => one.lane && y >= pane.top + one.y - pane.scroll &&
		y < pane.top + one.y - pane.scroll + LANE);
	if (!row)
		return { pane, run: pane.run };
	return { pane, run: pane.run, lane: row.lane, ...eventAt(pane.run, row.lane, timeAt(x), 2 / scaleNow()) };
}

// The lane's event at the time, or the nearest one that is no farther than `near`.
function eventAt(run, lane, time, near) {
	let best = null, distance = near;
	for (const source of sourcesOf(run, lane))
		for (const row of source.chunks) {
			if (row[CHUNK.LAST] < time - near || row[CHUNK.FIRST] > time + near)
				continue;
			const chunk = chunkNow(row);
			if (!chunk)
				continue;
			for (let i = firstFrom(chunk, time + near) - 1; i >= 0 && chunk.start[i] >= time - near - chunk.longest; i--) {
				const away = Math.max(chunk.start[i] - time, time - chunk.start[i] - chunk.length[i], 0);
				if (away < distance || (!best && away <= distance))
					if (isShownIn(lane, chunk, i)) {
						best = { chunk, index: i };
						distance = away;
					}
				if (distance === 0)
					return best;
			}
		}
	return best;
}

// The scripts of this folder are one, in the order of ../CMakeLists.txt. Times are ns since the page's
// time 0.
"use strict";

// Texts in the page's data come from a traced program: they go into text nodes and onto the canvas, never
// into markup.
function dataOf(id) {
	return JSON.parse(document.getElementById(id).textContent);
}

// The page's processes (viewer.h). One is shown; to show another one the page
// loads again.
const processes = dataOf("processes");

// The process that can win back most, the first of them. 1 of a page that lists none.
function largestProcess() {
	const saved = processes.map((process) => process.saved_ns);
	return Math.max(saved.indexOf(Math.max(...saved)), 0) + 1;
}

// The address: #finding-3, or #process-2-finding-3 where there are several. Both count from 1.
function addressed() {
	const [, process, finding] = /^#(?:process-(\d+)-?)?(?:finding-(\d+))?$/.exec(location.hash) || [];
	return { process: process <= processes.length && process > 0 ? Number(process) : largestProcess(), finding: Number(finding || 0) };
}

function addressOf(process, finding) {
	const parts = [processes.length > 1 ? "process-" + process : "", finding ? "finding-" + finding : ""];
	return "#" + parts.filter(Boolean).join("-");
}

const processNow = addressed().process;

// What the page shows: see "shown" in viewer.h.
const shown = dataOf("shown-" + processNow);
let report = null; // these are unpacked before all else
let wholeTime = 0; // of the run without the tracer
let measured = null; // the first of shown.runs
let lastTime = 1; // of all runs

// As enum viewer_class (levels.h).
const CLASS = { KERNEL: 0, SET: 1, COPY: 2, H2D: 3, D2H: 4, PEER: 5, CALL: 6, WAIT: 7, FUNCTION: 8, RANGE: 9, READY: 10,
	ASLEEP: 12, WAITS_FOR_THREAD: 13, WAITS_FOR_INTERPRETER: 14, WAITS_FOR_INPUT: 15, WAITS_FOR_CHILD: 16 };
const CLASS_NAMES = ["kernel", "memset", "D2D copy", "H2D copy", "D2H copy", "peer copy", "call", "waiting",
	"host function", "range", ...(shown.states || [])];

// Rows of html_things_take().
const THING = { CLASS: 0, NAME: 1, FULL: 2, FACTS: 3, LINE: 4, FUNCTION: 5, COUNT: 6, SUM: 7, LONGEST: 8, LONGEST_START: 9 };
let things = [];
const IN_CALLS = "in CUDA calls"; // html_calls_thing(): what a thread does, not a call

// A chunk's row (lane_pack() in lane.h).
const CHUNK = { BLOCK: 0, OFFSET: 1, COUNT: 2, FIRST: 3, LAST: 4, SUM: 5, LEAST: 6, MOST: 7, BASE: 8 };

// Values by key, of which those that were not used for longest go.
class Cache {
	constructor(most) {
		this.most = most;
		this.values = new Map();
	}
	get(key) {
		const value = this.values.get(key);
		if (value !== undefined) {
			this.values.delete(key);
			this.values.set(key, value);
		}
		return value;
	}
	set(key, value) {
		this.values.set(key, value);
		if (this.values.size > this.most)
			this.values.delete(this.values.keys().next().value);
	}
}

const blocks = new Cache(400);
const chunks = new Cache(240);
const loading = new Map();

// The browser reads the blocks of a large page for some time after the first look.
async function blockElement(id) {
	for (;;) {
		const element = document.getElementById("b" + id);
		// The one that is being read has no successor yet.
		if (element && (element.nextSibling || document.readyState !== "loading"))
			return element;
		if (!element && document.readyState !== "loading")
			throw new Error("the page is incomplete: block " + id + " is missing");
		await new Promise((resolve) => setTimeout(resolve, 30));
	}
}

function fromBase64(text) {
	if (Uint8Array.fromBase64)
		return Uint8Array.fromBase64(text);
	return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

async function inflate(id) {
	const packed = fromBase64((await blockElement(id)).textContent);
	const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
	return new Uint8Array(await new Response(stream).arrayBuffer());
}

// The block's bytes, later.
function loadBlock(id) {
	const known = blocks.get(id);
	if (known)
		return Promise.resolve(known);
	if (!loading.has(id))
		loading.set(id, inflate(id).then((bytes) => {
			blocks.set(id, bytes);
			loading.delete(id);
			return bytes;
		}));
	return loading.get(id);
}

// The block's bytes; null: not yet, and the timeline is drawn again when they are there.
function blockNow(id) {
	const bytes = blocks.get(id);
	if (bytes)
		return bytes;
	if (!loading.has(id))
		loadBlock(id).then(redraw, showFailure);
	return null;
}

// A column of a chunk into an array: the numbers of lane.h from bytes[at] on. Returns where the next begins.
function readColumn(bytes, at, values, isSigned, isRunning, first) {
	let sum = first;
	for (let i = 0; i < values.length; i++) {
		let value = bytes[at++];
		if (value >= 128) {
			let unit = 128, next;
			value &= 127;
			do {
				next = bytes[at++];
				value += (next & 127) * unit;
				unit *= 128;
			} while (next >= 128);
		}
		if (isSigned)
			value = value % 2 ? -(value + 1) / 2 : value / 2;
		if (isRunning)
			value = sum += value;
		values[i] = value;
	}
	return at;
}

function readOwn(chunk, bytes) {
	let at = chunk.row[CHUNK.OFFSET];
	at = readColumn(bytes, at, chunk.start, false, true, chunk.row[CHUNK.FIRST]);
	at = readColumn(bytes, at, chunk.length, false, false, 0);
	at = readColumn(bytes, at, chunk.thing, false, false, 0);
	at = readColumn(bytes, at, chunk.amount, false, false, 0);
	at = readColumn(bytes, at, chunk.link, true, true, 0);
	readColumn(bytes, at, chunk.id, true, true, 0);
}

// An event of a chunk with a base is one of the base's, at another time.
function readBased(chunk, bytes, base) {
	const place = new Float64Array(chunk.count), shift = new Float64Array(chunk.count);
	let at = chunk.row[CHUNK.OFFSET];
	at = readColumn(bytes, at, place, true, true, 0);
	at = readColumn(bytes, at, shift, true, true, 0);
	at = readColumn(bytes, at, chunk.length, true, false, 0);
	readColumn(bytes, at, chunk.amount, false, false, 0);
	for (let i = 0; i < chunk.count; i++) {
		const of = place[i];
		chunk.start[i] = base.start[of] + shift[i];
		chunk.length[i] = Math.max(0, base.length[of] + chunk.length[i]);
		chunk.thing[i] = base.thing[of];
		chunk.link[i] = base.link[of];
		chunk.id[i] = base.id[of];
	}
}

// base: the events of the row's base, if it has one.
function readChunk(row, bytes, base) {
	const count = row[CHUNK.COUNT];
	const chunk = {
		row, count,
		start: new Float64Array(count), length: new Float64Array(count), thing: new Uint32Array(count),
		amount: new Float64Array(count), link: new Float64Array(count), id: new Float64Array(count),
	};
	if (base)
		readBased(chunk, bytes, base);
	else
		readOwn(chunk, bytes);
	// Events of a lane can lie in each other: how far back one must look for those that go on.
	chunk.longest = chunk.length.reduce((most, length) => Math.max(most, length), 0);
	return chunk;
}

// The events of a row of lane.chunks; null: not yet.
function chunkNow(row) {
	let chunk = chunks.get(row);
	if (!chunk) {
		const bytes = blockNow(row[CHUNK.BLOCK]);
		const base = row[CHUNK.BASE] ? chunkNow(row[CHUNK.BASE]) : undefined;
		if (!bytes || base === null)
			return null;
		chunk = readChunk(row, bytes, base);
		chunks.set(row, chunk);
	}
	return chunk;
}

async function loadChunk(row) {
	await Promise.all([loadBlock(row[CHUNK.BLOCK]), row[CHUNK.BASE] && loadChunk(row[CHUNK.BASE])]);
	return chunkNow(row) || loadChunk(row);
}

// Index of the first event that starts at the time or later.
function firstFrom(chunk, time) {
	let low = 0, high = chunk.count;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (chunk.start[middle] < time)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

// The run's streams by device.
function streamsOf(run) {
	if (!run.streams) {
		run.streams = new Map();
		for (const lane of run.lanes)
			if (lane.kind === "stream") {
				if (!run.streams.has(lane.group))
					run.streams.set(lane.group, []);
				run.streams.get(lane.group).push(lane);
			}
	}
	return run.streams;
}

// The lanes whose events the lane shows: an engine's are those of its device's streams.
function sourcesOf(run, lane) {
	if (!lane.sources)
		lane.sources = lane.kind !== "engine" ? [lane] : streamsOf(run).get(lane.group) || [];
	return lane.sources;
}

function isShownIn(lane, chunk, index) {
	return lane.kind !== "engine" || (lane.classes >> things[chunk.thing[index]][THING.CLASS]) & 1;
}

// The event of that id among lanes of these kinds, later; null: none.
async function findEvent(run, kinds, id) {
	for (const lane of run.lanes) {
		if (!kinds.includes(lane.kind))
			continue;
		for (const row of lane.chunks) {
			if (id < row[CHUNK.LEAST] || id > row[CHUNK.MOST])
				continue;
			const chunk = await loadChunk(row);
			const index = chunk.id.indexOf(id);
			if (index >= 0)
				return { run, lane, chunk, index };
		}
	}
	return null;
}

// What viewer_pack_json() packed.
async function unpack([block, offset, size]) {
	const bytes = await loadBlock(block);
	return JSON.parse(new TextDecoder().decode(bytes.subarray(offset, offset + size)));
}

// A row as lane_pack() has it, of one that lane_shorten_rows() made; before: the row before.
function lengthenRow(row, before) {
	row[CHUNK.OFFSET] += before[CHUNK.OFFSET];
	row[CHUNK.FIRST] += before[CHUNK.FIRST];
	row[CHUNK.SUM] = row[CHUNK.LAST] - row[CHUNK.SUM];
	row[CHUNK.LAST] += row[CHUNK.FIRST];
	row[CHUNK.LEAST] += before[CHUNK.LEAST];
	row[CHUNK.MOST] += row[CHUNK.LEAST];
	return row;
}

// What the page leaves out of a lane of events, because its base or its chunks say it.
function completeLane(lane, before) {
	const base = measured.lanes[lane.base];
	if (base)
		Object.assign(lane, { kind: base.kind, group: base.group, name: base.name });
	for (const row of lane.chunks) {
		before = lengthenRow(row, before);
		if (row.length > CHUNK.BASE) // the measured run's row itself
			row[CHUNK.BASE] = base.chunks[row[CHUNK.BASE]];
	}
	if (lane.count === undefined) {
		const total = (column) => lane.chunks.reduce((sum, row) => sum + row[column], 0);
		lane.count = total(CHUNK.COUNT);
		lane.busy_ns = total(CHUNK.SUM);
		lane.start_ns = lane.chunks.length ? lane.chunks[0][CHUNK.FIRST] : 0;
		lane.end_ns = lane.chunks.reduce((last, row) => Math.max(last, row[CHUNK.LAST]), 0);
	}
	return before;
}

// When the steps of the measured run begin, and the end of the last one; null: no steps are known.
let steps = null;

async function loadShown() {
	if (shown.steps) {
		let time = 0;
		steps = (await unpack(shown.steps)).map((later) => time += later);
	}
	[report, shown.findings, shown.races, shown.runs] = await Promise.all([shown.report, shown.findings, shown.races, shown.runs].map(unpack));
	wholeTime = report.headline.untraced_ns || report.headline.wall_ns;
	measured = shown.runs[0];
	lastTime = shown.runs.reduce((most, run) => Math.max(most, run.end_ns), 1);
	for (const run of shown.runs)
		run.lanes.reduce((before, lane) => completeLane(lane, before), [0, 0, 0, 0, 0, 0, 0, 0]);
}

async function loadThings() {
	things = await unpack(shown.things);
}

// Numbers for people, as format.h writes them: the same figures stand in the text report.
function formatNumber(value, units, finest = Infinity) {
	let unit = 0, size = Math.abs(value), last = 1;
	while (unit < units.length - 1 && size >= (unit ? 999.5 : 1000)) {
		size /= 1000;
		last *= 1000;
		unit++;
	}
	let digits = unit === 0 || size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2;
	for (last /= 10 ** digits; last > finest && last > 1; last /= 10)
		digits++;
	return (value < 0 ? "-" : "") + size.toFixed(digits) + " " + units[unit];
}

const TIMES = ["ns", "us", "ms", "s"];

function formatTime(ns) {
	return formatNumber(Math.round(ns), TIMES);
}

// With the digits that tell times apart that are so far from each other: the start of a short event has more of them.
function formatApart(ns, distance) {
	return formatNumber(Math.round(ns), TIMES, distance / 10);
}

function formatBytes(bytes) {
	return formatNumber(bytes, ["B", "kB", "MB", "GB", "TB"]);
}

function formatCount(count) {
	return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}

function formatShare(part, whole) {
	return whole > 0 ? (100 * part / whole).toFixed(1) + "\u00a0%" : "-";
}

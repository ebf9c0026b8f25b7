// Lanes of what host threads did between their calls.

// Waits for another thread, waits for something outside of them, and all else: the thread did something.
const WAITS_FOR_THREAD = [CLASS.WAITS_FOR_THREAD, CLASS.WAITS_FOR_INTERPRETER];
const WAITS_OUTSIDE = [CLASS.ASLEEP, CLASS.WAITS_FOR_INPUT, CLASS.WAITS_FOR_CHILD];

function isState(thing) {
	return thing[THING.CLASS] >= CLASS.READY;
}

// What is written on an event: "augment.py:41 prepare (NumPy)". Where libraries wait is all the same.
function stateLabel(thing) {
	const waits = [...WAITS_FOR_THREAD, ...WAITS_OUTSIDE].includes(thing[THING.CLASS]);
	if (!thing[THING.LINE] || (waits && !thing[THING.FUNCTION]))
		return thing[THING.NAME];
	const line = thing[THING.LINE];
	return [line.slice(line.lastIndexOf("/") + 1), thing[THING.FUNCTION], thing[THING.FULL] && "(" + thing[THING.FULL] + ")"]
		.filter(Boolean).join(" ");
}

// A thread's own name says enough.
function threadLabel(name) {
	return name.replace(/^thread (?!\d+$)/, "");
}

function stateFacts({ chunk, index }, thing) {
	return [["calls", thing[THING.FULL]], ["looks", chunk.amount[index] ? formatCount(chunk.amount[index]) : null]];
}

// Lanes of threads that hardly ran are behind one row until somebody wants to see them.
function foldText(run) {
	const count = run.lanes.filter((lane) => lane.folded).length;
	return (run.isUnfolded ? "\u25be " : "\u25b8 ") + formatCount(count) + (count > 1 ? " threads" : " thread") + " that hardly ran";
}

function toggleFold(run) {
	run.isUnfolded = !run.isUnfolded;
	run.rows = null;
	layOut();
	redraw();
}

// Who can have been waited for: other threads that did something meanwhile, or that waited for something outside and went on
// before the wait was over; longest first. Rows as of relations().
async function meanwhile({ chunk, index, lane }) {
	const from = chunk.start[index], to = from + chunk.length[index], sums = new Map();
	for (const other of measured.lanes.filter((one) => one.kind === "states" && one !== lane))
		for (const row of other.chunks) {
			if (row[CHUNK.LAST] <= from || row[CHUNK.FIRST] >= to)
				continue;
			const theirs = await loadChunk(row);
			for (let i = firstFrom(theirs, from - theirs.longest), end = firstFrom(theirs, to); i < end; i++)
				addMeanwhile(sums, { run: measured, lane: other, chunk: theirs, index: i }, from, to);
		}
	return [...sums.values()].sort((a, b) => b.time - a.time).slice(0, 3).map(({ time, longest }) => {
		const thing = things[longest.chunk.thing[longest.index]];
		return ["meanwhile", longest, [longest.lane.name, thing[THING.NAME], stateLabel(thing), formatTime(time)]
			.filter((part, at, all) => all.indexOf(part) === at).join(", ")];
	});
}

function addMeanwhile(sums, found, from, to) {
	const { chunk, index, lane } = found, kind = things[chunk.thing[index]][THING.CLASS];
	const end = chunk.start[index] + chunk.length[index];
	const inside = Math.min(end, to) - Math.max(chunk.start[index], from);
	if (inside <= 0 || WAITS_FOR_THREAD.includes(kind) || (WAITS_OUTSIDE.includes(kind) && end > to))
		return;
	const key = lane.thread + " " + chunk.thing[index];
	const one = sums.get(key) || { time: 0, most: 0, longest: null };
	one.time += inside;
	if (inside > one.most) {
		one.most = inside;
		one.longest = found;
	}
	sums.set(key, one);
}

// What each thread did most of the range.
async function sumStates(run, range) {
	const rows = [], lanes = run.lanes.filter((one) => one.kind === "states" && (!one.folded || run.isUnfolded));
	if (countInSight(lanes, range.from, range.to) > MOST_NAMED)
		return null;
	for (const lane of lanes) {
		const byThing = new Map(), byClass = new Map();
		await sumLane(lane, range, byThing);
		for (const [number, sum] of byThing) {
			const kind = things[number][THING.CLASS];
			byClass.set(kind, (byClass.get(kind) || 0) + sum.busy);
		}
		for (const [kind, time] of [...byClass].sort((a, b) => b[1] - a[1]).slice(0, 3))
			rows.push([lane.name + ", " + (kind === CLASS.CALL ? "in CUDA calls" : CLASS_NAMES[kind]), formatTime(time), formatShare(time, range.to - range.from)]);
	}
	return rows.length ? sumTable(["host thread", "time", "of the time"], rows) : null;
}

// Mouse, touch and keys.

const pointers = new Map(); // that are down: where they are, and were
let drag = null;

function pointOf(event) {
	const box = canvas.getBoundingClientRect();
	return { x: event.clientX - box.left, y: event.clientY - box.top };
}

function onWheel(event) {
	const point = pointOf(event);
	event.preventDefault();
	const amount = event.deltaMode === 1 ? event.deltaY * 20 : event.deltaY;
	if (event.shiftKey || event.altKey) {
		const found = hit(point.x, point.y);
		if (found)
			scrollPane(found.pane, amount || event.deltaX);
		redraw();
	} else if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
		pan(event.deltaX);
	} else {
		zoom(Math.exp(-amount * 0.002), Math.max(point.x, state.gutter));
	}
}

function onDown(event) {
	const point = pointOf(event);
	canvas.setPointerCapture(event.pointerId);
	pointers.set(event.pointerId, point);
	const found = hit(point.x, point.y);
	drag = { start: point, moved: false, pane: found && found.pane, from: timeAt(point.x), sums: event.shiftKey,
		measures: point.y < RULER && point.x >= state.gutter };
}

// Two fingers: what was under them stays there.
function pinch(id, point) {
	const [other] = [...pointers].filter(([key]) => key !== id).map(([, value]) => value);
	const before = pointers.get(id);
	const wasApart = Math.max(10, Math.abs(before.x - other.x)), isApart = Math.max(10, Math.abs(point.x - other.x));
	zoom(isApart / wasApart, (point.x + other.x) / 2);
	drag.moved = true;
}

function onMove(event) {
	const point = pointOf(event), before = pointers.get(event.pointerId);
	if (!before) {
		setHover(hit(point.x, point.y), point);
		return;
	}
	if (pointers.size === 2)
		pinch(event.pointerId, point);
	else if (drag.moved || Math.hypot(point.x - drag.start.x, point.y - drag.start.y) > 4) {
		drag.moved = true;
		if (drag.measures) {
			setRuler(snapped(drag.from), snapped(timeAt(point.x)));
		} else if (drag.sums) {
			const to = timeAt(point.x);
			setRange({ from: Math.min(drag.from, to), to: Math.max(drag.from, to) });
		} else {
			pan(before.x - point.x);
			if (drag.pane)
				scrollPane(drag.pane, before.y - point.y);
		}
		setHover(null);
	}
	pointers.set(event.pointerId, point);
}

function onUp(event) {
	const point = pointOf(event);
	pointers.delete(event.pointerId);
	const found = drag && !drag.moved && event.type === "pointerup" ? hit(point.x, point.y) : undefined;
	if (found?.row)
		clickRow(found);
	else if (found !== undefined)
		pick(found);
	else if (drag && drag.measures)
		showRuler([]);
	else if (drag && drag.sums)
		sumRange();
	drag = pointers.size ? { ...drag, moved: true } : null;
}

// On a lane's name, a group's, or on a row that shows others.
function clickRow({ run, row, time }) {
	if (row.isSteps)
		showStep(time);
	else if (row.isFold)
		toggleFold(run);
	else if (row.isOfHidden)
		showHidden();
	else if (row.lane)
		showLane(row.lane);
	else
		pick(null);
}

// The picked lane's event before or after the picked one.
async function step(by) {
	if (!state.lane) {
		stepLane(1);
		return;
	}
	const run = state.picked ? state.picked.run : state.panes[0].run;
	const now = state.picked && state.picked.chunk && state.picked.lane === state.lane
		? { time: state.picked.chunk.start[state.picked.index], id: state.picked.chunk.id[state.picked.index] }
		: { time: (state.from + state.to) / 2, id: NaN };
	const found = await nextEvent(run, [state.lane], now, by, () => true);
	if (found) {
		pick(found);
		reveal(found);
	}
}

// Brings the event into sight.
function reveal(found) {
	const start = found.chunk.start[found.index], end = start + found.chunk.length[found.index];
	if (start < state.from || end > state.to) {
		const half = Math.max((state.to - state.from) / 2, (end - start) * 0.6);
		show((start + end) / 2 - half, (start + end) / 2 + half);
	}
	revealLane(found.run, found.lane);
}

function revealLane(run, lane) {
	const pane = state.panes.find((one) => one.run === run);
	if (hidden.delete(keyOf(lane)))
		chooseLanes();
	if (pane && lane.folded && !run.isUnfolded)
		toggleFold(run);
	const row = pane && rowsOf(run).find((one) => one.lane === lane);
	if (!row || row.isPinned)
		return;
	const seen = pane.scroll + rowsOf(run).pinnedHeight;
	if (row.y < seen)
		scrollPane(pane, row.y - seen - GROUP);
	if (row.y + LANE > pane.scroll + pane.height)
		scrollPane(pane, row.y + LANE + 4 - pane.scroll - pane.height);
	redraw();
}

function stepLane(by) {
	const lanes = state.panes.flatMap((pane) => rowsOf(pane.run).filter((row) => row.lane).map((row) => ({ run: pane.run, lane: row.lane })));
	const at = lanes.findIndex((one) => one.lane === state.lane);
	const next = lanes[Math.min(lanes.length - 1, Math.max(0, at < 0 ? 0 : at + by))];
	if (!next)
		return;
	state.lane = next.lane;
	revealLane(next.run, next.lane);
	pick({ run: next.run, lane: next.lane, ...eventAt(next.run, next.lane, (state.from + state.to) / 2, state.to - state.from) });
}

// What each key does, and what the help says of it.
const KEYS = [
	[["+", "=", "w"], "zoom in", () => zoom(1.5)],
	[["-", "s"], "zoom out", () => zoom(1 / 1.5)],
	[["ArrowLeft", "a"], "to the left", () => pan(-80)],
	[["ArrowRight", "d"], "to the right", () => pan(80)],
	[["ArrowUp"], "lane above", () => stepLane(-1)],
	[["ArrowDown"], "lane below", () => stepLane(1)],
	[[",", "<"], "event before", () => step(-1)],
	[[".", ">"], "event after", () => step(1)],
	[["Enter"], "zoom to the event", () => zoomToPicked()],
	[["0", "Home"], "show everything", () => showAll()],
	[["1", "2", "3", "4", "5", "6", "7", "8", "9"], "finding of that number", (key) => selectFinding(indexOf(Number(key)))],
	[["n"], "next place of the finding", () => stepPlace(1)],
	[["p"], "previous place", () => stepPlace(-1)],
	[["["], "process before", () => stepProcess(-1)],
	[["]"], "process after", () => stepProcess(1)],
	[["b"], "measured, after the fix, or both", () => nextMode()],
	[["e"], "threads that hardly ran: show or hide", () => toggleFold(measured)],
	[["v"], "sum up what is in sight", () => sumVisible()],
	[["m"], "measure from the event, then to another one", () => measure()],
	[["l"], "table of kernels, copies and calls", () => toggleTable()],
	[["i"], "pin or unpin the lane", () => togglePin(state.lane)],
	[["x"], "hide the lane", () => hideLane(state.lane)],
	[["X"], "show hidden lanes", () => showHidden()],
	[["/", "f"], "search", () => searchBox.focus()],
	[["t"], "dark or light", () => toggleTheme()],
	[["?", "h"], "this list", () => toggleHelp()],
	[["Escape"], "back", () => clearMarks()],
];

function onKey(event) {
	if (event.ctrlKey || event.metaKey || event.altKey || event.target === searchBox || event.target.tagName === "SELECT")
		return;
	// Buttons and links take Enter for themselves.
	if (event.key === "Enter" && event.target !== canvas)
		return;
	const row = KEYS.find(([keys]) => keys.includes(event.key));
	if (!row)
		return;
	event.preventDefault();
	row[2](event.key);
}

function listen() {
	canvas.addEventListener("wheel", onWheel, { passive: false });
	canvas.addEventListener("pointerdown", onDown);
	canvas.addEventListener("pointermove", onMove);
	canvas.addEventListener("pointerup", onUp);
	canvas.addEventListener("pointercancel", onUp);
	canvas.addEventListener("pointerleave", () => setHover(null));
	canvas.addEventListener("dblclick", () => zoomToPicked());
	document.addEventListener("keydown", onKey);
	window.addEventListener("hashchange", selectByHash);
	new ResizeObserver(fitCanvas).observe(canvas.parentElement);
	darkSystem.addEventListener("change", () => setTheme(darkSystem.matches));
}

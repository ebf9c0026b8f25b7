// The ruler: how far two points of the timeline are apart. A drag along the axis above the lanes measures, and the key m: first at
// one event, then at another.

const SNAP = 6; // pixels from an edge of an event

// The nearest edge of an event in sight, or the time itself.
function snapped(time) {
	const near = SNAP / scaleNow();
	let best = time, distance = near;
	for (const pane of state.panes)
		for (const { lane } of rowsOf(pane.run)) {
			if (!lane || countInSight(sourcesOf(pane.run, lane), state.from - pane.shift, state.to - pane.shift) > MOST_DRAWN)
				continue;
			const found = eventAt(pane.run, lane, time - pane.shift, near);
			if (!found)
				continue;
			const start = found.chunk.start[found.index] + pane.shift;
			for (const edge of [start, start + found.chunk.length[found.index]])
				if (Math.abs(edge - time) < distance) {
					best = edge;
					distance = Math.abs(edge - time);
				}
		}
	return best;
}

// As a distance is measured: six digits.
function formatDistance(ns) {
	return formatApart(ns, Math.abs(ns) / 1e4);
}

function setRuler(from, to) {
	state.ruler = { from: Math.min(from, to), to: Math.max(from, to) };
	redraw();
}

function showRuler(facts) {
	const { from, to } = state.ruler;
	setDetails(false, element("h2", { textContent: formatDistance(to - from) + " measured" }),
		factList([["from", formatApart(from, to - from)], ["to", formatApart(to, to - from)], ...facts]));
}

// The picked event as [start, end]; without one the middle of what is in sight.
function pointNow() {
	const { picked } = state, middle = (state.from + state.to) / 2;
	if (!picked?.chunk)
		return [middle, middle];
	const start = picked.chunk.start[picked.index];
	return [start, start + picked.chunk.length[picked.index]];
}

// The first time begins, the second one measures from start to start.
function measure() {
	const now = pointNow(), first = state.measured;
	if (!first) {
		state.measured = now;
		setRuler(now[0], now[0]);
		setDetails(false, element("p", { className: "hint", textContent: "Measuring from " + formatDistance(now[0]) +
			": choose another event (arrow keys, comma, period) and press m again." }));
		return;
	}
	state.measured = null;
	setRuler(first[0], now[0]);
	const [before, after] = first[0] <= now[0] ? [first, now] : [now, first];
	showRuler(before[1] > before[0] || after[1] > after[0]
		? [["end to start", formatDistance(after[0] - before[1])], ["start to end", formatDistance(after[1] - before[0])]] : []);
}

function drawMeasured() {
	if (!state.ruler)
		return;
	const [from, to] = [xOf(state.ruler.from), xOf(state.ruler.to)].map((x) => Math.round(Math.min(Math.max(x, state.gutter - 2), state.width + 2)));
	context.fillStyle = colours.accent;
	for (const x of [from, to])
		if (x >= state.gutter && x <= state.width)
			context.fillRect(x - 0.5, 2, 1.5, state.height);
	context.fillRect(from, RULER - 4, to - from, 3);
	if (to > from)
		drawFlag(formatDistance(state.ruler.to - state.ruler.from), (from + to) / 2, RULER / 2, colours.accent);
}

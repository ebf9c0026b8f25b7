// What is drawn over the lanes, and what is at a point of them.

function outline(x, y, width, colour, thickness) {
	context.strokeStyle = colour;
	context.lineWidth = thickness;
	context.strokeRect(x, y, width, LANE);
}

function laneY(pane, lane) {
	const row = rowsOf(pane.run).find((one) => one.lane === lane);
	return row ? rowTop(pane, row) : pane.top;
}

// On a pane, whose times may be shifted.
function outlineEvent(pane, lane, start, end, colour) {
	const x = Math.max(xOf(start + pane.shift), state.gutter - 4), to = Math.min(xOf(end + pane.shift), state.width + 4);
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
	if (state.race >= 0)
		return shown.races[state.race];
	const places = state.finding >= 0 ? shown.findings[state.finding].places : [];
	return places[state.place] || null;
}

// Narrower times are marked by a line alone.
const LEAST_PLACE = 12;

// Where the finding's time was lost, and an arrow from what waited to what it waited for; or both ends of a race.
function drawPlace(pane) {
	const place = placeNow();
	if (!place)
		return;
	const from = Math.max(xOf(place.start_ns), state.gutter), to = Math.min(xOf(place.end_ns), state.width);
	if (to < state.gutter || from > state.width)
		return;
	context.globalAlpha = 0.13;
	context.fillStyle = colours.lost;
	context.fillRect(from, pane.top, Math.max(to - from, 2), pane.height);
	context.globalAlpha = 1;
	const lanes = [place.waiter, place.waited].map((end) => end && measured.lanes[end[0]]);
	[place.waiter, place.waited].forEach((end, i) => {
		if (lanes[i])
			outlineEvent(pane, lanes[i], end[1], end[2], colours.lost);
	});
	if (to - from < LEAST_PLACE)
		return;
	if (lanes[0] && lanes[1])
		drawArrow(pane, place, lanes);
	// Below who waited, or above where there is no room.
	const y = laneY(pane, lanes[0] || pane.run.lanes[0]), isRoom = y + LANE + 20 < pane.top + pane.height;
	drawFlag(place.flag || (lanes[1] ? "waited " : "took ") + formatTime(place.end_ns - place.start_ns), (from + to) / 2,
		isRoom ? y + LANE + 11 : y - 11);
}

// Inside of an event's box, near an end of it.
function nearEnd(start, end, isStart) {
	const inside = Math.min(12, (xOf(end) - xOf(start)) / 2);
	const x = isStart ? xOf(start) + inside : xOf(end) - inside;
	return Math.min(Math.max(x, state.gutter + 8), state.width - 8);
}

// A call waits from then on when the time is lost, an operation until it starts; both for an end.
function drawArrow(pane, place, [waiterLane, waitedLane]) {
	const isCall = waiterLane.kind === "thread";
	const x1 = nearEnd(isCall ? Math.max(place.waiter[1], Math.min(place.start_ns, place.waiter[2])) : place.waiter[1],
		place.waiter[2], true);
	const x2 = nearEnd(place.waited[1], place.waited[2], false);
	const y1 = laneY(pane, waiterLane) + LANE / 2, y2 = laneY(pane, waitedLane) + LANE / 2;
	// In one lane the arrow goes around, above it.
	const comesFromAbove = y2 >= y1;
	const bend = Math.max(Math.abs(y2 - y1) / 2, 1.5 * LANE);
	const tip = comesFromAbove ? -9 : 9;
	const path = new Path2D();
	path.moveTo(x1, y1);
	path.bezierCurveTo(x1, y1 + (y2 > y1 ? bend : -bend), x2, y2 + (comesFromAbove ? -bend : bend), x2, y2 + tip);
	const head = new Path2D();
	head.arc(x1, y1, 4, 0, 7);
	head.moveTo(x2, y2);
	head.lineTo(x2 - 6, y2 + tip);
	head.lineTo(x2 + 6, y2 + tip);
	head.closePath();
	// It lies on boxes of any colour.
	for (const [colour, width] of [[colours.stage, 6], [colours.lost, 2.5]]) {
		context.strokeStyle = context.fillStyle = colour;
		context.lineWidth = width;
		context.stroke(path);
		if (colour === colours.stage)
			context.stroke(head);
		else
			context.fill(head);
	}
}

// A word on a plate, around x as far as there is room.
function drawFlag(label, x, y, colour = colours.lost) {
	context.font = "600 12px system-ui, sans-serif";
	const width = widthOf(label) + 14;
	const left = Math.max(state.gutter + 2, Math.min(x - width / 2, state.width - width - 8));
	context.fillStyle = colour;
	context.beginPath();
	context.roundRect(left, y - 9, width, 18, 4);
	context.fill();
	text(label, left + 7, y + 0.5, width, colours.ink);
	context.font = "12px system-ui, sans-serif";
}

// What is at this point of the canvas: { pane, run, lane, chunk, index }, as far as there is such a thing.
function hit(x, y) {
	const pane = state.panes.find((one) => y >= one.y && y < one.top + one.height);
	if (!pane || y < pane.top)
		return pane ? { pane, run: pane.run } : null;
	const rows = rowsOf(pane.run), isAbove = y < pane.top + rows.pinnedHeight;
	const row = rows.find((one) => Boolean(one.isPinned) === isAbove && y >= rowTop(pane, one) && y < rowTop(pane, one) + (one.lane ? LANE : GROUP));
	if (!row?.lane || x < state.gutter)
		return { pane, run: pane.run, row: row || null, time: x < state.gutter ? NaN : timeAt(x) };
	return { pane, run: pane.run, lane: row.lane, ...eventAt(pane.run, row.lane, timeAt(x) - pane.shift, 2 / scaleNow()) };
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

// What is known of an event, of a time, and of what the search finds.

const tip = element("div", { id: "tip", hidden: true });
const details = element("div", { id: "details" });
details.setAttribute("aria-live", "polite");

// isTall: it needs more than a few lines.
function setDetails(isTall, ...children) {
	details.classList.toggle("tall", isTall);
	details.scrollTop = 0;
	details.replaceChildren(...children.filter(Boolean));
}

// Rows of [what, value] as a list.
function factList(facts) {
	const list = element("dl", {});
	for (const [what, value] of facts)
		if (value !== null && value !== undefined && value !== "")
			list.append(element("dt", { textContent: what }), element("dd", { textContent: value }));
	return list;
}

function factsOf(found) {
	const { chunk, index, lane } = found;
	const thing = things[chunk.thing[index]];
	const facts = [
		["line", thing[THING.LINE]], ["in", thing[THING.FUNCTION]],
		["takes", formatTime(chunk.length[index])],
		["starts at", formatApart(chunk.start[index], chunk.length[index])],
		["where", lane.group + ", " + lane.name + (lane.thread ? " (" + lane.thread + ")" : "")],
	];
	if (isState(thing)) {
		facts.push(...stateFacts(found, thing));
	} else if (thing[THING.CLASS] === CLASS.CALL) {
		facts.push(["waits", chunk.amount[index] > 0 ? formatTime(chunk.amount[index]) : null]);
	} else if (chunk.amount[index] > 0) {
		facts.push(["bytes", formatBytes(chunk.amount[index])]);
		facts.push(["rate", formatBytes(chunk.amount[index] / Math.max(chunk.length[index], 1) * 1e9) + "/s"]);
	}
	facts.push(["launch", thing[THING.FACTS]]);
	facts.push(["in all", formatCount(thing[THING.COUNT]) + " times, " + formatTime(thing[THING.SUM])]);
	if (thing[THING.FULL] && !isState(thing) && thing[THING.FULL] !== thing[THING.NAME])
		facts.push(["name", thing[THING.FULL]]);
	return facts;
}

function headingOf(found) {
	const thing = things[found.chunk.thing[found.index]];
	const colour = thing[THING.CLASS];
	return element("h2", {}, element("i", { className: "chip class-" + colour }),
		thing[THING.CLASS] === CLASS.KERNEL ? "kernel " + thing[THING.NAME] : thing[THING.NAME]);
}

function setHover(found, point) {
	state.hover = found && found.chunk ? found : null;
	tip.hidden = !state.hover || !point;
	canvas.style.cursor = state.hover || found?.row?.lane || found?.row?.isFold || found?.row?.isOfHidden || found?.row?.isSteps ? "pointer" : "default";
	if (!tip.hidden) {
		tip.replaceChildren(headingOf(found), factList(factsOf(found)));
		const width = tip.offsetWidth, height = tip.offsetHeight;
		tip.style.left = Math.max(4, Math.min(point.x + 14, state.width - width - 8)) + "px";
		tip.style.top = (point.y + 18 + height > state.height ? Math.max(4, point.y - height - 12) : point.y + 18) + "px";
	}
	redraw();
}

// Whose event the link of another is: [how it is said, the kinds of lanes to look in].
function linkOf(found) {
	const { chunk, index, lane } = found;
	if (chunk.link[index] < 0)
		return null;
	if (lane.kind !== "thread")
		return ["enqueued by", ["thread"]];
	return [chunk.amount[index] > 0 ? "waited for" : "enqueued", ["stream"]];
}

// What belongs to the event, and the same event in the other runs, as far as they can be found: rows of [how it is said, the
// event, jumpButton's text].
async function relations(found) {
	const rows = [];
	const { chunk, index, lane } = found;
	const link = linkOf(found);
	const linked = link && await findEvent(measured, link[1], chunk.link[index]);
	if (linked)
		rows.push([link[0], linked]);
	if (WAITS_FOR_THREAD.includes(things[chunk.thing[index]][THING.CLASS]))
		rows.push(...await meanwhile(found));
	if (found.run !== measured) {
		const before = await findEvent(measured, lane.kind === "engine" ? ["stream"] : [lane.kind], chunk.id[index]);
		if (before)
			rows.push(["as measured", before]);
	}
	return rows;
}

// says: what is written on it, instead of the event's name, times and line.
function jumpButton(found, says) {
	const thing = things[found.chunk.thing[found.index]], start = found.chunk.start[found.index], length = found.chunk.length[found.index];
	const button = element("button", {
		className: "link",
		textContent: says || thing[THING.NAME] + " at " + formatApart(start, length) + ", " + formatTime(length) +
			(thing[THING.LINE] ? ", " + thing[THING.LINE] : ""),
	});
	button.onclick = () => {
		pick(found);
		reveal(found);
	};
	return button;
}

async function pick(found) {
	state.picked = found;
	if (found && found.lane)
		state.lane = found.lane;
	redraw();
	if (!found || !found.chunk) {
		showPlaceDetails();
		return;
	}
	const list = factList(factsOf(found));
	setDetails(false, headingOf(found), list);
	// Above all else: the line that enqueued it.
	const related = await relations(found);
	if (state.picked === found)
		list.prepend(...related.flatMap(([what, other, says]) => [element("dt", { textContent: what }), element("dd", {}, jumpButton(other, says))]));
}

function zoomToPicked() {
	const found = state.picked;
	if (!found || !found.chunk)
		return;
	const start = found.chunk.start[found.index], length = found.chunk.length[found.index];
	show(start - length * 0.5 - 20, start + length * 1.5 + 20);
}

// The next event in time, or the one before, that is right; in lanes with their own events. now: { time,
// id } of the event to go on from.
async function nextEvent(run, lanes, now, by, isRight) {
	let best = null;
	const isNearer = (start) => !best || (start - best.chunk.start[best.index]) * by < 0;
	for (const lane of lanes)
		for (const source of sourcesOf(run, lane)) {
			const rows = by > 0 ? source.chunks : [...source.chunks].reverse();
			for (const row of rows) {
				if (by > 0 ? row[CHUNK.LAST] < now.time : row[CHUNK.FIRST] > now.time)
					continue;
				if (best && !isNearer(by > 0 ? row[CHUNK.FIRST] : row[CHUNK.LAST]))
					break;
				const chunk = await loadChunk(row);
				const index = nextInChunk(lane, chunk, now, by, isRight);
				if (index < 0)
					continue;
				if (isNearer(chunk.start[index]))
					best = { run, lane, chunk, index };
				break;
			}
		}
	return best;
}

function nextInChunk(lane, chunk, now, by, isRight) {
	let index = by > 0 ? firstFrom(chunk, now.time) : firstFrom(chunk, now.time + 1) - 1;
	for (; index >= 0 && index < chunk.count; index += by) {
		const start = chunk.start[index];
		if ((start === now.time && chunk.id[index] === now.id) || (start - now.time) * by < 0)
			continue;
		if (isShownIn(lane, chunk, index) && isRight(chunk, index))
			return index;
	}
	return -1;
}

// Events are listed by name where there are no more than this.
const MOST_NAMED = 200000;

function setRange(range) {
	state.range = range;
	redraw();
}

// The parts of the lane's events inside the range: by chunk where it lies inside, else by event.
async function sumLane(lane, range, names) {
	const sum = { count: 0, busy: 0 };
	for (const row of lane.chunks) {
		if (row[CHUNK.LAST] < range.from || row[CHUNK.FIRST] > range.to)
			continue;
		if (!names && row[CHUNK.FIRST] >= range.from && row[CHUNK.LAST] <= range.to) {
			sum.count += row[CHUNK.COUNT];
			sum.busy += row[CHUNK.SUM];
			continue;
		}
		const chunk = await loadChunk(row);
		const end = firstFrom(chunk, range.to);
		for (let i = firstFrom(chunk, range.from - chunk.longest); i < end; i++) {
			const inside = Math.min(chunk.start[i] + chunk.length[i], range.to) - Math.max(chunk.start[i], range.from);
			if (inside < 0)
				continue;
			sum.count++;
			sum.busy += inside;
			// Ranges would come before all that happened in them.
			if (names && lane.kind !== "ranges") {
				const one = names.get(chunk.thing[i]) || { count: 0, busy: 0 };
				one.count++;
				one.busy += inside;
				names.set(chunk.thing[i], one);
			}
		}
	}
	return sum;
}

function sumTable(headings, rows) {
	const table = element("table", {}, element("tr", {}, ...headings.map((heading) => element("th", { textContent: heading }))));
	for (const row of rows)
		table.append(element("tr", {}, ...row.map((cell) => element("td", { textContent: cell }))));
	return table;
}

// title: what is selected.
async function sumRange(title) {
	const range = state.range, run = state.panes[0].run, length = range.to - range.from;
	const lanes = run.lanes.filter((lane) => lane.kind !== "engine" && lane.kind !== "states");
	const names = countInSight(lanes, range.from, range.to) <= MOST_NAMED ? new Map() : null;
	const rows = [];
	setDetails(false, element("h2", { textContent: "Adding up \u2026" }));
	for (const lane of lanes) {
		const sum = await sumLane(lane, range, names);
		if (sum.count)
			rows.push([lane.name, formatCount(sum.count), formatTime(sum.busy), formatShare(sum.busy, length)]);
	}
	const threads = await sumStates(run, range);
	if (state.range !== range)
		return;
	const named = names ? [...names].sort((a, b) => b[1].busy - a[1].busy).slice(0, 12) : [];
	setDetails(false,
		element("h2", { textContent: (title || formatTime(length) + " selected") + ", from " + formatApart(range.from, length) + " to " + formatApart(range.to, length) }),
		element("div", { className: "sums" },
			sumTable(["lane", "events", "busy", "of the time"], rows), ...(threads ? [threads] : []),
			names ? sumTable(["longest", "times", "together"], named.map(([number, sum]) =>
				[things[number][THING.NAME], formatCount(sum.count), formatTime(sum.busy)]))
				: element("p", { textContent: "Select fewer than 200,000 events to see them by name." })));
}

function sumVisible() {
	setRange({ from: Math.max(0, state.from), to: Math.min(state.to, lastTime) });
	sumRange();
}

// The search.

const searchBox = element("input", { type: "search", placeholder: "Search kernels, calls, lines ( / )", autocomplete: "off", spellcheck: false });
searchBox.setAttribute("aria-label", "Search");
const searchSays = element("div", { id: "found", hidden: true });
searchSays.setAttribute("aria-live", "polite");

function search() {
	const word = searchBox.value.trim().toLowerCase();
	const columns = [THING.NAME, THING.FULL, THING.LINE, THING.FUNCTION];
	searchSays.hidden = !word;
	state.matches = null;
	if (word) {
		state.matches = things.map((thing) => columns.some((column) => thing[column] && thing[column].toLowerCase().includes(word)));
		showMatches();
	}
	redraw();
}

function showMatches() {
	const found = things.map((thing, index) => index).filter((index) => state.matches[index] && things[index][THING.COUNT]);
	const sum = (column) => found.reduce((all, index) => all + things[index][column], 0);
	found.sort((a, b) => things[b][THING.SUM] - things[a][THING.SUM]);
	searchSays.replaceChildren(element("p", {
		textContent: found.length ? formatCount(sum(THING.COUNT)) + " events, " + formatTime(sum(THING.SUM)) + ". Enter: the next one; Shift+Enter: the one before."
			: "Nothing of that name.",
	}), ...found.slice(0, 8).map((index) => {
		const thing = things[index];
		const button = element("button", {}, element("i", { className: "chip class-" + thing[THING.CLASS] }),
			element("span", { textContent: thing[THING.NAME] + (thing[THING.LINE] ? "  " + thing[THING.LINE] : "") }),
			element("b", { textContent: formatCount(thing[THING.COUNT]) + " \u00d7 " + formatTime(thing[THING.SUM] / Math.max(1, thing[THING.COUNT])) }));
		button.onclick = () => searchNext(1, index);
		return button;
	}));
}

// Goes to the next event that matches, or is that thing; from the first one on again after the last.
async function searchNext(by, only) {
	if (!state.matches)
		return;
	const isRight = (chunk, index) => only === undefined ? state.matches[chunk.thing[index]] : chunk.thing[index] === only;
	const lanes = measured.lanes.filter((lane) => lane.kind !== "engine");
	const picked = state.picked && state.picked.chunk && state.picked.run === measured ? state.picked : null;
	const now = picked ? { time: picked.chunk.start[picked.index], id: picked.chunk.id[picked.index] } : { time: state.from, id: NaN };
	const found = await nextEvent(measured, lanes, now, by, isRight) ||
		await nextEvent(measured, lanes, { time: by > 0 ? -1 : lastTime * 2, id: NaN }, by, isRight);
	if (found) {
		pick(found);
		reveal(found);
	}
}

searchBox.addEventListener("input", search);
searchBox.addEventListener("keydown", (event) => {
	if (event.key === "Enter")
		searchNext(event.shiftKey ? -1 : 1);
	if (event.key === "Escape") {
		searchBox.value = "";
		search();
		canvas.focus();
	}
});

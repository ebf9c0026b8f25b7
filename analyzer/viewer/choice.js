// Lanes that are pinned above the others, or hidden: in all runs, by what they are called.

const pinned = new Set(), hidden = new Set();

function keyOf(lane) {
	return [lane.group, lane.kind, lane.name].join("\n");
}

function laneTitle(lane) {
	return lane.kind === "states" ? threadLabel(lane.name) + ", between calls" : threadLabel(lane.name);
}

// The rows are made again.
function chooseLanes() {
	for (const run of shown.runs)
		run.rows = null;
	layOut();
	redraw();
}

function togglePin(lane) {
	if (!lane)
		return;
	if (!pinned.delete(keyOf(lane)))
		pinned.add(keyOf(lane));
	hidden.delete(keyOf(lane));
	chooseLanes();
	showLane(lane);
}

function hideLane(lane) {
	if (!lane)
		return;
	hidden.add(keyOf(lane));
	pinned.delete(keyOf(lane));
	state.lane = null;
	chooseLanes();
	showPlaceDetails();
}

function showHidden() {
	hidden.clear();
	chooseLanes();
}

function hiddenText(count) {
	return "\u25b8 " + formatCount(count) + (count > 1 ? " hidden lanes" : " hidden lane");
}

function laneButton(textContent, onclick) {
	return element("button", { textContent, onclick });
}

// What a click on a lane's name shows.
function showLane(lane) {
	state.lane = lane;
	state.picked = null;
	redraw();
	const isPinned = pinned.has(keyOf(lane));
	setDetails(false, element("h2", { textContent: lane.group + ", " + laneTitle(lane) }),
		factList([["events", formatCount(lane.count)], ["busy", formatTime(lane.busy_ns) + " (" + formatShare(lane.busy_ns, lane.end_ns - lane.start_ns) + " of the time from its first event to its last)"]]),
		element("div", { className: "walk" },
			laneButton(isPinned ? "Unpin (i)" : "Pin to the top (i)", () => togglePin(lane)), laneButton("Hide (x)", () => hideLane(lane)),
			hidden.size ? laneButton("Show hidden lanes (X)", showHidden) : null));
}

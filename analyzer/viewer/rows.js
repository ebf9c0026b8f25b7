// Where the runs and their lanes stand, one below the other.

// Rows of a run: its title, groups and lanes, with y from its top.
function rowsOf(run) {
	if (run.rows)
		return run.rows;
	let y = 0, group = null, before = null, hasFold = false, hiddenCount = 0;
	run.rows = [];
	if (hasSteps(run)) {
		run.rows.push({ y, height: GROUP, text: "Steps", isSteps: true, isPinned: true });
		y += GROUP;
	}
	for (const lane of run.lanes)
		if (pinned.has(keyOf(lane))) {
			run.rows.push({ y, height: LANE, lane, label: laneTitle(lane), isPinned: true });
			y += LANE + GAP;
		}
	run.rows.pinnedHeight = y;
	for (const lane of run.lanes) {
		if (pinned.has(keyOf(lane)))
			continue;
		if (hidden.has(keyOf(lane))) {
			hiddenCount++;
			continue;
		}
		if (lane.group !== group) {
			group = lane.group;
			run.rows.push({ y, height: GROUP, text: group });
			y += GROUP;
		}
		if (lane.folded && !hasFold) {
			run.rows.push({ y, height: GROUP, text: foldText(run), isFold: true });
			y += GROUP;
			hasFold = true;
		}
		if (lane.folded && !run.isUnfolded)
			continue;
		// States stand right below the calls of their thread.
		const isBelow = lane.kind === "states" && before?.kind === "thread" && before.name === lane.name;
		y -= isBelow ? GAP : 0;
		run.rows.push({ y, height: LANE, lane, label: isBelow ? "between calls" : threadLabel(lane.name), isBelow });
		y += LANE + GAP;
		before = lane;
	}
	if (hiddenCount) {
		run.rows.push({ y, height: GROUP, text: hiddenText(hiddenCount), isOfHidden: true });
		y += GROUP;
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
		// A replayed run is drawn `shift` later than it says, so that the same work stands below itself.
		const pane = { index, run: shown.runs[index], y, top: y + TITLE, height,
			scroll: before ? before.scroll : 0, shift: before ? before.shift : 0 };
		y = pane.top + height;
		scrollPane(pane, 0);
		return pane;
	});
}

function scrollPane(pane, by) {
	const most = Math.max(0, rowsOf(pane.run).height - pane.height);
	pane.scroll = Math.min(most, Math.max(0, pane.scroll + by));
}

// Where the row is on the canvas. Pinned ones do not scroll.
function rowTop(pane, row) {
	return pane.top + row.y - (row.isPinned ? 0 : pane.scroll);
}

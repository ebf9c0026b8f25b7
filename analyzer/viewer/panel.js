// The findings beside the timeline.

const cards = [];
const MOST_LISTED = 50; // findings of all processes

function arePredicted() {
	return report.findings.some((finding) => finding.lost_overlap_ns.high > 0);
}

// As in the text report.
function numberOf(index) {
	return report.findings[index].number;
}

function indexOf(number) {
	return report.findings.findIndex((finding) => finding.number === number);
}

// The run with this finding's fix in shown.runs, alone or behind those that it needs; -1: none.
function runOf(index) {
	return shown.runs.findIndex((run) => run.of === numberOf(index));
}

// As format_time_range() in format.h.
function formatRange(lost) {
	const [low, high] = [formatTime(lost.low), formatTime(lost.high)];
	const unit = high.slice(high.indexOf(" "));
	return (low.endsWith(unit) ? low.slice(0, -unit.length) : low) + ".." + high;
}

// How much of the run the fix saves: a bar for the range, a line for the estimate.
function savingBar(lost) {
	const bar = element("div", { className: "bar" });
	const range = element("i", { className: "range" }), estimate = element("i", { className: "estimate" });
	const place = (ns) => Math.min(100, 100 * ns / wholeTime);
	range.style.left = place(lost.low) + "%";
	range.style.width = Math.max(0.5, place(lost.high) - place(lost.low)) + "%";
	estimate.style.width = place(lost.estimate) + "%";
	bar.append(estimate, range);
	bar.title = "of the run: " + formatShare(lost.estimate, wholeTime) + ", range " + formatRange(lost);
	return bar;
}

// What is left of the run when one finding after the other is fixed.
function stairs() {
	const box = element("div", { className: "stairs" });
	let left = wholeTime;
	const add = (label, time, index) => {
		const row = savingRow(index === undefined ? "div" : "button", label, time, wholeTime);
		if (index !== undefined)
			row.onclick = () => selectFinding(index);
		box.append(row);
	};
	add("now", wholeTime);
	for (const [index, finding] of report.findings.entries()) {
		// What a filter left out would be a step, too.
		if (finding.in_order_ns === null || index >= 8 || numberOf(index) !== index + 1)
			break;
		left -= finding.in_order_ns;
		add((index ? "+ " : "") + "fix " + numberOf(index), Math.max(0, left), index);
	}
	return box;
}

// Numbers of the processes: by rank where they have one, which the names of files do not sort by.
const processOrder = processes.map((process, at) => at + 1).sort((a, b) => {
	const ranks = [a, b].map((one) => Number.parseInt(processes[one - 1].rank, 10));
	return ranks.some(Number.isNaN) ? a - b : ranks[0] - ranks[1] || a - b;
});

// Whether they ran at the same time, by a clock that they share.
function ranTogether(a, b) {
	const [one, other] = [a.lane, b.lane];
	return one.clock !== "" && one.clock === other.clock && one.start_us < other.start_us + other.wall_us &&
		other.start_us < one.start_us + one.wall_us;
}

// Whether they are ranks of a job on several machines, as far as can be told: each rank is there once.
function areRanks(members) {
	const ranks = members.map((at) => processes[at - 1].rank);
	return !ranks.includes(null) && new Set(ranks).size === ranks.length;
}

// The processes' numbers by run: those that ran together, and the ranks of a job. What is left is of other runs.
function runsOfProcesses() {
	const runs = [];
	for (const at of processOrder) {
		const met = runs.filter((run) => run.some((other) => ranTogether(processes[at - 1], processes[other - 1])));
		for (const run of met)
			runs.splice(runs.indexOf(run), 1);
		runs.push([...met.flat(), at]);
	}
	const clockOf = (run) => processes[run[0] - 1].lane.clock;
	return runs.reduce((jobs, run) => {
		const job = jobs.find((other) => clockOf(other) !== clockOf(run) && areRanks([...other, ...run]));
		return job ? (job.push(...run), jobs) : [...jobs, run];
	}, []).map((run) => processOrder.filter((at) => run.includes(at)));
}

const processRuns = runsOfProcesses();

function processRow(at, most) {
	const process = processes[at - 1], row = savingRow("button", process.name, process.saved_ns, most);
	row.title = "show this process";
	row.setAttribute("aria-current", String(at === processNow));
	row.onclick = () => showProcess(at);
	return row;
}

// Of processes of one run the largest saving fills its bar; of one by itself the length of its run would.
function runRows(run, index) {
	const one = processes[run[0] - 1];
	const most = run.length > 1 ? Math.max(...run.map((at) => processes[at - 1].saved_ns)) : one.whole_ns;
	const rows = run.map((at) => processRow(at, most));
	const isMixed = processRuns.length > 1 && processRuns.length < processes.length;
	const title = "Run " + (index + 1) + (run.length > 1 ? ": " + run.length + " processes" : "");
	return isMixed ? [element("h3", { textContent: title }), ...rows] : rows;
}

// "4 processes", "3 traces, each by itself", "5 traces of 2 runs".
function processTitle() {
	const count = processes.length, runs = processRuns.length;
	return runs === 1 ? count + " processes" : count + " traces" + (runs === count ? ", each by itself" : " of " + runs + " runs");
}

// What can be won back in each process, and the findings of all, those that save most first.
function processList() {
	if (processes.length < 2)
		return null;
	const rows = processRuns.flatMap(runRows);
	const all = processes.flatMap((process, at) => process.findings.map((finding) => ({ process, at, finding })));
	const list = element("details", { className: "all" },
		element("summary", { textContent: (all.length > MOST_LISTED ? `The largest ${MOST_LISTED} of ` : "") + all.length + " findings of all processes" }));
	all.sort((a, b) => b.finding.saved_ns - a.finding.saved_ns);
	for (const { process, at, finding } of all.slice(0, MOST_LISTED)) {
		const button = element("button", { className: "one" }, element("b", { textContent: formatTime(finding.saved_ns) }),
			element("span", {}, finding.id, element("code", { textContent: finding.line }), element("small", { textContent: process.name })));
		button.onclick = () => showProcess(at + 1, finding.number);
		list.append(button);
	}
	return element("section", { className: "processes" }, element("h2", { textContent: processTitle() }),
		element("div", { className: "stairs" }, ...rows), all.length ? list : null);
}

function showProcess(process, finding) {
	location.hash = addressOf(process, finding);
}

// Scrolls the list and the lanes, and nothing around them, to the shown process.
function showCurrent() {
	for (const row of document.querySelectorAll("aside [aria-current='true']")) {
		const list = row.closest(".stairs, .machines");
		list.scrollTop = row.offsetTop - list.offsetTop - list.clientHeight / 2;
	}
}

// The process before or behind, around the ends.
function stepProcess(by) {
	const count = processOrder.length;
	if (count > 1)
		showProcess(processOrder[(processOrder.indexOf(processNow) + by + count) % count]);
}

function savingRow(tag, label, ns, most) {
	const bar = element("i", {});
	bar.style.width = Math.max(1, 100 * ns / Math.max(most, 1)) + "%";
	return element(tag, { className: "stair" }, element("span", { textContent: label }), element("div", {}, bar),
		element("b", { textContent: formatTime(ns) }));
}

// What it saves to fix some of the places.
function curveOf(index) {
	const curve = shown.findings[index].curve;
	if (!curve)
		return null;
	const most = Math.max(...curve.map(([, saved]) => saved));
	return element("div", { className: "curve" }, element("p", {}, element("b", { textContent: "Fixing only some of the places saves" })),
		...curve.map(([count, saved], at) => savingRow("div", at === curve.length - 1 ? "all " + count : "longest " + count, saved, most)));
}

// The element's content becomes a button.
function makeButton(around, className, action) {
	const button = element("button", { className }, ...around.childNodes);
	button.onclick = action;
	around.replaceChildren(button);
	return button;
}

// Adds to the card what can be clicked.
function enhanceCard(card, index) {
	const lost = report.findings[index].lost_overlap_ns;
	const heading = card.querySelector(".title"), more = card.querySelector(".more");
	heading.className = "";
	const title = makeButton(heading, "title", () => selectFinding(index));
	title.setAttribute("aria-expanded", "false");
	if (arePredicted())
		heading.after(savingBar(lost));
	more.hidden = true;
	more.prepend(makeWalk(index));
	const evidence = more.querySelector(".evidence");
	[...evidence.children].forEach((row, place) => makeButton(row, "", () => {
		state.place = place;
		showPlace();
	}));
	const curve = curveOf(index);
	evidence.before(...[curve, element("p", {}, element("a", {
		href: addressOf(processNow, numberOf(index)), textContent: "link to this finding" }))].filter(Boolean));
	cards.push({ card, title, more });
}

// The findings of the shown process are in the page already (viewer.h); of others the list is enough.
function makePanel() {
	const aside = document.querySelector("aside"), section = document.getElementById("process-" + processNow);
	for (const other of aside.querySelectorAll(".process"))
		if (other !== section)
			other.remove();
	const found = section.querySelectorAll(".card");
	found.forEach(enhanceCard);
	enhanceRaces();
	if (arePredicted())
		section.querySelector(".headline")?.append(stairs());
	if (found.length)
		found[0].before(element("p", { className: "start", textContent: "Click a finding to see its worst place." }));
	aside.prepend(...[processList(), rankLanes()].filter(Boolean));
	return aside;
}

// Buttons to see the finding's worst place, and the run without it.
function makeWalk(index) {
	const worst = element("button", { textContent: "Worst place" });
	const after = element("button", { className: "main", textContent: "Run after this fix" });
	worst.onclick = () => selectFinding(index);
	after.onclick = () => showAfter(index);
	return element("div", { className: "walk" }, worst, runOf(index) > 0 ? after : null);
}

function markCard(index) {
	state.finding = index;
	state.place = 0;
	for (const [i, { card, title, more }] of cards.entries()) {
		card.classList.toggle("selected", i === index);
		title.setAttribute("aria-expanded", String(i === index));
		more.hidden = i !== index;
	}
}

function selectFinding(index) {
	if (index < 0 || index >= report.findings.length)
		return;
	forgetRace();
	markCard(index);
	history.replaceState(null, "", addressOf(processNow, numberOf(index)));
	cards[index].card.scrollIntoView({ block: "nearest" });
	// The lower half, where there is one, is the run without this finding.
	if (modeNow() === "both" && runOf(index) > 0)
		setRuns([0, runOf(index)]);
	else if (!state.runs.includes(0))
		setRuns([0]);
	showTab("timeline");
	showPlace();
}

function stepPlace(by) {
	if (state.race >= 0)
		return stepRace(by);
	const places = state.finding >= 0 ? shown.findings[state.finding].places : [];
	if (!places.length)
		return;
	state.place = (state.place + by + places.length) % places.length;
	showPlace();
}

// The place in the middle, with who waited and the end of what it waited for.
function showPlace() {
	const place = placeNow();
	state.picked = null;
	showPlaceDetails();
	if (!place)
		return;
	const length = Math.max(place.end_ns - place.start_ns, 1);
	let from = place.start_ns, to = place.end_ns;
	for (const end of [place.waiter, place.waited])
		if (end) {
			from = Math.min(from, Math.max(end[1], place.start_ns - 2 * length));
			to = Math.max(to, Math.min(end[2], place.end_ns + 2 * length));
		}
	show(from - (to - from) * 0.35, to + (to - from) * 0.35);
	for (const end of [place.waited, place.waiter])
		if (end && measured.lanes[end[0]])
			revealLane(measured, measured.lanes[end[0]]);
	alignPanes(place);
}

// Draws the replayed run so that the work of the place stands where it does in the measured one.
async function alignPanes(place) {
	const pane = state.panes.find((one) => one.run.fixes);
	for (const end of [place.waiter, place.waited]) {
		const lane = end && measured.lanes[end[0]];
		const found = pane && lane && await findEvent(pane.run, [lane.kind], end[4]);
		if (!found)
			continue;
		if (placeNow() === place)
			pane.shift = end[1] - found.chunk.start[found.index];
		redraw();
		return;
	}
}

// "the worst of 49 places", "place 2 of 49", "place 2 of the longest 50 of 106".
function placeName() {
	const kept = shown.findings[state.finding].places.length, all = report.findings[state.finding].count;
	return (state.place ? "place " + (state.place + 1) : "the worst") + " of " +
		(state.place && kept < all ? "the longest " + kept + " of " : "") + formatCount(Math.max(kept, all)) +
		(state.place ? "" : " places");
}

function placeEnd(what, end) {
	if (!end || !things[end[3]])
		return null;
	const thing = things[end[3]];
	return [what, thing[THING.NAME] + " at " + formatApart(end[1], end[2] - end[1]) + ", " + formatTime(end[2] - end[1]) +
		(thing[THING.LINE] ? ", " + thing[THING.LINE] : "")];
}

function showPlaceDetails() {
	const place = placeNow();
	if (!place) {
		setDetails(false, element("p", { className: "hint", textContent: innerWidth < 760
			? "Drag to move, pinch to zoom, tap an event for its facts."
			: "Wheel: zoom. Drag: move. Shift+wheel: scroll the lanes. Shift+drag: add up. Click an event for its facts. ? lists the keys." }));
		return;
	}
	if (state.race >= 0)
		return showRaceDetails(place);
	const finding = report.findings[state.finding];
	setDetails(false,
		element("h2", {}, element("span", { className: "number", textContent: numberOf(state.finding) }),
			toolButton("\u2039", "place before (p)", () => stepPlace(-1)), toolButton("\u203a", "next place (n)", () => stepPlace(1)),
			" " + finding.title + ", " + placeName()),
		element("p", { textContent: place.text || "Shows once the fixes above are in." }),
		factList([placeEnd(place.waited ? "who waited" : "where", place.waiter), placeEnd("for whom", place.waited)].filter(Boolean)));
}

// The run after the finding's fix, or all fixes, beside the measured one.
function showAfter(index) {
	const run = runOf(index);
	if (run < 0)
		return;
	showTab("timeline");
	setRuns([0, run]);
	showAll();
}

function selectByHash() {
	const { process, finding } = addressed(), index = indexOf(finding);
	if (process !== processNow)
		location.reload();
	else if (index >= 0 && index !== state.finding)
		selectFinding(index);
}

// A table of what ran: kernels, copies, calls and ranges by name.

// Rows beyond these are few of many: the search finds them.
const MOST_ROWS = 200;

const TABLE_COLUMNS = [
	["name", (row) => row.name, (name) => name],
	["times", (row) => row.count, formatCount],
	["total", (row) => row.sum, formatTime],
	["mean", (row) => row.sum / row.count, formatTime],
	["longest", (row) => row.longest, formatTime],
];

const tableOrder = { column: 2, isUp: false };

// All things of one name and kind are a row; `start` is that of the longest event.
function tableRows() {
	const rows = new Map();
	things.forEach((thing, index) => {
		const kind = thing[THING.CLASS], key = kind + " " + thing[THING.NAME];
		if (!thing[THING.COUNT] || isState(thing) || thing[THING.NAME] === IN_CALLS)
			return;
		const row = rows.get(key) || { kind, name: thing[THING.NAME], count: 0, sum: 0, longest: -1, start: 0, things: new Set() };
		row.count += thing[THING.COUNT];
		row.sum += thing[THING.SUM];
		row.things.add(index);
		if (thing[THING.LONGEST] > row.longest)
			[row.longest, row.start] = [thing[THING.LONGEST], thing[THING.LONGEST_START]];
		rows.set(key, row);
	});
	const [, valueOf] = TABLE_COLUMNS[tableOrder.column], by = tableOrder.isUp ? 1 : -1;
	return [...rows.values()].sort((a, b) => by * (valueOf(a) > valueOf(b) ? 1 : valueOf(a) < valueOf(b) ? -1 : 0));
}

// Goes to the longest event of the row, and turns pale what is not of it. The table stays.
async function showLongest(row) {
	const isLongest = (chunk, index) => row.things.has(chunk.thing[index]) && chunk.length[index] === row.longest;
	const lanes = measured.lanes.filter((lane) => lane.kind !== "engine" && lane.kind !== "states");
	const found = await nextEvent(measured, lanes, { time: row.start, id: NaN }, 1, isLongest);
	state.matches = things.map((thing, index) => row.things.has(index));
	redraw();
	if (!found)
		return;
	if (!state.runs.includes(0))
		setRuns([0]);
	state.picked = found;
	state.lane = found.lane;
	if (row.longest * scaleNow() < LEAST_PLACE)
		show(row.start - 10 * row.longest, row.start + 11 * row.longest);
	reveal(found);
}

function sortTable(column) {
	// Names from a on, figures from the largest on.
	tableOrder.isUp = tableOrder.column === column ? !tableOrder.isUp : column === 0;
	tableOrder.column = column;
	showTable();
	details.querySelectorAll("th button")[column].focus();
}

function tableHead() {
	return element("thead", {}, element("tr", {}, ...TABLE_COLUMNS.map(([title], column) => {
		const button = element("button", { textContent: title });
		const head = element("th", { scope: "col" }, button);
		button.onclick = () => sortTable(column);
		if (column === tableOrder.column)
			head.setAttribute("aria-sort", tableOrder.isUp ? "ascending" : "descending");
		return head;
	})));
}

function tableRow(row) {
	const button = element("button", { className: "link", textContent: row.name, title: "show the longest" });
	button.onclick = () => showLongest(row);
	return element("tr", {}, ...TABLE_COLUMNS.map(([, valueOf, format], column) => column
		? element("td", { textContent: format(valueOf(row)) })
		: element("td", {}, element("i", { className: "chip class-" + row.kind, title: CLASS_NAMES[row.kind] }), button)));
}

function showTable() {
	const rows = tableRows(), more = rows.length - MOST_ROWS;
	setDetails(true, element("h2", { textContent: "Kernels, copies and calls as measured" }),
		element("table", { className: "things" }, tableHead(), element("tbody", {}, ...rows.slice(0, MOST_ROWS).map(tableRow))),
		more > 0 ? element("p", { className: "hint", textContent: formatCount(more) + " more: search for them." }) : null);
}

function toggleTable() {
	showTab("timeline");
	if (details.classList.contains("tall"))
		pick(null);
	else
		showTable();
}

// Lanes of all processes on one time axis: those with a clock in common, each machine's for itself.

const LANE_WIDTH = 1000, LANE_HEIGHT = 9;

// Of vector graphics: the page names no address, this one neither.
const VECTORS = new DOMParser().parseFromString("<svg></svg>", "text/html").querySelector("svg").namespaceURI;

function vector(name, attributes, ...children) {
	const made = document.createElementNS(VECTORS, name);
	for (const [key, value] of Object.entries(attributes))
		made.setAttribute(key, value);
	made.append(...children);
	return made;
}

// Steps as high as the digits say, up from the ground: from..to is the lane's part of the axis.
function stepsOf(digits, from, to) {
	const width = (to - from) / digits.length;
	const steps = [...digits].map((digit, at) => `V${LANE_HEIGHT - Number(digit)}H${(from + width * (at + 1)).toFixed(1)}`);
	return `M${from.toFixed(1)} ${LANE_HEIGHT}${steps.join("")}V${LANE_HEIGHT}Z`;
}

function rankLane(at, start, span) {
	const process = processes[at - 1], lane = process.lane;
	const from = LANE_WIDTH * (lane.start_us - start) / span, to = from + LANE_WIDTH * lane.wall_us / span;
	const drawn = vector("svg", { viewBox: `0 0 ${LANE_WIDTH} ${LANE_HEIGHT}`, preserveAspectRatio: "none" },
		vector("path", { class: "work", d: stepsOf(lane.work, from, to) }),
		vector("path", { class: "collectives", d: stepsOf(lane.collectives, from, to) }));
	const row = element("button", { className: "lane", title: "show this process" },
		element("span", { textContent: process.rank === null ? process.name : "rank " + process.rank }), drawn);
	row.setAttribute("aria-current", String(at === processNow));
	row.onclick = () => showProcess(at);
	return row;
}

function rankLanes() {
	if (processes.length < 2)
		return null;
	const machines = new Map(); // of each run
	for (const [run, members] of processRuns.entries())
		for (const at of members) {
			const clock = run + " " + processes[at - 1].lane.clock;
			machines.set(clock, [...machines.get(clock) || [], at]);
		}
	const axes = element("div", { className: "machines" });
	for (const members of machines.values()) {
		const lanes = members.map((at) => processes[at - 1].lane);
		const start = Math.min(...lanes.map((lane) => lane.start_us));
		const span = Math.max(...lanes.map((lane) => lane.start_us + lane.wall_us)) - start;
		axes.append(element("div", {}, ...members.map((at) => rankLane(at, start, Math.max(span, 1)))));
	}
	const apart = machines.size > processRuns.length ? `; each of ${machines.size} machines by its own clock, from its own first activity`
		: machines.size > 1 ? "; each run from its own first activity" : "";
	return element("section", { className: "lanes" }, axes, element("p", { className: "quiet" },
		element("i", { className: "chip class-" + CLASS.KERNEL }), "GPU work ",
		element("i", { className: "chip class-" + CLASS.WAIT }), "collectives and waiting in them" + apart));
}

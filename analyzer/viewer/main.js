// The page around the timeline, and its start.

const modeButtons = [];
const fixChoice = element("select", { title: "whose fixes are applied" });
fixChoice.setAttribute("aria-label", "fixes that are applied");
const help = element("div", { id: "help", hidden: true, role: "dialog", ariaLabel: "Keys" });
const tabs = {};

// The runs that are drawn, from top to bottom: indexes of shown.runs.
function setRuns(runs) {
	state.runs = runs;
	const after = runs.find((index) => index > 0);
	if (after)
		fixChoice.value = String(after);
	for (const [button, mode] of modeButtons)
		button.setAttribute("aria-pressed", String(mode === modeNow()));
	fixChoice.disabled = modeNow() === "before";
	layOut();
	redraw();
}

function modeNow() {
	return state.runs.length === 2 ? "both" : state.runs[0] === 0 ? "before" : "after";
}

function setMode(mode) {
	const after = Number(fixChoice.value || 1);
	setRuns(mode === "both" ? [0, after] : mode === "before" ? [0] : [after]);
}

function nextMode() {
	const modes = ["before", "after", "both"];
	if (shown.runs.length > 1)
		setMode(modes[(modes.indexOf(modeNow()) + 1) % 3]);
}

function makeModes() {
	const box = element("div", { className: "modes" });
	if (shown.runs.length < 2) {
		box.append(element("span", { className: "quiet", textContent: "no fix to replay" }));
		return box;
	}
	for (const [mode, label] of [["before", "Measured"], ["after", "After the fix"], ["both", "Both"]]) {
		const button = element("button", { textContent: label });
		button.onclick = () => setMode(mode);
		modeButtons.push([button, mode]);
		box.append(button);
	}
	for (const [index, run] of shown.runs.entries())
		if (index)
			fixChoice.append(element("option", { value: String(index),
				textContent: nameOfFixes(run) }));
	fixChoice.onchange = () => setMode(modeNow());
	box.append(fixChoice);
	return box;
}

function toolButton(label, title, action) {
	const button = element("button", { textContent: label, title });
	button.setAttribute("aria-label", title);
	button.onclick = action;
	return button;
}

function makeTools() {
	return element("div", { className: "tools" }, makeModes(),
		element("div", { className: "zoom" },
			toolButton("+", "zoom in", () => zoom(1.5)),
			toolButton("\u2212", "zoom out", () => zoom(1 / 1.5)),
			toolButton("\u2194", "show everything", showAll),
			toolButton("\u03a3", "sum up what is in sight", sumVisible),
			toolButton("\u2630", "table of kernels, copies and calls", toggleTable)));
}

function makeLegend() {
	const used = new Set(things.map((thing) => thing[THING.CLASS]));
	const legend = element("div", { className: "legend" });
	if (used.has(CLASS.CALL))
		used.add(CLASS.WAIT);
	CLASS_NAMES.forEach((name, index) => {
		if (index === CLASS.READY)
			legend.append(element("b", { textContent: "Host threads between their calls" }));
		if (used.has(index))
			legend.append(element("span", {}, element("i", { className: "chip class-" + index }), name));
	});
	return legend;
}

const darkSystem = matchMedia("(prefers-color-scheme: dark)");

function setTheme(isDark) {
	document.documentElement.dataset.theme = isDark ? "dark" : "light";
	readColours();
}

function toggleTheme() {
	setTheme(document.documentElement.dataset.theme !== "dark");
}

function toggleHelp() {
	help.hidden = !help.hidden;
}

function makeHelp() {
	const list = element("dl", {});
	for (const [keys, meaning] of KEYS)
		list.append(element("dt", { textContent: keys[0] === "1" ? "1 .. 9" : keys.join(" ") }), element("dd", { textContent: meaning }));
	help.append(element("h2", { textContent: "Keys" }), list, toolButton("close", "close", toggleHelp));
}

function clearMarks() {
	if (!help.hidden) {
		toggleHelp();
		return;
	}
	if (!searchBox.value)
		state.matches = null; // of the table
	state.picked = state.range = state.ruler = state.measured = null;
	pick(null);
}

// On a narrow screen one of the two is shown.
function showTab(name) {
	document.body.dataset.tab = name;
	for (const [other, button] of Object.entries(tabs))
		button.setAttribute("aria-pressed", String(other === name));
}

function makeTabs() {
	for (const [name, label] of [["findings", "Findings"], ["timeline", "Timeline"]]) {
		tabs[name] = element("button", { textContent: label });
		tabs[name].onclick = () => showTab(name);
	}
	return element("nav", {}, ...Object.values(tabs));
}

function makeHeader() {
	const section = document.getElementById("process-" + processNow);
	return element("header", {}, section.querySelector("h1"), section.querySelector(".run"),
		element("div", { className: "search" }, searchBox, searchSays),
		toolButton("\u25d0", "dark or light", toggleTheme), toolButton("?", "keys", toggleHelp));
}

function showFailure(error) {
	setDetails(false, element("p", { className: "failure", textContent: String(error.message || error) }));
	document.body.dataset.ready ||= "0";
}

let readyTime = 0; // when findings and all lanes were there, ms since the page began to load

async function start() {
	canvas.setAttribute("role", "application");
	canvas.setAttribute("aria-label", "Timeline: arrow keys move, plus and minus zoom, ? lists all keys");
	loadUntilReady(0);
	setTheme(darkSystem.matches);
	await loadShown();
	const stage = element("div", { className: "stage" }, canvas, tip);
	const legend = element("div", { className: "foot" });
	document.body.prepend(makeHeader());
	makePanel().after(element("section", { className: "timeline" }, makeTools(), stage, legend, details));
	document.querySelector("main").after(makeTabs(), help);
	makeHelp();
	showTab("findings");
	showCurrent();
	setRuns(shown.runs.length > 1 ? [0, 1] : [0]);
	fitCanvas();
	showAll();
	showPlaceDetails();
	listen();
	window.addEventListener("beforeprint", beforePrint);
	window.addEventListener("afterprint", afterPrint);
	await loadThings();
	legend.append(makeLegend());
	draw();
	// What is in sight at first.
	await Promise.all(loading.values());
	draw();
	readyTime = performance.now();
	selectByHash();
	document.body.dataset.ready = "1";
}

start().catch(showFailure);

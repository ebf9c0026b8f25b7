// On paper: findings with all that is said of them, and the whole run, light, as a picture below the headline.

const PRINT = { width: 900, gutter: 150, mostHeight: 1000, ratio: 2 };
let printed = null; // what is to be put back

function beforePrint() {
	const { from, to, runs, panes, hover, range, ruler } = state;
	printed = { state: { from, to, hover, range, ruler }, runs, panes, isDark: document.documentElement.dataset.theme === "dark",
		open: [...document.querySelectorAll("aside details:not([open])")] };
	for (const one of printed.open)
		one.open = true;
	setTheme(false);
	Object.assign(state, { hover: null, range: null, ruler: null, width: PRINT.width, gutter: PRINT.gutter, height: Infinity });
	setRuns(shown.runs.length > 1 ? [0, 1] : [0]);
	showAll();
	state.height = Math.min(PRINT.mostHeight, state.panes.at(-1).top + state.panes.at(-1).height);
	[canvas.width, canvas.height] = [state.width * PRINT.ratio, state.height * PRINT.ratio];
	layOut();
	draw();
	const paper = element("canvas", { width: canvas.width, height: canvas.height });
	paper.getContext("2d").drawImage(canvas, 0, 0);
	printed.figure = element("figure", {}, paper, document.querySelector(".legend")?.cloneNode(true));
	document.querySelector(".headline").after(printed.figure);
}

function afterPrint() {
	printed.figure.remove();
	for (const one of printed.open)
		one.open = false;
	setTheme(printed.isDark);
	state.panes = printed.panes;
	setRuns(printed.runs);
	fitCanvas();
	Object.assign(state, printed.state);
	printed = null;
}

// Chromium's --print-to-pdf takes the page as it is when all of it is loaded, and pictures are a part of that: one comes behind
// the other until the timeline is drawn.
function loadUntilReady(count) {
	const picture = new Image();
	picture.onload = picture.onerror = () => document.body.dataset.ready || loadUntilReady(count + 1);
	picture.src = "data:image/gif;n=" + count + ";base64,R0lGODlhAQABAAAAACwAAAAAAQABAAAC";
}

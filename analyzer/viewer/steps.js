// Steps of the measured run: a row of numbers above its lanes. A click on a step adds up what is in it.

// Where one begins, if it is so many pixels wide or more, a line is drawn; and its number, if there is room for that.
const LEAST_STEP = 3, LEAST_NUMBER = 34;

function hasSteps(run) {
	return steps && run === measured;
}

// Index of the last step that begins at the time or before; -1: none does.
function stepAt(time) {
	let low = 0, high = steps.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (steps[middle] <= time)
			low = middle + 1;
		else
			high = middle;
	}
	return low - 1;
}

function stepTitle(index) {
	return "Step " + formatCount(index + 1) + " of " + formatCount(steps.length - 1) + ": " + formatTime(steps[index + 1] - steps[index]);
}

// Every n-th number, so that they stand apart; n is 1, 2 or 5 times a power of ten.
function numberedSteps(first, last) {
	const width = (xOf(steps[last]) - xOf(steps[first])) / Math.max(1, last - first);
	const least = LEAST_NUMBER / Math.max(width, 1e-9), power = 10 ** Math.floor(Math.log10(Math.max(least, 1)));
	return least <= 1 ? 1 : [1, 2, 5, 10].map((factor) => factor * power).find((n) => n >= least);
}

function drawSteps(pane, y) {
	const first = Math.max(0, stepAt(state.from)), last = Math.min(steps.length - 1, stepAt(state.to) + 1);
	const every = numberedSteps(first, last);
	let before = -Infinity;
	for (let i = first; i <= last; i++) {
		const x = Math.round(xOf(steps[i]));
		if (x < state.gutter || x > state.width)
			continue;
		const isNumbered = i < steps.length - 1 && (i + 1) % every === 0;
		context.fillStyle = colours.quiet;
		if (x - before >= LEAST_STEP || isNumbered) {
			context.fillRect(x, isNumbered ? y + 3 : y + GROUP - 5, 1, isNumbered ? GROUP - 4 : 4);
			before = x;
		}
		if (isNumbered)
			text(String(i + 1), x + 4, y + GROUP / 2 + 1, 100, colours.quiet);
	}
}

// What is in the step at that time.
function showStep(time) {
	const index = stepAt(time);
	if (index < 0 || index >= steps.length - 1)
		return;
	setRange({ from: steps[index], to: steps[index + 1] });
	sumRange(stepTitle(index));
}

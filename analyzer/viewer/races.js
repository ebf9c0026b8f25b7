// Accesses to the same memory without an order: a click on one shows both, and an arrow from the second to the end of the first.

function raceRows() {
	return [...document.querySelectorAll("#process-" + processNow + " .races li")];
}

function enhanceRaces() {
	raceRows().forEach((row, index) => makeButton(row, "", () => selectRace(index)));
}

function selectRace(index) {
	markCard(-1);
	state.race = index;
	raceRows().forEach((row, i) => row.classList.toggle("selected", i === index));
	if (!state.runs.includes(0))
		setRuns([0]);
	showTab("timeline");
	showPlace();
}

function forgetRace() {
	state.race = -1;
	for (const row of raceRows())
		row.classList.remove("selected");
}

function stepRace(by) {
	selectRace((state.race + by + shown.races.length) % shown.races.length);
}

function showRaceDetails(place) {
	setDetails(false,
		element("h2", {}, toolButton("\u2039", "race before (p)", () => stepRace(-1)), toolButton("\u203a", "next race (n)", () => stepRace(1)),
			" Race " + (state.race + 1) + " of " + formatCount(shown.races.length)),
		element("p", { textContent: place.text }),
		factList([placeEnd("first", place.waited), placeEnd("second", place.waiter)].filter(Boolean)));
}

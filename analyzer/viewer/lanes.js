// How a lane's events become pixels.

// More events than this in sight are drawn from the levels of detail.
const MOST_DRAWN = 4096;
// Narrower ones share pixels.
const LEAST_WIDTH = 3;

// One pixel row of a lane, as sums of colours by how much of each pixel they cover.
class PixelRow {
	resize(width) {
		if (this.width === width)
			return;
		this.width = width;
		this.sums = new Float32Array(4 * width);
	}
	clear() {
		this.sums.fill(0);
	}
	// A part of the pixel.
	add(pixel, part, colour) {
		const sums = this.sums, at = 4 * pixel;
		sums[at] += colour[0] * part;
		sums[at + 1] += colour[1] * part;
		sums[at + 2] += colour[2] * part;
		sums[at + 3] += part;
	}
	// From one place to another, in pixels; something of it shows always.
	span(from, to, colour) {
		if (to < 0 || from >= this.width)
			return;
		let first = Math.max(0, Math.floor(from));
		const last = Math.min(this.width - 1, Math.floor(to));
		if (first >= last) {
			this.add(Math.min(first, this.width - 1), Math.max(to - from, 0.02), colour);
			return;
		}
		if (from >= 0)
			this.add(first, first + 1 - from, colour);
		else
			first--;
		for (let pixel = first + 1; pixel < last; pixel++)
			this.add(pixel, 1, colour);
		this.add(last, Math.min(to - last, 1), colour);
	}
	// Into a row of an ImageData. What is hardly there is still to be seen.
	paint(data, row) {
		const sums = this.sums;
		for (let at = 0, to = 4 * this.width * row; at < sums.length; at += 4, to += 4) {
			const part = sums[at + 3];
			if (part <= 0) {
				data[to + 3] = 0;
				continue;
			}
			data[to] = sums[at] / part;
			data[to + 1] = sums[at + 1] / part;
			data[to + 2] = sums[at + 2] / part;
			data[to + 3] = part >= 1 ? 255 : 70 + 185 * part;
		}
	}
}

// Gives each pixel of the row the colour that covers most of it: a mixture of two states can look like a third. What is added
// comes in the order of time.
class PixelVotes extends PixelRow {
	constructor(row) {
		super();
		Object.assign(this, { row, width: row.width, pixel: -1, parts: new Map() });
	}
	add(pixel, part, colour) {
		if (pixel !== this.pixel)
			this.settle(pixel);
		this.parts.set(colour, (this.parts.get(colour) || 0) + part);
	}
	// The pixel is done; the next one is to come.
	settle(next) {
		let all = 0, most = 0, first = null;
		for (const [colour, part] of this.parts) {
			all += part;
			if (part > most)
				[most, first] = [part, colour];
		}
		if (first)
			this.row.add(this.pixel, Math.min(all, 1), first);
		this.parts.clear();
		this.pixel = next;
	}
}

// About how many of the lane's events are in sight.
function countInSight(sources, from, to) {
	let count = 0;
	for (const lane of sources)
		for (const row of lane.chunks) {
			const first = row[CHUNK.FIRST], last = row[CHUNK.LAST];
			if (last < from || first > to)
				continue;
			const inside = Math.min(last, to) - Math.max(first, from);
			count += row[CHUNK.COUNT] * (last > first ? Math.min(1, inside / (last - first)) : 1);
		}
	return count;
}

// The lane's level whose bins are no wider than two pixels, or the finest.
function levelFor(run, lane, nsPerPixel) {
	let level = 0;
	while (level < lane.levels.length - 1 && run.end_ns / (2048 * 4 ** level) > 2 * nsPerPixel)
		level++;
	return level;
}

const TILE_BINS = 2048;

// Draws the level's bins that are in sight; of a tile that is not there yet, those of the first level.
function addBins(row, run, lane, level, view, scale, colours) {
	const bins = 2048 * 4 ** level, perBin = run.end_ns / bins;
	const first = Math.max(0, Math.floor(view.from / perBin));
	const last = Math.min(bins - 1, Math.floor(view.to / perBin));
	for (let tile = Math.floor(first / TILE_BINS); tile <= Math.floor(last / TILE_BINS); tile++) {
		const place = lane.levels[level][tile];
		const bytes = place && blockNow(place[0]);
		if (!place)
			continue;
		const start = Math.max(first, tile * TILE_BINS), end = Math.min(last, (tile + 1) * TILE_BINS - 1);
		if (!bytes) {
			if (level > 0)
				addBins(row, run, lane, 0, { from: start * perBin, to: (end + 1) * perBin, base: view.base },
					scale, colours);
			continue;
		}
		for (let bin = start; bin <= end; bin++) {
			const at = place[1] + bin - tile * TILE_BINS;
			const fill = bytes[at];
			if (!fill)
				continue;
			const x = (bin * perBin - view.base) * scale;
			addFilled(row, x, x + perBin * scale, fill / 255, colours[bytes[at + TILE_BINS]]);
		}
	}
}

// A bin that is filled in part, and can be wider than a pixel.
function addFilled(row, from, to, fill, colour) {
	if (to < 0 || from >= row.width)
		return;
	const first = Math.max(0, Math.floor(from)), last = Math.min(row.width - 1, Math.floor(to));
	for (let pixel = first; pixel <= last; pixel++) {
		const part = Math.min(to, pixel + 1) - Math.max(from, pixel);
		if (part > 0)
			row.add(pixel, part * fill, colour);
	}
}

// Draws the chunk's events that are in sight: narrow ones into the row, the others into wide.
function addEvents(row, lane, chunk, view, scale, colours, dimmed, wide) {
	const end = firstFrom(chunk, view.to);
	const isEngine = lane.kind === "engine", isCalls = lane.kind === "thread";
	for (let i = firstFrom(chunk, view.from - chunk.longest); i < end; i++) {
		const start = chunk.start[i], length = chunk.length[i];
		if (start + length < view.from || (isEngine && !isShownIn(lane, chunk, i)))
			continue;
		const x = (start - view.base) * scale, width = length * scale;
		if (width >= LEAST_WIDTH) {
			wide.push({ x, width, chunk, index: i });
			continue;
		}
		const thing = things[chunk.thing[i]];
		const palette = dimmed && !dimmed[chunk.thing[i]] ? colours.dim : colours;
		const waits = isCalls ? chunk.amount[i] * scale : 0;
		if (waits < width)
			row.span(x, x + width - waits, palette[thing[THING.CLASS]]);
		if (waits > 0)
			row.span(x + width - waits, x + width, palette[CLASS.WAIT]);
	}
}

// Draws the lane into the row; what is wide enough for a box of its own is returned. view: from, to; base
// is the time at pixel 0.
function drawInto(row, run, lane, view, scale, colours, dimmed) {
	const sources = sourcesOf(run, lane), wide = [];
	const isCoarse = sources.some((source) => source.levels && !source.chunks.length);
	if (!things.length)
		return wide;
	if (lane.levels && (isCoarse || countInSight(sources, view.from, view.to) > MOST_DRAWN)) {
		addBins(row, run, lane, levelFor(run, lane, 1 / scale), view, scale, colours);
		return wide;
	}
	for (const source of sources)
		for (const chunkRow of source.chunks) {
			if (chunkRow[CHUNK.LAST] < view.from || chunkRow[CHUNK.FIRST] > view.to)
				continue;
			const chunk = chunkNow(chunkRow);
			if (chunk)
				addEvents(row, lane, chunk, view, scale, colours, dimmed, wide);
		}
	return wide;
}

function drawLane(row, run, lane, view, scale, colours, dimmed) {
	row.clear();
	if (lane.kind !== "states")
		return drawInto(row, run, lane, view, scale, colours, dimmed);
	const votes = new PixelVotes(row);
	const wide = drawInto(votes, run, lane, view, scale, colours, dimmed);
	votes.settle(-1);
	return wide;
}

/** The data of a chart. */
export interface Chart {
	title: string;
	/** The labels below and beside the chart. */
	axes: [x: string, y: string];
	lines: Array<{ name: string; points: Array<[x: number, y: number]> }>;
	/** Both axes in powers of ten: a straight line of 45° is linear growth. */
	isLogarithmic?: boolean;
}

const WIDTH = 720;
const HEIGHT = 360;
const LEFT = 70;
const RIGHT = 200;
const TOP = 40;
const BOTTOM = 50;
const COLOURS = ['#c0392b', '#2471a3', '#1e8449', '#7d3c98', '#b9770e'];

/** A line chart as SVG. Its own background makes it readable on light and dark pages. */
export function svgOf({ title, axes, lines, isLogarithmic = false }: Chart): string {
	const points = lines.flatMap((line) => line.points);
	const x = scale(
		points.map(([value]) => value),
		[LEFT, WIDTH - RIGHT],
		isLogarithmic,
	);
	const y = scale(
		points.map(([, value]) => value),
		[HEIGHT - BOTTOM, TOP],
		isLogarithmic,
	);
	const text = (at: [number, number], words: string, more = '') =>
		`<text x="${round(at[0])}" y="${round(at[1])}" ${more}>${escaped(words)}</text>`;
	const grid = [
		...x.ticks.map((tick) => {
			const at = round(x.of(tick));
			const rule = `<path d="M${at} ${TOP}V${HEIGHT - BOTTOM}" stroke="#ddd"/>`;
			return rule + text([at, HEIGHT - BOTTOM + 16], shown(tick), 'text-anchor="middle"');
		}),
		...y.ticks.map((tick) => {
			const at = round(y.of(tick));
			const rule = `<path d="M${LEFT} ${at}H${WIDTH - RIGHT}" stroke="#ddd"/>`;
			return rule + text([LEFT - 6, at + 4], shown(tick), 'text-anchor="end"');
		}),
	];
	const drawn = lines.map(({ name, points: line }, index) => {
		const colour = COLOURS[index % COLOURS.length];
		const path = line.map(([a, b]) => `${round(x.of(a))},${round(y.of(b))}`).join(' ');
		const legend = text([WIDTH - RIGHT + 12, TOP + 12 + index * 18], name, `fill="${colour}"`);
		return `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2"/>${legend}`;
	});
	return [
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12" role="img" aria-label="${escaped(title)}">`,
		`<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`,
		text([LEFT, 22], title, 'font-size="14" font-weight="bold"'),
		...grid,
		...drawn,
		text([(LEFT + WIDTH - RIGHT) / 2, HEIGHT - 12], axes[0], 'text-anchor="middle"'),
		text([LEFT, TOP - 6], axes[1], 'text-anchor="end"'),
		'</svg>',
		'',
	].join('\n');
}

/** Maps values to a range of coordinates. */
function scale(values: number[], [from, to]: [number, number], isLogarithmic: boolean) {
	const step = isLogarithmic ? 1 : niceStep(Math.max(...values) / 5);
	const position = isLogarithmic ? Math.log10 : (value: number) => value;
	const low = isLogarithmic ? Math.floor(Math.log10(Math.min(...values))) : 0;
	const most = Math.ceil(Math.max(...values.map(position)) / step) * step;
	const high = most > low ? most : low + step;
	const count = Math.round((high - low) / step);
	const ticks = Array.from({ length: count + 1 }, (_, i) => low + i * step);
	return {
		of: (value: number) => from + ((position(value) - low) / (high - low)) * (to - from),
		ticks: isLogarithmic ? ticks.map((power) => 10 ** power) : ticks,
	};
}

/** The smallest of 1, 2 or 5 times a power of ten that is not below `least`. */
function niceStep(least: number): number {
	const power = 10 ** Math.floor(Math.log10(least || 1));
	return [1, 2, 5, 10].map((times) => times * power).find((step) => step >= least)!;
}

const round = (value: number): number => Math.round(value * 10) / 10;
const shown = (value: number): string => Number(value.toPrecision(3)).toLocaleString('en');
const escaped = (text: string): string =>
	text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

import type { Figures } from './job';

/** Prints a title and what each candidate took. */
export function heading(title: string, figures: Record<string, Figures> = {}): void {
	console.log(`\n${title}`);
	for (const [name, { wallMs, cpuMs, peakMb }] of Object.entries(figures)) {
		const columns = [
			`${wallMs.toFixed(0)} ms`,
			`${cpuMs.toFixed(0)} ms processor`,
			`${peakMb.toFixed(0)} MB peak`,
		];
		console.log(`  ${name.padEnd(20)} ${columns.map((column) => column.padStart(20)).join('')}`);
	}
}

/** Prints a figure that is to be `bound` at most. */
export function atMost(what: string, value: number, bound: number): void {
	figure(what, value, `${value <= bound ? 'within' : 'ABOVE'} ${bound}`);
}

/** Prints a figure that is to be `bound` at least. */
export function atLeast(what: string, value: number, bound: number): void {
	figure(what, value, `${value >= bound ? 'reaches' : 'BELOW'} ${bound}`);
}

function figure(what: string, value: number, verdict: string): void {
	console.log(`  ${what}: ${value.toPrecision(3)} (${verdict})`);
}

import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';

import { table, withPart } from '../../platform/support/markdown';
import { median } from '../../test/support/figures';
import type { Figures } from './job';

/** One measured value of the report. */
interface Row {
	what: string;
	value: number;
	/** Lowest and highest of the rounds. */
	spread?: [low: number, high: number];
	/** The goal, e.g. `at most 1.12`. */
	goal?: string;
	holds?: boolean;
}

/** A section of the report: a title and its figures. */
interface Section {
	title: string;
	rows: Row[];
}

let sections: Section[] = [];
const FILE = join(__dirname, 'RESULTS.md');

/** Begins a section and prints the figures of each candidate. */
export function heading(title: string, figures: Record<string, Figures> = {}): void {
	sections.push({ title, rows: [] });
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

/** A figure that may be `bound` at most. For several rounds the median counts. */
export function atMost(what: string, values: number | number[], bound: number): void {
	goal(what, values, `at most ${bound}`, (value) => value <= bound);
}

/** A figure that must be `bound` at least. For several rounds the median counts. */
export function atLeast(what: string, values: number | number[], bound: number): void {
	goal(what, values, `at least ${bound}`, (value) => value >= bound);
}

/** A figure without a goal. */
export function figure(what: string, values: number | number[]): void {
	add(rowOf(what, values));
}

function goal(
	what: string,
	values: number | number[],
	text: string,
	holds: (v: number) => boolean,
) {
	const row = rowOf(what, values);
	add({ ...row, goal: text, holds: holds(row.value) });
}

function rowOf(what: string, values: number | number[]): Row {
	if (typeof values === 'number') return { what, value: values };
	return { what, value: median(values), spread: [Math.min(...values), Math.max(...values)] };
}

function add(row: Row): void {
	sections[sections.length - 1].rows.push(row);
	const verdict = row.goal === undefined ? '' : ` ${row.goal}: ${row.holds ? 'holds' : 'MISSED'}`;
	console.log(`  ${row.what}: ${valueOf(row)}${verdict}`);
}

const shown = (value: number): string => Number(value.toPrecision(3)).toLocaleString('en');

const valueOf = ({ value, spread }: Row): string =>
	spread ? `${shown(value)} (${shown(spread[0])} to ${shown(spread[1])})` : shown(value);

const HEAD = ['Figure', 'Measured', 'Goal', ''];

const cellsOf = (row: Row): string[] => [
	row.what,
	valueOf(row),
	row.goal ?? '',
	row.goal === undefined ? '' : row.holds ? '✔' : '✘',
];

/**
 * Writes the measurements since the last call into RESULTS.md, where they replace those of the same bench.
 *
 * @param n8nVersion the n8n that was measured
 */
export function writeReport(bench: string, n8nVersion: string): void {
	const tables = sections.map(
		({ title, rows }) => `## ${title}\n\n${table(HEAD, rows.map(cellsOf))}`,
	);
	const machine = `${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'})`;
	const day = new Date().toISOString().slice(0, 10);
	const by = `\`npm run bench -- ${bench}\`: n8n ${n8nVersion}, Node.js ${process.versions.node}, ${machine}, ${day}.`;
	const part = [...tables, by].join('\n\n');
	writeFileSync(FILE, withPart(readFileSync(FILE, 'utf8'), bench, part, 'npm run bench'));
	console.log(`\nWritten to ${FILE}`);
}

/** Whether a figure of this bench misses its goal. */
export const hasMissed = (): boolean =>
	sections.some(({ rows }) => rows.some(({ holds }) => holds === false));

/** Drops the measurements before the next bench. */
export function nextBench(): void {
	sections = [];
}

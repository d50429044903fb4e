import { table, withPart } from '../../platform/support/markdown';
import { TRIALS } from './trials';
import { VERSIONS } from './versions';

/** The outcome of the trials in one version of n8n. */
export interface Outcome {
	/** ISO 8601, the day. */
	date: string;
	/** The version of Node.js. */
	node: string;
	kept: Record<string, { kept: boolean; text: string }>;
	/** How often n8n answered a read by its editor with a 5xx and was asked again. */
	failedReads: number;
}

const FAILED_READS = 'Reads from n8n itself that it answered with a 5xx, asked again';

/** The page with the table, from the root of the repository. */
export const COMPATIBILITY_FILE = 'docs/compatibility.md';

/** The table of versions and promises, in Markdown. Versions without an outcome are left out. */
export function matrixTable(outcomes: Record<string, Outcome>): string {
	const versions = VERSIONS.filter((version) => version in outcomes);
	const cell = (promise: string, version: string) => {
		const { kept, text } = outcomes[version].kept[promise] ?? { kept: false, text: 'not tried' };
		return kept ? (text === '' ? 'yes' : text) : `**no**`;
	};
	const rows = Object.keys(TRIALS).map((promise) => [
		promise,
		...versions.map((version) => cell(promise, version)),
	]);
	rows.push([FAILED_READS, ...versions.map((version) => String(outcomes[version].failedReads))]);
	rows.push(['Tried on', ...versions.map((version) => outcomes[version].date)]);
	return table(['Promise', ...versions], rows);
}

/** Replaces the table in the page. @throws Error if the page has no place for it */
export const withMatrix = (page: string, matrix: string): string =>
	withPart(page, 'matrix', matrix, 'npm run test:matrix');

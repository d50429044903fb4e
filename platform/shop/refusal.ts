import REFUSALS from './refusals.json';

/**
 * Codes of error bodies; refusals.json has their statuses. The API document shows INVALID_PARAMETER, CONFLICT and
 * INVALID_STATE_TRANSITION (Errors), and no others.
 */
export type RefusalCode = keyof typeof REFUSALS;

/** The platform's refusal of a request. The pipeline catches it and answers with an error body. */
export class Refusal extends Error {
	readonly status: number;

	constructor(
		readonly code: RefusalCode,
		message: string,
		readonly headers: Readonly<Record<string, string>> = {},
	) {
		super(message);
		this.name = 'Refusal';
		this.status = REFUSALS[code];
	}
}

export const invalid = (message: string) => new Refusal('INVALID_PARAMETER', message);

export const notFound = (what: string) => new Refusal('NOT_FOUND', `There is no ${what}`);

export const SET_BY_THE_PLATFORM = ['id', 'created_at', 'updated_at'];

/** @throws Refusal INVALID_PARAMETER for a field that the platform sets itself. */
export function requireWritable(
	fields: Record<string, unknown>,
	readOnly: readonly string[] = SET_BY_THE_PLATFORM,
): void {
	const field = readOnly.find((name) => name in fields);
	if (field) throw invalid(`${field} cannot be written`);
}

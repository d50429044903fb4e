import { stringifyExactly } from '../exactJson';

/** What a value is, short enough for a message. */
export function describe(value: unknown): string {
	const written = writtenAs(value);
	return written.length > 80 ? `${written.slice(0, 80)}…` : written;
}

/** The same as a sentence. */
export const itIs = (value: unknown) => `It is ${describe(value)}.`;

function writtenAs(value: unknown): string {
	if (value === '') return 'empty';
	if (typeof value !== 'string' && typeof value !== 'object') return String(value);
	try {
		return stringifyExactly(value);
	} catch {
		return 'something that JSON cannot hold';
	}
}

import { OTHERS, REFUSALS, type ErrorText, type OperationFacts, type Row } from './errorTable';
import type { PlatformError } from './platformError';

export type { OperationFacts } from './errorTable';

/**
 * Puts a failed request in words.
 *
 * @param facts what the operation says of itself
 */
export function errorText(error: PlatformError, facts: OperationFacts): ErrorText {
	const text =
		error.problem === 'refused'
			? (
					REFUSALS.find((row) => rowFits(row, error, facts))?.say ??
					REFUSALS[REFUSALS.length - 1].say
				)(error, facts)
			: OTHERS[error.problem](error, facts);
	const { platformMessage, code, requestId, hint } = error.details;
	const said = platformMessage ?? code;
	const parts = [
		text.description,
		hint !== undefined && !text.description.includes(hint) ? hint : '',
		said === undefined
			? ''
			: `The platform says: “${said}”${code !== undefined && said !== code ? ` (${code})` : ''}.`,
		requestId === undefined ? '' : `Request ID: ${requestId}`,
	];
	return { message: text.message, description: parts.filter((part) => part !== '').join(' ') };
}

function rowFits(row: Row, error: PlatformError, facts: OperationFacts): boolean {
	const { status = 0, code } = error.details;
	if (row.code !== undefined && row.code !== code) return false;
	if (typeof row.status === 'number' && row.status !== status) return false;
	if (typeof row.status === 'function' && !row.status(status)) return false;
	return row.fits?.(error, facts) ?? true;
}

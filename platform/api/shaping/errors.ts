import { STATUS_CODES } from 'node:http';

import { formOf, shaped, type Fields } from '../../dialects/form';
import type { By, Dialect, PointName } from '../../dialects/dialect';

const SHOWN_CODES = new Set(['INVALID_PARAMETER', 'CONFLICT', 'INVALID_STATE_TRANSITION']);

const CODES: By<'errorCodes', (code: string) => string | undefined> = {
	words: (code) => code,
	lower: (code) => (SHOWN_CODES.has(code) ? code : code.toLowerCase()),
	onlyShown: (code) => (SHOWN_CODES.has(code) ? code : undefined),
	absent: () => undefined,
};

/** The switch that chooses the status of each of these codes. */
const STATUSES: Readonly<Record<string, PointName>> = {
	UNAUTHORIZED: 'authenticationFailure',
	INSUFFICIENT_SCOPE: 'missingScope',
	NOT_FOUND: 'unknownResource',
};

/** An error in the dialect's shape. */
export function shapeError(
	usualStatus: number,
	body: unknown,
	dialect: Dialect,
): { status: number; body: Fields } {
	const { error } = body as { error: { code: string; message: string; request_id: string } };
	const isOpen = error.code in STATUSES;
	const status = isOpen ? formOf<number>(STATUSES[error.code], dialect)! : usualStatus;
	const code = CODES[dialect.errorCodes](error.code);
	const reason = STATUS_CODES[status];
	const address = `https://shop.example/problems/${(code ?? 'unknown').toLowerCase()}`;
	const request_id = dialect.requestId === 'nested' ? error.request_id : undefined;
	const parts = { status, code, message: error.message, request_id, reason, address };
	const requestIdFields = shaped('requestId', { id: error.request_id }, dialect);
	return { status, body: { ...shaped('errorShape', parts, dialect), ...requestIdFields } };
}

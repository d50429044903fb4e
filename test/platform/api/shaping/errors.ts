import { STATUS_CODES } from 'node:http';

import type { By, Dialect } from '../../dialects/dialect';
import type { Fields } from './records';

/** An error as the contract has it. */
interface CanonicalError {
	error: { code: string; message: string; request_id: string };
}

interface Parts {
	status: number;
	/** Absent where this platform gives none. */
	code?: string;
	message: string;
	/** The request id, where it stands beside the code. */
	beside: { request_id?: string };
}

const SHOWN_CODES = new Set(['INVALID_PARAMETER', 'CONFLICT', 'INVALID_STATE_TRANSITION']);

const CODES: By<'errorCodes', (code: string) => string | undefined> = {
	words: (code) => code,
	lower: (code) => (SHOWN_CODES.has(code) ? code : code.toLowerCase()),
	onlyShown: (code) => (SHOWN_CODES.has(code) ? code : undefined),
	absent: () => undefined,
};

const SHAPES: By<'errorShape', (parts: Parts) => Fields> = {
	nested: ({ code, message, beside }) => ({ error: { code, message, ...beside } }),
	flat: ({ code, message, beside }) => ({ code, message, ...beside }),
	word: ({ code, message, beside }) => ({ error: code, message, ...beside }),
	type: ({ code, message, beside }) => ({ error: { type: code, message, ...beside } }),
	camel: ({ code, message, beside }) => ({ errorCode: code, errorMessage: message, ...beside }),
	list: ({ code, message, beside }) => ({ errors: [{ code, detail: message, ...beside }] }),
	problem: ({ status, code, message, beside }) => ({
		type: 'about:blank',
		title: 'Request refused',
		status,
		detail: message,
		code,
		...beside,
	}),
	deep: ({ status, code, message, beside }) => ({
		status,
		error: { details: { reason: { code, message, ...beside } } },
	}),
	envelope: ({ code, message, beside }) => ({ type: 'error', error: { code, message, ...beside } }),
	reason: ({ status, message, beside }) => ({
		statusCode: status,
		error: STATUS_CODES[status],
		message,
		...beside,
	}),
	address: ({ status, code = 'unknown', message, beside }) => ({
		type: `https://shop.example/problems/${code.toLowerCase()}`,
		title: STATUS_CODES[status],
		status,
		detail: message,
		...beside,
	}),
};

const ID_AT_TOP: By<'requestId', (id: string) => Fields> = {
	nested: () => ({}),
	top: (id) => ({ request_id: id }),
	meta: (id) => ({ meta: { request_id: id } }),
	header: () => ({}),
	absent: () => ({}),
};

const AUTHENTICATION = { unauthorized: 401, forbidden: 403, badRequest: 400 } as const;
const SCOPE = { forbidden: 403, unauthorized: 401, notFound: 404 } as const;
const RESOURCE = { notFound: 404, gone: 410, badRequest: 400 } as const;

/** Codes whose status is open. */
const STATUSES: Readonly<Record<string, (dialect: Dialect) => number>> = {
	UNAUTHORIZED: ({ authenticationFailure }) => AUTHENTICATION[authenticationFailure],
	INSUFFICIENT_SCOPE: ({ missingScope }) => SCOPE[missingScope],
	NOT_FOUND: ({ unknownResource }) => RESOURCE[unknownResource],
};

/** An error in the dialect's shape. */
export function shapeError(
	status: number,
	body: unknown,
	dialect: Dialect,
): { status: number; body: unknown } {
	const { code, message, request_id } = (body as CanonicalError).error;
	const parts: Parts = {
		status: STATUSES[code]?.(dialect) ?? status,
		code: CODES[dialect.errorCodes](code),
		message,
		beside: dialect.requestId === 'nested' ? { request_id } : {},
	};
	return {
		status: parts.status,
		body: { ...SHAPES[dialect.errorShape](parts), ...ID_AT_TOP[dialect.requestId](request_id) },
	};
}

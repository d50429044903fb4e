/** Error bodies are not shown by the API document, so their parts are looked for wherever they may be. */

const REQUEST_ID_KEYS = new Set(['request_id', 'requestId', 'requestID']);
const MAX_DEPTH = 6;
const MAX_MESSAGE_LENGTH = 500;

/**
 * Finds the request identifier (API document, "Errors", 3) in an answer: in the body at any level, else in
 * the headers.
 *
 * @param headers with lower-case names
 */
export function findRequestId(body: unknown, headers: Record<string, string>): string | undefined {
	return (
		find(body, (key) => REQUEST_ID_KEYS.has(key)) ??
		headers['x-request-id'] ??
		Object.entries(headers).find(([name]) => name.endsWith('request-id'))?.[1]
	);
}

/** The platform's own error code, e.g. `INVALID_STATE_TRANSITION`. */
export function findErrorCode(body: unknown): string | undefined {
	return find(body, (key) => key === 'code' || key === 'error_code');
}

/** The platform's own words about the error, cut to a readable length. */
export function findErrorMessage(body: unknown): string | undefined {
	const text =
		find(body, (key) => key === 'message' || key === 'detail' || key === 'error_description') ??
		(isObject(body) && typeof body.error === 'string' ? body.error : undefined);
	return text === undefined || text.length <= MAX_MESSAGE_LENGTH
		? text
		: `${text.slice(0, MAX_MESSAGE_LENGTH)}…`;
}

/** Breadth first, so that the outermost match wins. */
function find(body: unknown, matches: (key: string) => boolean): string | undefined {
	let level: unknown[] = [body];
	for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth++) {
		const next: unknown[] = [];
		for (const value of level) {
			if (Array.isArray(value)) next.push(...value.slice(0, 50));
			if (!isObject(value)) continue;
			for (const [key, inner] of Object.entries(value)) {
				if (matches(key) && typeof inner === 'string' && inner !== '') return inner;
				if (typeof inner === 'object' && inner !== null) next.push(inner);
			}
		}
		level = next;
	}
	return undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

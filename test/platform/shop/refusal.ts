/**
 * Codes of error bodies and their statuses. INVALID_PARAMETER, CONFLICT and
 * INVALID_STATE_TRANSITION stand in the API document (Errors); the others are not shown.
 */
export const REFUSALS = {
	INVALID_PARAMETER: 400,
	INVALID_JSON: 400,
	UNAUTHORIZED: 401,
	INSUFFICIENT_SCOPE: 403,
	PLAN_REQUIRED: 403,
	PAYMENT_PROVIDER_REQUIRED: 403,
	NOT_FOUND: 404,
	METHOD_NOT_ALLOWED: 405,
	CONFLICT: 409,
	INVALID_STATE_TRANSITION: 409,
	PAYLOAD_TOO_LARGE: 413,
	UNSUPPORTED_MEDIA_TYPE: 415,
	IDEMPOTENCY_KEY_USED: 409,
	IDEMPOTENCY_KEY_REUSED: 422,
	LISTING_TOO_LARGE: 422,
	RATE_LIMITED: 429,
	INTERNAL: 500,
	CONTRACT_VIOLATION: 500,
	IN_DEVELOPMENT: 501,
	NOT_IMPLEMENTED: 501,
	UNAVAILABLE: 503,
} as const;

export type RefusalCode = keyof typeof REFUSALS;

/** The platform's "no", thrown anywhere below the pipeline and answered by it as an error body. */
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

const SET_BY_THE_PLATFORM = ['id', 'created_at', 'updated_at'];

/** @throws Refusal INVALID_PARAMETER for a field that the platform sets itself. */
export function requireWritable(
	fields: Record<string, unknown>,
	readOnly: readonly string[] = SET_BY_THE_PLATFORM,
): void {
	const field = readOnly.find((name) => name in fields);
	if (field) throw invalid(`${field} cannot be written`);
}

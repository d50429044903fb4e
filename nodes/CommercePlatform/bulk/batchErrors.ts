import { PlatformError } from '../../shared/errors/errors';
import type { RetryWrites } from '../../shared/api/request';
import type { OperationError } from './batchResults';

/** Statuses with which a platform may say that it has no such endpoint (API document, "Errors", 1). */
const NOT_THERE = new Set([403, 404, 405, 410, 501]);

/** Statuses with which a platform refuses what a request holds. Nothing of it was written then. */
const REFUSED_WHOLE = new Set([400, 409, 422]);

/** The body is larger than the platform takes. */
const TOO_LARGE = 413;

/** Statuses of one operation that pass by themselves, by what they say: with 429 nothing was written. */
const PASSING: Record<RetryWrites, ReadonlySet<number | undefined>> = {
	automatic: new Set([429, 503]),
	whenSurelyNotApplied: new Set([429]),
	never: new Set(),
};

/** Whether an operation that was refused is worth another try. */
export function passesByItself({ status }: OperationError, retryWrites: RetryWrites): boolean {
	return PASSING[retryWrites].has(status);
}

/** Whether the error may mean that the platform has no such endpoint, or not for this key. */
export function isNotThere(error: unknown): error is PlatformError {
	return error instanceof PlatformError && NOT_THERE.has(error.details.status ?? 0);
}

/** Whether the platform refused the batch as a whole, so that none of it was written. */
export function isRefusal(error: unknown): error is PlatformError {
	return (
		isNotThere(error) ||
		(error instanceof PlatformError && REFUSED_WHOLE.has(error.details.status ?? 0))
	);
}

export function isTooLarge(error: unknown): error is PlatformError {
	return error instanceof PlatformError && error.details.status === TOO_LARGE;
}

/** The error of each operation of a batch that failed as a whole. */
export function wholeBatchError(error: unknown, operations: number): unknown {
	if (!(error instanceof PlatformError) || !REFUSED_WHOLE.has(error.details.status ?? 0))
		return error;
	const hint = `None of its ${operations} operations was written.`;
	return new PlatformError('batch-refused', error.request, { ...error.details, hint });
}

/** The error of one operation that the platform refused, while others of its batch may be written. */
export function operationError(host: string, sku: string, error: OperationError): PlatformError {
	const { status, code, message, requestId } = error;
	return new PlatformError(
		'operation-refused',
		{ method: 'POST', path: '/products/batch', host },
		{ status, code, requestId, platformMessage: message, hint: `SKU “${sku}”.` },
	);
}

/** The error of one operation of which the answer does not say what became of it. */
export function notConfirmed(
	host: string,
	sku: string,
	reason: string,
	requestId?: string,
): PlatformError {
	return new PlatformError(
		'not-confirmed',
		{ method: 'POST', path: '/products/batch', host },
		{ requestId, hint: `SKU “${sku}”: ${reason}.` },
	);
}

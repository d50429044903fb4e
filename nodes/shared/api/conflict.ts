import { PlatformError } from './platformError';

/**
 * Whether a write was refused because the record was changed in the meantime (API document, "Inventory": 409 CONFLICT;
 * HTTP has 412 for If-Match). Nothing was written then.
 */
export function isConflict(error: unknown): error is PlatformError {
	if (!(error instanceof PlatformError)) return false;
	const { status, code } = error.details;
	// A platform may give no code: a 409 on such a write is a conflict then.
	return status === 412 || (status === 409 && (code === 'CONFLICT' || code === undefined));
}

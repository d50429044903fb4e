import { PlatformError } from '../../shared/errors/errors';
import { isKindOf409 } from '../../shared/errors/errorBody';

/**
 * Whether a write was refused because the record was changed in the meantime (API document, "Inventory": 409 CONFLICT;
 * HTTP has 412 for If-Match). Nothing was written then.
 */
export function isConflict(error: unknown): error is PlatformError {
	if (!(error instanceof PlatformError)) return false;
	return error.details.status === 412 || isKindOf409('CONFLICT', error.details);
}

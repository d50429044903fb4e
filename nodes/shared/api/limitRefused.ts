import { PlatformError } from './platformError';

/** Lists whose row in the API document names no `limit` ("Endpoints"), although all lists have it in common. */
const LIMIT_NOT_NAMED: ReadonlySet<string> = new Set(['/inventory/levels']);

const REFUSED_PARAMETER = new Set([400, 422]);

/** Whether a request may have been refused for a parameter that the platform does not take ("Errors", 400). */
export const mayRefuseParameter = (error: unknown): boolean =>
	error instanceof PlatformError && REFUSED_PARAMETER.has(error.details.status ?? 0);

/** Whether a platform may have refused a page because of its `limit`, and may give the list without. */
export const mayRefuseLimit = (path: string, error: unknown): boolean =>
	LIMIT_NOT_NAMED.has(path) && mayRefuseParameter(error);

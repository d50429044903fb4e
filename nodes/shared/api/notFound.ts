import { PlatformError } from './platformError';

/**
 * Whether a status says that there is no such record. The API document does not show which one does ("Errors"); HTTP
 * has these two.
 */
export const saysNotFound = (status: number | undefined): boolean =>
	status === 404 || status === 410;

/** Whether a request failed because there is no such record. */
export const isNotFound = (error: unknown): boolean =>
	error instanceof PlatformError && saysNotFound(error.details.status);

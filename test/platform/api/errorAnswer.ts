import type { Answer } from './call';
import type { Settings } from '../settings';

/**
 * An error body. Its shape is not shown but for `request_id`, whose place is not shown either and
 * can be chosen; the header carries it in any case.
 */
export function errorAnswer(
	error: { status: number; code: string; message: string; headers?: Record<string, string> },
	requestId: string,
	place: Settings['requestIdPlace'],
): Answer {
	const { status, code, message, headers } = error;
	const nested = place === 'nested' ? { request_id: requestId } : {};
	const beside = place === 'top' ? { request_id: requestId } : {};
	return {
		status,
		headers,
		text: JSON.stringify({ error: { code, message, ...nested }, ...beside }),
	};
}

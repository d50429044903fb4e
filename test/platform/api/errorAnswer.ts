import type { Answer } from './call';

/** The error body of openapi.yaml; a dialect gives it another shape on its way out. */
export function errorAnswer(
	error: {
		status: number;
		code: string;
		message: string;
		headers?: Readonly<Record<string, string>>;
	},
	requestId: string,
): Answer {
	const { status, code, message, headers } = error;
	return {
		status,
		headers,
		text: JSON.stringify({ error: { code, message, request_id: requestId } }),
	};
}

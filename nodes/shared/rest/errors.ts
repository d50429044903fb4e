import type { IDataObject } from 'n8n-workflow';

/** The kind of a failure. The texts for users are made of it later. */
export type Problem =
	/** The platform answered with an error status. */
	| 'refused'
	/** 429, or the key's budget is known to be spent. */
	| 'budget-spent'
	/** So little of the day's budget is left that the user wants to keep it. */
	| 'budget-kept'
	/** No answer came: connection refused or reset, name not found. */
	| 'unreachable'
	/** n8n has stopped the request, e.g. by its SSRF protection. */
	| 'refused-by-n8n'
	| 'timeout'
	/** 2xx, but no JSON. */
	| 'not-json'
	/** JSON that does not parse, or a body that was cut off. */
	| 'broken-json'
	/** 2xx, but the body is an error. */
	| 'error-body'
	/** 2xx, but without the body that the API promises. */
	| 'empty'
	/** A webhook endpoint was created, but its secret did not come with the answer. */
	| 'no-secret'
	| 'redirect'
	| 'too-large'
	/** A page that is no list, or a cursor that repeats. */
	| 'bad-page'
	/** The whole batch was refused: none of it was written. */
	| 'batch-refused'
	/** One operation of a batch was refused. */
	| 'operation-refused'
	/** The answer to a batch does not say whether an operation was done. */
	| 'not-confirmed';

export interface ProblemDetails {
	status?: number;
	/** The platform's error code, e.g. `CONFLICT`. */
	code?: string;
	requestId?: string;
	/** The platform's message, without secrets. */
	platformMessage?: string;
	/** The answer is a web page, so it is from a proxy, a firewall or a login page: this API sends none. */
	isHtml?: true;
	/** The answer holds no JSON, so it does not tell whether the platform has refused, or a server before it. */
	isBare?: true;
	/** When requests can go on, ms from now. */
	retryAfterMs?: number;
	/** When requests can go on, Unix ms. */
	resumeAtMs?: number;
	/** True if it is about the budget of the day, not of the minute. */
	day?: boolean;
	attempts?: number;
	/** The write failed, but one of its attempts may have been applied. */
	mayBeApplied?: boolean;
	timeoutMs?: number;
	/** The user cannot change `timeoutMs`. */
	isFixedTime?: true;
	/** The system's code of a connection error, e.g. `ENOTFOUND`. */
	networkCode?: string;
	/** No connection came about: nothing was sent. */
	neverSent?: true;
	/** Host and port that were tried; those of a proxy, if there is one. */
	server?: string;
	/** n8n's own words, if it has stopped the request. */
	refusal?: { message: string; description: string };
	/** The origin that a redirect points to. */
	location?: string;
	/** A sentence for the user, from the code that made the error. */
	hint?: string;
	/** If a list fails after its first page: how many records were fetched before. */
	fetched?: number;
	/** The cursor to the page that failed. */
	cursor?: string;
	/** The sort that the cursor belongs to, if the user has not chosen it. */
	sort?: string;
}

/** A request that failed for good. `nodeErrors.ts` turns it into n8n's own errors. */
export class PlatformError extends Error {
	override readonly name = 'PlatformError';

	constructor(
		readonly problem: Problem,
		readonly request: {
			method: string;
			host: string;
			/** The path template, e.g. `/orders/{orderId}`. */
			path: string;
			pathParams?: Record<string, string>;
			query?: Record<string, unknown>;
			body?: IDataObject;
			/** The scope that the request probably needs. */
			scope?: string;
			/** What the request calls its record, e.g. `email “a@b.example”`. */
			record?: string;
		},
		readonly details: ProblemDetails = {},
	) {
		super(problem);
	}
}

/** A parameter in single quotes, as n8n has it; the row of a table without any. */
const named = (field: string): string => (field.startsWith('Row ') ? field : `'${field}'`);

/** A value that the user entered cannot be used, by itself or with what the platform shows. Nothing was written with it. */
export class InputError extends Error {
	override readonly name = 'InputError';

	/**
	 * @param field the field's name as the user sees it, e.g. `Limit`
	 * @param problem the rest of the sentence, e.g. `must be a whole number of at least 1`
	 * @param description what to do, unless the problem says it already. For AI tools, n8n's own engine shows the field
	 *   of this name beside the message
	 * @param sentence the whole message, where that of the field and its problem is none
	 * @param code for workflows that tell failures apart, e.g. `notFound`
	 */
	constructor(
		readonly field: string,
		problem: string,
		readonly description = '',
		sentence = `${named(field)} ${problem}`,
		readonly code = 'invalidInput',
	) {
		super(sentence);
	}
}

/** The credential's address or key cannot be used. The message is for the person who typed it. */
export class CredentialError extends Error {
	override readonly name = 'CredentialError';
	readonly description = 'Correct it in the credential.';
}

/** The execution was cancelled while it waited. */
export class CancelledError extends Error {
	override readonly name = 'CancelledError';

	constructor() {
		super('The execution was cancelled');
	}
}

/**
 * Whether a status says that there is no such record. The API document does not show which one does ("Errors"), so both
 * of HTTP count.
 */
export const saysNotFound = (status: number | undefined): boolean =>
	status === 404 || status === 410;

/** Whether an answer says that there is no such record. A web page is from a proxy, not from the platform. */
export const isMissing = ({ status, isHtml }: Pick<ProblemDetails, 'status' | 'isHtml'>): boolean =>
	saysNotFound(status) && isHtml !== true;

/** Whether a request failed because there is no such record. */
export const isNotFound = (error: unknown): boolean =>
	error instanceof PlatformError && isMissing(error.details);

/**
 * Whether a request may have been refused because the platform does not take one of its parameters ("Errors", 400).
 */
export const mayRefuseParameter = (error: unknown): boolean =>
	error instanceof PlatformError && [400, 422].includes(error.details.status ?? 0);

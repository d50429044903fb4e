import type { IDataObject } from 'n8n-workflow';

/** What went wrong, before anyone puts it in words. */
export type Problem =
	/** The platform answered with an error status. */
	| 'refused'
	/** 429, or the budget is known to be spent. */
	| 'budget-spent'
	/** The day's share that the user wants to keep is reached. */
	| 'budget-kept'
	/** No answer: refused, reset, name not found. */
	| 'unreachable'
	/** n8n has stopped the request itself, e.g. by its SSRF protection. */
	| 'refused-by-n8n'
	| 'timeout'
	/** 2xx, but no JSON. */
	| 'not-json'
	/** JSON that does not parse, or a body cut off. */
	| 'broken-json'
	/** 2xx, but the body is an error. */
	| 'error-body'
	/** 2xx without the body that the API promises. */
	| 'empty'
	/** A webhook endpoint was created, but its secret did not come with the answer. */
	| 'no-secret'
	| 'redirect'
	| 'too-large'
	/** The text is not in the charset that the answer names, or in none that is known. */
	| 'undecodable'
	/** A page that is not in the form of a list, or a cursor that repeats. */
	| 'bad-page'
	/** A batch that was refused as a whole: none of it was written. */
	| 'batch-refused'
	/** One operation of a batch that was refused. */
	| 'operation-refused'
	/** The answer to a batch does not say what became of an operation. */
	| 'not-confirmed'
	/** An import job that the platform says has failed. */
	| 'job-failed';

export interface ProblemDetails {
	status?: number;
	/** The platform's own error code, e.g. `CONFLICT`. */
	code?: string;
	requestId?: string;
	/** The platform's own words, without secrets. */
	platformMessage?: string;
	/** A web page answered, which this API never does: a proxy, a firewall or a login page. */
	isHtml?: true;
	/** The answer holds no JSON, so that nothing tells whether the platform or something before it refused. */
	isBare?: true;
	/** When it can go on, ms from now. */
	retryAfterMs?: number;
	/** When it can go on, Unix ms. */
	resumeAtMs?: number;
	/** True if the whole day's budget is meant. */
	day?: boolean;
	attempts?: number;
	/** True for a write that failed although one of its attempts may have been applied. */
	mayBeApplied?: boolean;
	timeoutMs?: number;
	/** That time is not the user's choice. */
	isFixedTime?: true;
	/** The system's word for a connection error, e.g. `ENOTFOUND`. */
	networkCode?: string;
	/** No connection came about, so that nothing was sent. */
	neverSent?: true;
	/** The proxy that failed; its address is empty if only its kind is known. */
	proxy?: {
		address: string;
		/** Set in the node's Request Options, not in n8n's environment. */
		isOfNode: boolean;
	};
	/** n8n's own words, where it has stopped the request. */
	refusal?: { message: string; description: string };
	/** Where a redirect points, origin only. */
	location?: string;
	/** A sentence that only the place of the error can know. */
	hint?: string;
	/** A walk that fails after its first page: how many records it had handed out. */
	fetched?: number;
	/** The cursor to the page that failed. */
	cursor?: string;
	/** The sort to which that cursor belongs, where the user has not chosen it. */
	sort?: string;
}

/** A request that failed for good. Turned into n8n's own errors at the edge, by `nodeErrors.ts`. */
export class PlatformError extends Error {
	override readonly name = 'PlatformError';

	constructor(
		readonly problem: Problem,
		readonly request: {
			method: string;
			host: string;
			/** The template, e.g. `/orders/{orderId}`. */
			path: string;
			pathParams?: Record<string, string>;
			query?: Record<string, unknown>;
			body?: IDataObject;
		},
		readonly details: ProblemDetails = {},
	) {
		super(problem);
	}
}

/** The user entered something that cannot work. Nothing was sent. */
export class InputError extends Error {
	override readonly name = 'InputError';

	/**
	 * @param field the field's name as the user sees it, e.g. `Limit`
	 * @param problem the rest of the sentence, e.g. `must be a whole number of at least 1`
	 * @param description what to do, where the problem does not say it already; under this name n8n's own engine, which
	 *   runs AI tools, looks for what it shows beside the message
	 */
	constructor(
		readonly field: string,
		problem: string,
		readonly description = '',
	) {
		super(`“${field}” ${problem}`);
	}
}

/** A write had to wait after the reading that it is built on: it is to be read and built anew. Nothing was sent. */
export class StaleReading extends InputError {
	constructor() {
		super(
			'Item',
			'had to wait each time before it could be written, so what had been read for it may have changed',
			'Nothing was sent for it. Send fewer requests at once, or run it again later.',
		);
	}
}

/** Why the credential's address or key cannot be used, in words for the person who typed it. */
export class CredentialError extends Error {
	override readonly name = 'CredentialError';
	readonly description = 'Correct it in the credential.';
}

/** Thrown where an execution was cancelled while it waited. */
export class CancelledError extends Error {
	override readonly name = 'CancelledError';

	constructor() {
		super('The execution was cancelled');
	}
}

/**
 * Whether a status says that there is no such record. The API document does not show which one does ("Errors"); HTTP
 * has these two.
 */
export const saysNotFound = (status: number | undefined): boolean =>
	status === 404 || status === 410;

/** Whether an answer says that there is no such record. A web page is from a proxy, not from the platform. */
export const isMissing = ({ status, isHtml }: Pick<ProblemDetails, 'status' | 'isHtml'>): boolean =>
	saysNotFound(status) && isHtml !== true;

/** Whether a request failed because there is no such record. */
export const isNotFound = (error: unknown): boolean =>
	error instanceof PlatformError && isMissing(error.details);

/** Whether a failed write may have been applied all the same. */
export const mayBeApplied = (error: unknown): boolean =>
	error instanceof PlatformError && error.details.mayBeApplied === true;

/** Whether a request may have been refused for a parameter that the platform does not take ("Errors", 400). */
export const mayRefuseParameter = (error: unknown): boolean =>
	error instanceof PlatformError && [400, 422].includes(error.details.status ?? 0);

/**
 * Whether a platform may have refused a page because of its `limit`, and may give the list without: this list's row in
 * the API document names none ("Endpoints"), although all lists have it in common.
 */
export const mayRefuseLimit = (path: string, error: unknown): boolean =>
	path === '/inventory/levels' && mayRefuseParameter(error);

/** Whether an answer was too large to be read, so that a page of fewer records may help. */
export const isTooLarge = (error: unknown): boolean =>
	error instanceof PlatformError && error.problem === 'too-large';

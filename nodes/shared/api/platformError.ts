import type { PlatformRequest } from './request';

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
	/** A web page answered, which this API never does. */
	isHtml?: boolean;
	/** When it can go on, ms from now. */
	retryAfterMs?: number;
	/** When it can go on, Unix ms. */
	resumeAtMs?: number;
	/** True where the whole day's budget is meant. */
	day?: boolean;
	attempts?: number;
	/** True for a write that failed although one of its attempts may have been applied. */
	mayBeApplied?: boolean;
	timeoutMs?: number;
	/** The system's word for a connection error, e.g. `ENOTFOUND`. */
	networkCode?: string;
	/** Where a redirect points, origin only. */
	location?: string;
	/** A sentence that only the place of the error can know. */
	hint?: string;
	/** A walk that fails after its first page: how many records it had handed out. */
	fetched?: number;
	/** The cursor to the page that failed. */
	cursor?: string;
	/** The query parameter that takes that cursor, where it is not `cursor`. */
	cursorParameter?: string;
	/** The sort to which that cursor belongs, where the user has not chosen it. */
	sort?: string;
}

/** A request that failed for good. Turned into n8n's own errors at the edge, by `nodeErrors.ts`. */
export class PlatformError extends Error {
	override readonly name = 'PlatformError';

	constructor(
		readonly problem: Problem,
		readonly request: Pick<PlatformRequest, 'method' | 'path' | 'pathParams'> & { host: string },
		readonly details: ProblemDetails = {},
	) {
		super(problem);
	}
}

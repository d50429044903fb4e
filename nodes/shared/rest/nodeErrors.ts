import { type INode, type JsonObject, NodeApiError, NodeOperationError } from 'n8n-workflow';

import { isTool } from '../n8n';
import { isFault } from './errorBody';
import { CredentialError, InputError, isNotFound, PlatformError } from './errors';
import { type ErrorContext, errorText } from './texts';

type NodeError = NodeApiError | NodeOperationError;

/**
 * Turns any failure into the error that n8n shows.
 *
 * @param errorContext names the resource in messages
 * @param itemIndex the input item that failed, if one did
 */
export function toNodeError(
	node: INode,
	error: unknown,
	errorContext: ErrorContext = { noun: 'record' },
	itemIndex?: number,
): NodeError {
	const shownError = nodeError(node, error, errorContext);
	// Of an error in a sub-workflow, and in most mails, only the message arrives.
	const record = isAboutRecord(error) ? notNamedIn(shownError.message, errorContext.record) : '';
	if (record !== '') shownError.message = `${shownError.message} (${record})`;
	const words = `${shownError.message} ${shownError.description ?? ''}`;
	const about = notNamedIn(words, [...(errorContext.record ?? []), ...(errorContext.about ?? [])]);
	if (about !== '')
		shownError.description = `${shownError.description ?? ''} This is about ${about}.`.trim();
	if (itemIndex !== undefined) shownError.context.itemIndex ??= itemIndex;
	if (!isTool(node)) return shownError;
	// n8n's AI Agent (from version 3) shows the model only the message of an error.
	const { message, description } = shownError;
	if (description && !message.includes(description))
		shownError.message = `${message}. ${description}`;
	return shownError;
}

/** Whether a failed write may have been applied. */
const mayBeApplied = (error: unknown): boolean =>
	error instanceof PlatformError && error.details.mayBeApplied === true;

/** Statuses that are about the key, whatever the record: unknown, without a right, or over its limit. */
const ABOUT_KEY: readonly unknown[] = [401, 403, 429];

const isAboutRecord = (error: unknown): boolean =>
	error instanceof PlatformError &&
	error.details.isHtml !== true &&
	(error.details.status !== undefined || mayBeApplied(error)) &&
	!ABOUT_KEY.includes(error.details.status);

/** The parts of `about` that words do not name. */
function notNamedIn(words: string, about: readonly string[] = []): string {
	const isNamed = (part: string) => words.includes(/“.*”/s.exec(part)?.[0] ?? part);
	return about.filter((part) => !isNamed(part)).join(', ');
}

function nodeError(node: INode, error: unknown, errorContext: ErrorContext): NodeError {
	if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
	if (error instanceof PlatformError) return apiError(node, error, errorContext);
	if (error instanceof InputError || error instanceof CredentialError)
		return new NodeOperationError(node, error.message, { description: error.description });
	return new NodeOperationError(node, error instanceof Error ? error : String(error));
}

/**
 * Does the work of a hook, a search or a poll, and turns a failure into the error that n8n shows.
 *
 * @throws NodeApiError with `httpCode` if the platform refuses or cannot be reached; NodeOperationError if the
 *   credential or a value cannot be used
 */
export async function withNodeErrors<T>(
	context: { getNode(): INode; getTimezone(): string },
	errorContext: ErrorContext = { noun: 'record' },
	work: () => Promise<T>,
): Promise<T> {
	try {
		return await work();
	} catch (error) {
		const timezone = context.getTimezone();
		throw toNodeError(context.getNode(), error, { ...errorContext, timezone });
	}
}

/**
 * What an item tells of a failure beside the message.
 *
 * @param cause the failure that the error was made of
 * @returns the description, HTTP status, request ID, whether the write may have been applied, and the platform's error
 *   code, else one like `notFound`
 */
export function errorDetails({ description, context }: NodeError, cause: unknown): JsonObject {
	const { status, code = codeOf(cause), request_id } = context as JsonObject;
	const isUnknown = mayBeApplied(cause) || undefined;
	const facts = { status, code, request_id, mayBeApplied: isUnknown };
	return withoutGaps({ ...facts, description: description || undefined });
}

/** Names a failure for which the platform has given no code. */
function codeOf(cause: unknown): string | undefined {
	if (isNotFound(cause)) return 'notFound';
	if (cause instanceof InputError) return cause.code;
	if (!(cause instanceof PlatformError)) return undefined;
	return cause.problem.replace(/-./g, (dash) => dash[1].toUpperCase());
}

const withoutGaps = (fields: Record<string, unknown>): JsonObject =>
	Object.fromEntries(
		Object.entries(fields).filter(([, value]) => value !== undefined),
	) as JsonObject;

function apiError(node: INode, error: PlatformError, errorContext: ErrorContext): NodeApiError {
	const { status, code, requestId: request_id } = error.details;
	const text = errorText(error, errorContext);
	const facts = withoutGaps({ status, code, request_id });
	const apiError = new NodeApiError(
		node,
		{ message: text.message, ...facts },
		{
			...text,
			httpCode: status === undefined ? undefined : String(status),
			failure: failureOf(error),
		},
	);
	// n8n rewrites a message if it takes a word in it for a system error code.
	Object.assign(apiError, text);
	Object.assign(apiError.context, facts);
	return apiError;
}

/** n8n reads this to back off by itself. */
function failureOf({ problem, details }: PlatformError): NodeApiError['failure'] {
	const { retryAfterMs, resumeAtMs: resetsAtEpochMs, day, status = 0 } = details;
	if (problem === 'budget-kept' || problem === 'budget-spent')
		return { cause: day ? 'quota-exhausted' : 'rate-limited', retryAfterMs, resetsAtEpochMs };
	if (problem === 'unreachable' || problem === 'timeout' || isFault(details))
		return { cause: 'temporarily-unavailable' };
	return status === 401 ? { cause: 'credential-invalid' } : undefined;
}

import { type INode, type JsonObject, NodeApiError, NodeOperationError } from 'n8n-workflow';

import { isInDevelopment } from './errorBody';
import { CancelledError, CredentialError, InputError, PlatformError } from './errors';
import { type ErrorContext, type ErrorText, textOf } from './texts';

type NodeError = NodeApiError | NodeOperationError;

/**
 * Turns whatever went wrong into the error that n8n shows. The one place where this package makes errors.
 *
 * @param errorContext names the resource and the scope in messages
 * @param itemIndex the input item that failed, if one did
 */
export function toNodeError(
	node: INode,
	error: unknown,
	errorContext: ErrorContext = { noun: 'record' },
	itemIndex?: number,
): NodeError {
	const made = nodeError(node, error, errorContext, itemIndex);
	if (!node.type.endsWith('Tool')) return made;
	// n8n's AI Agent (from version 3) tells the model an error's message and nothing else.
	const { message, description } = made;
	if (description && !message.includes(description)) made.message = `${message}. ${description}`;
	return made;
}

function nodeError(
	node: INode,
	error: unknown,
	errorContext: ErrorContext,
	itemIndex?: number,
): NodeError {
	if (error instanceof NodeApiError || error instanceof NodeOperationError) {
		if (itemIndex !== undefined) error.context.itemIndex ??= itemIndex;
		return error;
	}
	if (error instanceof PlatformError) return apiError(node, error, errorContext, itemIndex);
	if (error instanceof InputError || error instanceof CredentialError) {
		const { message, remedy: description } = error;
		return new NodeOperationError(node, message, { itemIndex, description });
	}
	if (error instanceof CancelledError)
		return new NodeOperationError(node, error.message, { itemIndex });
	const cause = error instanceof Error ? error : new Error(String(error));
	return new NodeOperationError(node, cause, { itemIndex });
}

/**
 * Does work of a hook, a search or a poll, and turns what goes wrong into the error that n8n shows.
 *
 * @throws NodeApiError with `httpCode` when the platform refuses or cannot be reached, NodeOperationError when
 *   the credential or a value cannot be used
 */
export async function withNodeErrors<T>(
	context: { getNode(): INode },
	errorContext: ErrorContext | undefined,
	work: () => Promise<T>,
): Promise<T> {
	try {
		return await work();
	} catch (error) {
		throw toNodeError(context.getNode(), error, errorContext);
	}
}

/** What Continue On Fail puts into the failed item's JSON. */
export function errorJson({ message, description, context }: NodeError): JsonObject {
	const { status, code, request_id } = context as JsonObject;
	const json = { error: message, description: description || undefined, status, code, request_id };
	return withoutGaps(json);
}

const withoutGaps = (fields: Record<string, unknown>): JsonObject =>
	Object.fromEntries(
		Object.entries(fields).filter(([, value]) => value !== undefined),
	) as JsonObject;

function apiError(
	node: INode,
	error: PlatformError,
	errorContext: ErrorContext,
	itemIndex?: number,
): NodeApiError {
	const { status, code, requestId: request_id } = error.details;
	const text = errorText(error, errorContext);
	const facts = withoutGaps({ status, code, request_id });
	const apiError = new NodeApiError(
		node,
		{ message: text.message, ...facts },
		{
			...text,
			httpCode: status === undefined ? undefined : String(status),
			itemIndex,
			failure: failureOf(error),
		},
	);
	// n8n rewrites messages in which it takes a word for a system error code.
	apiError.message = text.message;
	apiError.description = text.description;
	Object.assign(apiError.context, facts);
	return apiError;
}

/** n8n backs off by itself on what is declared here. */
function failureOf({ problem, details }: PlatformError): NodeApiError['failure'] {
	const { retryAfterMs, resumeAtMs: resetsAtEpochMs, day, status = 0 } = details;
	if (problem === 'budget-kept' || problem === 'budget-spent') {
		const isQuota = problem === 'budget-kept' || day === true;
		const cause = isQuota ? 'quota-exhausted' : 'rate-limited';
		return { cause, retryAfterMs, resetsAtEpochMs };
	}
	const isFault = status >= 500 && !isInDevelopment(details);
	if (problem === 'unreachable' || problem === 'timeout' || isFault)
		return { cause: 'temporarily-unavailable' };
	return status === 401 ? { cause: 'credential-invalid' } : undefined;
}

const MAY_BE_APPLIED =
	'The platform may have done it all the same: look at the record before you send it again.';

/**
 * Puts a failed request in words: what happened, what to do, what the platform said, its request ID.
 *
 * @param context names the resource and the scope
 */
export function errorText(error: PlatformError, context: ErrorContext): ErrorText {
	const { platformMessage, code, requestId, hint = '', mayBeApplied } = error.details;
	const { message, description } = textOf(error, context);
	const said = platformMessage === message ? code : (platformMessage ?? code);
	const parts = [
		description,
		description.includes(hint) ? '' : hint,
		mayBeApplied === true ? MAY_BE_APPLIED : '',
		said === undefined
			? ''
			: `The platform says: “${said}”${code !== undefined && said !== code ? ` (${code})` : ''}.`,
		requestId === undefined ? '' : `Request ID: ${requestId}.`,
	];
	return { message, description: parts.filter((part) => part !== '').join(' ') };
}

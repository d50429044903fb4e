import { type INode, type JsonObject, NodeApiError, NodeOperationError } from 'n8n-workflow';

import { documentedCode } from './errorBody';
import { CancelledError, CredentialError, InputError, PlatformError } from './errors';
import { type ErrorContext, type ErrorText, PROBLEMS, type Refusal, REFUSALS } from './texts';

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
): NodeApiError | NodeOperationError {
	const made = nodeError(node, error, errorContext, itemIndex);
	return node.type.endsWith('Tool') ? forModel(made) : made;
}

/** n8n's AI Agent (from version 3) tells the model an error's message and nothing else. */
function forModel<E extends NodeApiError | NodeOperationError>(error: E): E {
	const { message, description } = error;
	if (description && !message.includes(description)) error.message = `${message}. ${description}`;
	return error;
}

function nodeError(
	node: INode,
	error: unknown,
	errorContext: ErrorContext,
	itemIndex?: number,
): NodeApiError | NodeOperationError {
	if (error instanceof NodeApiError || error instanceof NodeOperationError)
		return named(error, itemIndex);
	if (error instanceof PlatformError) return apiError(node, error, errorContext, itemIndex);
	if (error instanceof InputError) {
		return new NodeOperationError(node, error.message, { itemIndex, description: error.remedy });
	}
	if (error instanceof CredentialError) {
		return new NodeOperationError(node, error.message, {
			itemIndex,
			description: 'Correct it in the credential.',
		});
	}
	if (error instanceof CancelledError)
		return new NodeOperationError(node, error.message, { itemIndex });
	return new NodeOperationError(node, error instanceof Error ? error : new Error(String(error)), {
		itemIndex,
	});
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
export function errorJson(error: NodeApiError | NodeOperationError): JsonObject {
	const { status, code, request_id } = error.context as JsonObject;
	const json: JsonObject = { error: error.message };
	if (error.description) json.description = error.description;
	for (const [name, value] of Object.entries({ status, code, request_id })) {
		if (value !== undefined) json[name] = value;
	}
	return json;
}

function named<E extends NodeApiError | NodeOperationError>(error: E, itemIndex?: number): E {
	if (itemIndex !== undefined) error.context.itemIndex ??= itemIndex;
	return error;
}

function apiError(
	node: INode,
	error: PlatformError,
	errorContext: ErrorContext,
	itemIndex?: number,
): NodeApiError {
	const { status, code, requestId, retryAfterMs, resumeAtMs, day } = error.details;
	const text = errorText(error, errorContext);
	const raw: JsonObject = { message: text.message };
	if (status !== undefined) raw.status = status;
	if (code !== undefined) raw.code = code;
	if (requestId !== undefined) raw.request_id = requestId;
	const apiError = new NodeApiError(node, raw, {
		...text,
		httpCode: status === undefined ? undefined : String(status),
		itemIndex,
		failure: failureOf(error, { retryAfterMs, resetsAtEpochMs: resumeAtMs, day }),
	});
	// n8n rewrites messages in which it takes a word for a system error code.
	apiError.message = text.message;
	apiError.description = text.description;
	Object.assign(apiError.context, { status, code, request_id: requestId });
	return apiError;
}

type NodeFailure = NonNullable<NodeApiError['failure']>;

/** n8n backs off by itself on what is declared here. */
function failureOf(
	error: PlatformError,
	wait: { retryAfterMs?: number; resetsAtEpochMs?: number; day?: boolean },
): NodeFailure | undefined {
	const { retryAfterMs, resetsAtEpochMs, day } = wait;
	if (error.problem === 'budget-kept' || (error.problem === 'budget-spent' && day)) {
		return { cause: 'quota-exhausted', retryAfterMs, resetsAtEpochMs };
	}
	if (error.problem === 'budget-spent')
		return { cause: 'rate-limited', retryAfterMs, resetsAtEpochMs };
	if (
		error.problem === 'unreachable' ||
		error.problem === 'timeout' ||
		(error.details.status ?? 0) >= 500
	) {
		return { cause: 'temporarily-unavailable' };
	}
	return error.details.status === 401 ? { cause: 'credential-invalid' } : undefined;
}

const IN_DEVELOPMENT =
	'The platform marks this endpoint as in development, so it may also not be released for this account yet.';

const MAY_BE_APPLIED =
	'The platform may have done it all the same: look at the record before you send it again.';

/**
 * Puts a failed request in words: what happened, what to do, what the platform said, its request ID.
 *
 * @param context names the resource and the scope
 */
export function errorText(error: PlatformError, context: ErrorContext): ErrorText {
	const { message, description } = textOf(error, context);
	const { platformMessage, code, requestId, hint, mayBeApplied } = error.details;
	const said = platformMessage ?? code;
	const parts = [
		description,
		hint !== undefined && !description.includes(hint) ? hint : '',
		mayBeApplied === true ? MAY_BE_APPLIED : '',
		said === undefined
			? ''
			: `The platform says: “${said}”${code !== undefined && said !== code ? ` (${code})` : ''}.`,
		requestId === undefined ? '' : `Request ID: ${requestId}`,
	];
	return { message, description: parts.filter((part) => part !== '').join(' ') };
}

function textOf(error: PlatformError, context: ErrorContext): ErrorText {
	if (error.problem !== 'refused') return PROBLEMS[error.problem](error, context);
	const row = REFUSALS.find((refusal) => fits(refusal, error, context));
	const { message, description } = (row ?? REFUSALS[REFUSALS.length - 1]).say(error, context);
	const mayBeUnreleased = context.inDevelopment === true && row?.ofTheRequest === true;
	return {
		message,
		description: mayBeUnreleased ? `${description} ${IN_DEVELOPMENT}` : description,
	};
}

function fits(row: Refusal, error: PlatformError, context: ErrorContext): boolean {
	const { status = 0, code } = error.details;
	if (row.code !== undefined && row.code !== documentedCode(code)) return false;
	if (typeof row.status === 'number' && row.status !== status) return false;
	if (typeof row.status === 'function' && !row.status(status)) return false;
	return row.fits?.(error, context) ?? true;
}

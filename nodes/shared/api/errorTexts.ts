import { documentedCode } from '../model/errorCodes';
import type { ErrorContext, ErrorText } from './errorContext';
import type { PlatformError } from './platformError';
import { PROBLEMS } from './problemTexts';
import { REFUSALS, type Refusal } from './refusalTexts';

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

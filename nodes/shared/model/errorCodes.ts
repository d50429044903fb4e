/** The codes that the API document shows ("Errors"). */
const DOCUMENTED = ['CONFLICT', 'INVALID_PARAMETER', 'INVALID_STATE_TRANSITION'] as const;

export type DocumentedCode = (typeof DOCUMENTED)[number];

/** `invalid-state.transition` and `InvalidStateTransition` are the same code. */
const loosely = (code: string): string => code.toLowerCase().replace(/[^a-z0-9]/g, '');

const BY_LOOSE_NAME = new Map(DOCUMENTED.map((code) => [loosely(code), code]));

/** The code of the API document that a platform means, however it writes it; undefined where it means none of them. */
export const documentedCode = (code: string | undefined): DocumentedCode | undefined =>
	code === undefined ? undefined : BY_LOOSE_NAME.get(loosely(code));

/** Whether a code is the address of a kind of error, as RFC 9457 has under `type`. */
export const isAddress = (code: string): boolean => /^(urn:|about:|tag:|\w+:\/\/)/i.test(code);

/**
 * Whether a refusal with 409 is of one of the kinds for which the API document gives that status ("Errors"). A platform
 * may give no code, or the address of one: then it is the kind that the resource has.
 */
export function isKindOf409(
	kind: DocumentedCode,
	{ status, code }: { status?: number; code?: string },
): boolean {
	if (status !== 409) return false;
	return code === undefined || isAddress(code) || documentedCode(code) === kind;
}

/** Why a delivery is refused: what its sender reads in the answer, and what stands in n8n's log. */
export type RefusalReason =
	| 'body could not be read'
	| 'body is not JSON'
	| 'body is not a JSON object'
	| 'body names no event'
	| 'no secret held for this address'
	| 'no signature'
	| 'no timestamp'
	| 'signature does not match'
	| 'signature is not 64 hex digits'
	| 'the same delivery is still being received'
	| 'timestamp is more than 5 minutes away'
	| 'timestamp is not a number of seconds';

/** Why a genuine delivery is answered with 200 and not executed. */
export type AcknowledgeReason = 'event not selected' | 'seen before';

import type {
	AcknowledgeReason,
	RefusalReason,
} from '../../nodes/CommercePlatformTrigger/delivery/reasons';

const NOT_THE_PLATFORM =
	'Something other than the platform called this address, or a proxy changes what passes. The platform signs the exact bytes: let the proxy pass them on unchanged.';

/** Status and meaning of each answer to a delivery that starts no execution. */
const MEANINGS: Record<RefusalReason | AcknowledgeReason, [status: number, meaning: string]> = {
	'body could not be read': [
		400,
		'The connection ended before the whole body was there. The platform sends again.',
	],
	'body is not JSON': [400, NOT_THE_PLATFORM],
	'body is not a JSON object': [400, NOT_THE_PLATFORM],
	'body names no event': [400, NOT_THE_PLATFORM],
	'event not selected': [
		200,
		'The endpoint still gets an event that you no longer select. Publish the workflow again: that registers the selection anew.',
	],
	'no secret held for this address': [
		401,
		'n8n does not know the secret of this address: the workflow was published by another n8n, or under another N8N_WEBHOOK_URL (n8n before 2.30: WEBHOOK_URL). In queue mode, give all processes the same one. Then unpublish and publish.',
	],
	'no signature': [
		401,
		'Something other than the platform called this address, or a proxy takes out headers. The header ends in -signature.',
	],
	'no timestamp': [400, 'A proxy takes out headers. The header ends in -timestamp.'],
	'seen before': [
		200,
		'A repeat of a delivery that was executed. Nothing to do. For tests with a constant body see the option “Repeats by Content”.',
	],
	'signature does not match': [
		401,
		'Signed with another secret, or the body was changed on its way. Was the secret replaced on the platform? Publish the workflow again: that makes a new endpoint with a new secret.',
	],
	'signature is not 64 hex digits': [401, NOT_THE_PLATFORM],
	'the same delivery is still being received': [
		409,
		'Its first sending is not answered yet. The platform sends again and is then told the outcome.',
	],
	'timestamp is more than 5 minutes away': [
		400,
		'The clock of the machine that runs n8n is wrong, or an old delivery was sent again by somebody. Set the clock by NTP.',
	],
	'timestamp is not a number of seconds': [400, NOT_THE_PLATFORM],
};

/** Answers to deliveries that start no execution: status, reason, what to do. */
export const refusedDeliveries = (): string[][] =>
	Object.entries(MEANINGS).map(([reason, [status, meaning]]) => [String(status), reason, meaning]);

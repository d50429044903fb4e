import { REASONS, type Reason } from '../../nodes/CommercePlatformTrigger/delivery/verifyDelivery';

const NOT_THE_PLATFORM =
	'Something other than the platform called this address, or a proxy changes what passes. The platform signs the exact bytes: let the proxy pass them on unchanged.';

/** Meaning of each answer to a delivery that starts no execution. */
const MEANINGS: Record<Reason, string> = {
	'body could not be read':
		'The connection ended before the whole body was there. The platform sends again.',
	'body is not JSON': NOT_THE_PLATFORM,
	'body is not a JSON object': NOT_THE_PLATFORM,
	'body names no event': NOT_THE_PLATFORM,
	'event not selected':
		'The endpoint still gets an event that you no longer select. Publish the workflow again: that registers the selection anew.',
	'no secret held for this address':
		'n8n does not know the secret of this address: the workflow was published by another n8n, or under another N8N_WEBHOOK_URL (n8n before 2.30: WEBHOOK_URL). In queue mode, give all processes the same one. Then unpublish and publish.',
	'no signature':
		'Something other than the platform called this address, or a proxy takes out headers. The header ends in -signature.',
	'no timestamp': 'A proxy takes out headers. The header ends in -timestamp.',
	'seen before':
		'A repeat of a delivery that was executed. Nothing to do. For tests with a constant body see the option “Repeats by Content”.',
	'signature does not match':
		'Signed with another secret, or the body was changed on its way. Was the secret replaced on the platform? Publish the workflow again: that makes a new endpoint with a new secret.',
	'signature is not 64 hex digits': NOT_THE_PLATFORM,
	'the same delivery is still being received':
		'Its first sending is not answered yet. The platform sends again and is then told the outcome.',
	'timestamp is more than 5 minutes away':
		'The clock of the machine that runs n8n is wrong, or an old delivery was sent again by somebody. Set the clock by NTP.',
	'timestamp is not a number of seconds': NOT_THE_PLATFORM,
};

/** Answers to deliveries that start no execution: status, reason, what to do. */
export const refusedDeliveries = (): string[][] =>
	Object.entries(MEANINGS).map(([reason, meaning]) => [
		String(REASONS[reason as Reason]),
		reason,
		meaning,
	]);

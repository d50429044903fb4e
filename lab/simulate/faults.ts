import type { Replacement } from './sources';

const VERIFY = 'delivery/verifyDelivery.ts';
const LIFECYCLE = 'endpoint/lifecycle.ts';
const ACCOUNT = 'endpoint/accountEndpoints.ts';
const MEMORY = 'memory/endpointMemory.ts';
const RECORD = 'memory/endpointRecord.ts';
const PENDING = 'memory/pendingDeliveries.ts';
const SEEN = 'memory/seenDeliveries.ts';

/** Deliberate faults. Each breaks a rule of the trigger, and the schedules must show it. */
export const FAULTS: Readonly<Record<string, Replacement>> = {
	'a delivery counts as seen before its execution exists': [
		PENDING,
		'delivery.answer = answer;',
		'delivery.answer = answer; for (const f of delivery.fingerprints) this.seen.add(f, this.clock.now());',
	],
	'what other processes saved is not taken in': [
		MEMORY,
		'this.seen.merge(staticData.seen, this.clock.now());',
		'',
	],
	'what was seen is forgotten ten minutes too early': [
		SEEN,
		'(bucket + 1) * BUCKET_MS + this.retentionMs',
		'bucket * BUCKET_MS + this.retentionMs',
	],
	'the time window is twice as long': [VERIFY, 'awayMs > WINDOW_MS', 'awayMs > 2 * WINDOW_MS'],
	'a header family is trusted without proof': [
		VERIFY,
		'if (signed.length > 0) break;',
		'if (signed.length > 0) { signed = sent; break; }',
	],
	'any shape of a signature is taken for one': [
		VERIFY,
		"timingSafeEqual(digest, Buffer.from(signature, 'hex'))",
		"(timingSafeEqual(digest, Buffer.from(signature, 'hex')) || true)",
	],
	'a replaced secret is kept, although the user does not want it': [
		LIFECYCLE,
		'parameters.acceptPreviousSecret ? RETENTION_MS : 0',
		'RETENTION_MS',
	],
	'a replaced secret is forgotten at once': [
		RECORD,
		'keepSecretMs > 0 ? valid.slice(0, MAX_PREVIOUS) : []',
		'[]',
	],
	'an event that is not selected is executed': [
		VERIFY,
		'!evidence.events.includes(content.event)',
		'false',
	],
	'a pending mark is not released by the answer': [
		PENDING,
		'!this.pending.delete(delivery)',
		'!this.pending.has(delivery)',
	],
	'a duplicate does not wait for the first': [
		MEMORY,
		"if (this.pending.has(recognisedBy)) return 'busy';",
		'',
	],
	'revisions begin at 0': [RECORD, 'Math.max(record.revision + 1, nowMs)', 'record.revision + 1'],
	'an endpoint is own by the beginning of its address': [
		ACCOUNT,
		'return normalized(a) === normalized(b);',
		'return normalized(a).startsWith(normalized(b));',
	],
	'the state of another workflow is trusted': [
		RECORD,
		'record.address === address && record.workflowId === workflowId',
		'true',
	],
	'static data is not changed for n8n to save it': [
		PENDING,
		"if (delivery.saving === 'chosen') markAsChanged(delivery.staticData, 'seen');",
		'continue;',
	],
	'every creation has the same Idempotency-Key': [
		ACCOUNT,
		'const idempotencyKey = randomUUID();',
		"const idempotencyKey = 'key';",
	],
	'duplicates of a creation are left behind': [
		LIFECYCLE,
		'const stranded = await patientAccount.removeAll(duplicates);',
		'const stranded: StrandedEndpoint[] = [];',
	],
	'an answer that comes too late counts as heard': [
		PENDING,
		'answer?.destroyed === false && nowMs - arrivedMs <= SENDER_WAITS_MS',
		'answer !== undefined',
	],
	'an older state that was restored stays': [
		LIFECYCLE,
		'memory.keep(changed(memory.record, clock.now(), {}), staticData);\n	return true;',
		'return true;',
	],
	'an error of the answer counts as 2xx': [PENDING, 'statusCode >= 300', 'statusCode >= 600'],
};

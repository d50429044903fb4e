import type { Replacement } from './sources';

const VERIFY = 'delivery/verifyDelivery.ts';
const LIFECYCLE = 'endpoint/lifecycle.ts';
const ACCOUNT = 'endpoint/accountEndpoints.ts';
const MEMORY = 'memory/endpointMemory.ts';
const RECORD = 'memory/endpointRecord.ts';
const PENDING = 'memory/pendingDeliveries.ts';
const SEEN = 'memory/seenDeliveries.ts';

/** Deliberate faults: each breaks a rule of the trigger, and schedules must show it. */
export const FAULTS: Readonly<Record<string, Replacement[]>> = {
	'a delivery counts as seen before its execution exists': [
		{
			file: PENDING,
			text: 'one.answer = answer;',
			by: 'one.answer = answer; for (const f of one.fingerprints) this.seen.add(f, this.clock.now());',
		},
	],
	'what other processes saved is not taken in': [
		{ file: MEMORY, text: 'this.seen.merge(staticData.seen, this.clock.now());', by: '' },
	],
	'what was seen is forgotten ten minutes too early': [
		{
			file: SEEN,
			text: '(bucket + 1) * BUCKET_MS + this.retentionMs',
			by: 'bucket * BUCKET_MS + this.retentionMs',
		},
	],
	'the time window is twice as long': [
		{ file: VERIFY, text: 'awayMs > WINDOW_MS', by: 'awayMs > 2 * WINDOW_MS' },
	],
	'a header family is trusted without proof': [
		{
			file: VERIFY,
			text: 'if (signed.length > 0) break;',
			by: 'if (signed.length > 0) { signed = sent; break; }',
		},
	],
	'any shape of a signature is taken for one': [
		{
			file: VERIFY,
			text: "timingSafeEqual(digest, Buffer.from(signature, 'hex'))",
			by: "(timingSafeEqual(digest, Buffer.from(signature, 'hex')) || true)",
		},
	],
	'a replaced secret is kept, although the user does not want it': [
		{ file: LIFECYCLE, text: 'acceptPreviousSecret ? retentionMs : 0', by: 'retentionMs' },
	],
	'a replaced secret is forgotten at once': [
		{ file: RECORD, text: 'keepSecretMs > 0 ? valid.slice(0, MAX_PREVIOUS) : []', by: '[]' },
	],
	'an event that is not selected is executed': [
		{ file: VERIFY, text: '!evidence.events.includes(content.event)', by: 'false' },
	],
	'a pending mark is not released by the answer': [
		{ file: PENDING, text: '!this.pending.delete(one)', by: '!this.pending.has(one)' },
	],
	'a duplicate does not wait for the first': [
		{ file: MEMORY, text: "if (this.pending.has(recognisedBy)) return 'busy';", by: '' },
	],
	'revisions begin at 0': [
		{
			file: RECORD,
			text: 'Math.max(record.revision + 1, nowMs)',
			by: 'record.revision + 1',
		},
	],
	'an endpoint is own by the beginning of its address': [
		{
			file: ACCOUNT,
			text: 'return normal(a) === normal(b);',
			by: 'return normal(a).startsWith(normal(b));',
		},
	],
	'the state of another workflow is trusted': [
		{
			file: RECORD,
			text: 'record.address === address && record.workflowId === workflowId',
			by: 'true',
		},
	],
	'static data is not changed for n8n to save it': [
		{ file: PENDING, text: "if (one.saving === 'chosen') markAsChanged(one);", by: 'continue;' },
	],
	'every creation has the same Idempotency-Key': [
		{
			file: ACCOUNT,
			text: 'const idempotencyKey = randomUUID();',
			by: "const idempotencyKey = 'key';",
		},
	],
	'duplicates of a creation are left behind': [
		{
			file: LIFECYCLE,
			text: 'const still = await account.removeAll(duplicates);',
			by: 'const still: StrandedEndpoint[] = [];',
		},
	],
	'an answer that comes too late counts as heard': [
		{
			file: PENDING,
			text: 'answer?.destroyed === false && this.clock.monotonic() - arrivedMs <= HEARD_MS',
			by: 'answer !== undefined',
		},
	],
	'an older state that was restored stays': [
		{
			file: LIFECYCLE,
			text: 'memory.keep(memory.record, staticData);\n	return true;',
			by: 'return true;',
		},
	],
	'an error of the answer counts as 2xx': [
		{ file: PENDING, text: 'statusCode >= 300', by: 'statusCode >= 600' },
	],
};

import type { Replacement } from './sources';

const VERIFY = 'verifyDelivery.ts';
const ENDPOINT = 'endpoint.ts';
const MEMORY = 'memory.ts';
const PENDING = 'pending.ts';

/** Deliberate faults. Each breaks a rule of the trigger, and the schedules must show it. */
export const FAULTS: Readonly<Record<string, Replacement>> = {
	'a delivery counts as seen before its execution exists': [
		PENDING,
		"delivery.stage = 'handed over';",
		"delivery.stage = 'handed over'; this.memory.seen.add(delivery.fingerprints);",
	],
	'what other processes saved is not taken in': [MEMORY, 'this.seen.merge(staticData.seen);', ''],
	'a delivery that n8n does not answer in 30 seconds is given up': [
		PENDING,
		'nowMs - delivery.arrivedMs < RETRIED_FOR_MS',
		'nowMs - delivery.arrivedMs < 30_000',
	],
	'what was saved is not remembered, whatever the sender hears': [
		PENDING,
		'if (this.pending.has(delivery)) this.memory.seen.add(delivery.fingerprints);',
		'',
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
		MEMORY,
		'keepsSecret ? valid.slice(0, MAX_PREVIOUS) : []',
		'valid.slice(0, MAX_PREVIOUS)',
	],
	'a replaced secret is forgotten at once': [
		MEMORY,
		'keepsSecret ? valid.slice(0, MAX_PREVIOUS) : []',
		'[]',
	],
	'an event that is not selected is executed': [
		VERIFY,
		'!evidence.events.includes(content.event)',
		'false',
	],
	'a pending mark is not released by the answer': [PENDING, '			this.pending.delete(delivery);\n', ''],
	'a duplicate is executed while the first is pending': [
		MEMORY,
		"if (this.pending.has(recognisedBy)) return 'busy';",
		'',
	],
	'revisions begin at 0': [
		MEMORY,
		'Math.max(this.record.revision + 1, this.clock.now())',
		'this.record.revision + 1',
	],
	'an endpoint is own by the beginning of its address': [
		ENDPOINT,
		'(urlOf(a)?.href ?? a) === (urlOf(b)?.href ?? b);',
		'(urlOf(a)?.href ?? a).startsWith(urlOf(b)?.href ?? b);',
	],
	'the state of another workflow is trusted': [
		MEMORY,
		'address === scope.address && workflowId === scope.workflowId',
		'true',
	],
	'static data is not changed for n8n to save it': [
		PENDING,
		"for (const delivery of asking) delivery?.handling.askForSave('seen');",
		'',
	],
	'every creation has the same Idempotency-Key': [
		ENDPOINT,
		'const idempotencyKey = randomUUID();',
		"const idempotencyKey = 'key';",
	],
	'duplicates of a creation are left behind': [
		ENDPOINT,
		'await account.removeAll(endpointIds(atAddress).filter((listedId) => listedId !== id));',
		'',
	],
	'what is answered after the sender has gone is not remembered': [
		PENDING,
		'if (status !== undefined && status >= 200 && status < 300)',
		'if (nowMs - delivery.arrivedMs <= 8_000 && status !== undefined && status >= 200 && status < 300)',
	],
	'an older state that was restored stays': [
		ENDPOINT,
		'memory.change({}, staticData);\n	return true;',
		'return true;',
	],
	'an error of the answer counts as 2xx': [PENDING, 'status < 300', 'status < 600'],
};

import type { IDataObject } from 'n8n-workflow';

import {
	existingMemory,
	forgetAddress,
	memoryOf,
} from '../../../../nodes/CommercePlatformTrigger/memory/endpointMemories';
import { EndpointMemory } from '../../../../nodes/CommercePlatformTrigger/memory/endpointMemory';
import { PENDING_MS } from '../../../../nodes/CommercePlatformTrigger/memory/pendingDeliveries';
import { FakeAnswer } from './fakeAnswer';

const PLACE = {
	instanceId: 'instance',
	workflowId: 'w1',
	address: 'https://n8n.example/webhook/1/webhook',
};
const ONE = { body: 'bodyAAAA', id: 'id_AAAAA' };

/** Stands still until a test moves it, and never makes anybody wait. */
const clock = {
	nowMs: Date.UTC(2026, 10, 21, 12, 0, 0),
	now: () => clock.nowMs,
	sleep: async () => await new Promise<void>((resolve) => setImmediate(resolve)),
};

const emptyMemory = () => new EndpointMemory(PLACE, clock);

/** Admits a delivery and sees it to an answer with this status. */
async function answered(memory: EndpointMemory, fingerprints: typeof ONE, status: number) {
	const admission = memory.admit(fingerprints);
	if (admission.kind !== 'new') throw new Error(`is ${admission.kind}`);
	const answer = new FakeAnswer();
	const watched = memory.watch({ staticData: {}, pending: admission.pending, answer });
	answer.send(status);
	await watched;
}

describe('a delivery', () => {
	it('is a repeat once it was answered with 2xx', async () => {
		const memory = emptyMemory();
		await answered(memory, ONE, 200);
		expect(memory.admit(ONE).kind).toBe('repeat');
	});

	it('is a repeat by its id alone and by its body alone', async () => {
		const memory = emptyMemory();
		await answered(memory, ONE, 200);
		expect(memory.admit({ ...ONE, body: 'otherBBB' }).kind).toBe('repeat');
		expect(memory.admit({ ...ONE, id: 'otherIII' }).kind).toBe('repeat');
		expect(memory.admit({ body: ONE.body }).kind).toBe('repeat');
		expect(memory.admit({ body: 'otherBBB', id: 'otherIII' }).kind).toBe('new');
	});

	it.each([500, 503, 404])('answered with %i is new when it comes again', async (status) => {
		const memory = emptyMemory();
		await answered(memory, ONE, status);
		expect(memory.admit(ONE).kind).toBe('new');
	});

	it('is busy while the same delivery is not answered yet', () => {
		const memory = emptyMemory();
		expect(memory.admit(ONE).kind).toBe('new');
		expect(memory.admit(ONE).kind).toBe('busy');
		expect(memory.admit({ ...ONE, id: 'otherIII' }).kind).toBe('busy');
	});

	it('does not stay busy for longer than 30 seconds', () => {
		const memory = emptyMemory();
		memory.admit(ONE);
		clock.nowMs += PENDING_MS - 1;
		expect(memory.admit(ONE).kind).toBe('busy');
		clock.nowMs += 1;
		expect(memory.admit(ONE).kind).toBe('new');
		expect(PENDING_MS).toBeLessThanOrEqual(30_000);
	});

	it('does not count when its answer comes after it was given up', async () => {
		const memory = emptyMemory();
		const admission = memory.admit(ONE);
		if (admission.kind !== 'new') throw new Error('not new');
		clock.nowMs += 2 * PENDING_MS;
		const answer = new FakeAnswer();
		await memory.watch({ staticData: {}, pending: admission.pending, answer });
		answer.send(200);
		expect(memory.admit(ONE).kind).toBe('new');
	});

	it('tells whoever waits for it how it ended', async () => {
		const memory = emptyMemory();
		const first = memory.admit(ONE);
		const second = memory.admit(ONE);
		if (first.kind !== 'new' || second.kind !== 'busy') throw new Error('wrong kinds');
		const answer = new FakeAnswer();
		const watched = memory.watch({ staticData: {}, pending: first.pending, answer });
		answer.send(500);
		await watched;
		expect(await second.duplicate.outcome).toBe(false);
	});
});

describe('a delivery that is saved before it is answered', () => {
	/** Admits a delivery; gives what n8n would save now, and its answer. */
	function admitted(memory: EndpointMemory, fingerprints: typeof ONE) {
		const admission = memory.admit(fingerprints);
		if (admission.kind !== 'new') throw new Error(`is ${admission.kind}`);
		const answer = new FakeAnswer();
		const staticData: IDataObject = {};
		const watched = memory.watch({ staticData, pending: admission.pending, answer });
		const save = () => JSON.parse(JSON.stringify(staticData)) as IDataObject;
		return { answer, watched, save, staticData };
	}

	/** A memory that has a record, without which it believes no static data. */
	const registered = () => {
		const memory = emptyMemory();
		memory.replaceRecord({ ...memory.record, revision: 1 });
		return memory;
	};

	it('is new again when its sender hung up, whatever was saved of it', async () => {
		const memory = registered();
		const { answer, watched, save } = admitted(memory, ONE);
		const saved = save();
		expect(JSON.stringify(saved)).toContain(ONE.id);
		memory.merge(saved);
		expect(memory.admit(ONE).kind).toBe('busy');
		answer.hangUp();
		answer.send(200);
		await watched;
		memory.merge(saved);
		expect(memory.admit(ONE).kind).toBe('new');
		expect(JSON.stringify(memory.serialize())).not.toContain(ONE.id);
	});

	it('is a repeat when its sender heard the answer', async () => {
		const memory = registered();
		const { answer, watched, save } = admitted(memory, ONE);
		memory.merge(save());
		answer.send(200);
		await watched;
		expect(memory.admit(ONE).kind).toBe('repeat');
	});

	it('is a repeat in another process that loads what was saved', () => {
		const saved = admitted(registered(), ONE).save();
		const other = emptyMemory();
		other.merge(saved);
		expect(other.admit(ONE).kind).toBe('repeat');
	});

	it('is in every save until it is given up', async () => {
		const memory = registered();
		const { watched, save } = admitted(memory, ONE);
		save();
		expect(JSON.stringify(memory.serialize())).toContain(ONE.id);
		clock.nowMs += PENDING_MS;
		expect(JSON.stringify(memory.serialize())).not.toContain(ONE.id);
		await watched;
	});

	it('has changed static data before webhook() returns, for n8n before 2.8', () => {
		expect(Object.keys(admitted(registered(), ONE).staticData)).toEqual(['seen']);
	});
});

describe('the record of an endpoint', () => {
	const withSecret = (memory: EndpointMemory, secret: string, revision: number) => ({
		...memory.record,
		revision,
		endpoint: { id: 'wh_1', secret: memory.sealSecret(secret), events: [], status: null },
	});

	it('is empty at first, holds no secret, and is not saved', () => {
		const memory = emptyMemory();
		expect(memory.record).toMatchObject({ address: PLACE.address, workflowId: 'w1', revision: 0 });
		expect(memory.holdsSecret()).toBe(false);
		expect(memory.secrets(true)).toEqual([]);
		expect(memory.serialize()).toEqual({ seen: {} });
	});

	it('holds a secret that can be opened here', () => {
		const memory = emptyMemory();
		memory.replaceRecord(withSecret(memory, 'secret', 1));
		expect(memory.holdsSecret()).toBe(true);
		expect(memory.secrets(true)).toEqual(['secret']);
		const foreign = new EndpointMemory({ ...PLACE, instanceId: 'other' }, clock);
		foreign.replaceRecord(memory.record);
		expect(foreign.holdsSecret()).toBe(false);
	});

	it('is the newer one of what is saved and what is known', () => {
		const memory = emptyMemory();
		memory.replaceRecord(withSecret(memory, 'two', 2));
		memory.merge({ record: withSecret(memory, 'one', 1) as unknown as IDataObject });
		expect(memory.secrets(true)).toEqual(['two']);
		memory.merge({ record: withSecret(memory, 'three', 3) as unknown as IDataObject });
		expect(memory.secrets(true)).toEqual(['three']);
	});

	it('is remembered for as long as the user says', () => {
		const memory = emptyMemory();
		memory.retentionMs = 5;
		expect(memory.retentionMs).toBe(5);
	});
});

describe('the memories of this process', () => {
	const at = (address: string, workflowId = 'w1') =>
		memoryOf({ ...PLACE, address, workflowId }, clock);

	it('are one for each address, test and production apart', () => {
		const production = at('https://n8n.example/webhook/a');
		expect(at('https://n8n.example/webhook/a')).toBe(production);
		expect(at('https://n8n.example/webhook-test/a')).not.toBe(production);
	});

	it('are one for each workflow: a copy at the same address knows nothing of the original', () => {
		const original = at('https://n8n.example/webhook/c');
		expect(at('https://n8n.example/webhook/c', 'w2')).not.toBe(original);
		expect(at('https://n8n.example/webhook/c')).toBe(original);
	});

	it('are forgotten when they were not used for longer than deliveries are remembered', () => {
		const unused = at('https://n8n.example/unused');
		const { retentionMs } = unused;
		clock.nowMs += 1;
		at('https://n8n.example/used');
		clock.nowMs += retentionMs;
		at('https://n8n.example/used');
		expect(existingMemory('https://n8n.example/unused', 'w1')).toBeUndefined();
		expect(existingMemory('https://n8n.example/used', 'w1')).toBeDefined();
	});

	it('are forgotten on request', () => {
		at('https://n8n.example/webhook/b');
		at('https://n8n.example/webhook/d');
		forgetAddress('https://n8n.example/webhook/b');
		expect(existingMemory('https://n8n.example/webhook/d', 'w1')).toBeDefined();
		expect(existingMemory('https://n8n.example/webhook/b', 'w1')).toBeUndefined();
	});

	it('are 500 at most, and the one that was used longest ago is forgotten first', () => {
		for (let i = 0; i < 501; i++) {
			clock.nowMs += 1;
			at(`https://n8n.example/many/${i}`);
		}
		expect(existingMemory('https://n8n.example/many/0', 'w1')).toBeUndefined();
		expect(existingMemory('https://n8n.example/many/500', 'w1')).toBeDefined();
	});
});

import type { IDataObject, IHookFunctions } from 'n8n-workflow';

import {
	EndpointMemory,
	existingMemory,
	forgetAddress,
	openMemory,
} from '../../../../nodes/CommercePlatformTrigger/memory/endpointMemory';
import { changed } from '../../../../nodes/CommercePlatformTrigger/memory/endpointRecord';
import { PENDING_MS } from '../../../../nodes/CommercePlatformTrigger/memory/pendingDeliveries';
import { FakeAnswer } from './fakeAnswer';

const PLACE = {
	instanceId: 'instance',
	workflowId: 'w1',
	address: 'https://n8n.example/webhook/1/webhook',
};
const RETENTION_MS = 27 * 3_600_000;

/** A delivery as it is told from others. */
const delivery = (body: string, id: string, recognisedBy = [body, id]) => ({
	fingerprints: [body, id],
	recognisedBy,
});
const ONE = delivery('bodyAAAA', 'id_AAAAA');

/** Stands still until a test moves it, and never makes anybody wait. */
const clock = {
	nowMs: Date.UTC(2026, 10, 21, 12, 0, 0),
	now: () => clock.nowMs,
	sleep: async () => await new Promise<void>((resolve) => setImmediate(resolve)),
};

const emptyMemory = () => new EndpointMemory(PLACE, clock, RETENTION_MS);

/** Admits a delivery and sees it to an answer with this status. */
async function answered(memory: EndpointMemory, one: typeof ONE, status: number) {
	const admission = memory.admit(one);
	if (admission.kind !== 'new') throw new Error(`is ${admission.kind}`);
	const answer = new FakeAnswer();
	const watched = memory.pending.watch(admission.pending, {}, answer);
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
		expect(memory.admit(delivery('otherBBB', 'id_AAAAA')).kind).toBe('repeat');
		expect(memory.admit(delivery('bodyAAAA', 'otherIII')).kind).toBe('repeat');
		expect(memory.admit(delivery('otherBBB', 'otherIII')).kind).toBe('new');
	});

	it('is remembered by its body also where its id alone tells it from others', async () => {
		const memory = emptyMemory();
		await answered(memory, delivery('bodyAAAA', 'id_AAAAA', ['id_AAAAA']), 200);
		expect(memory.admit(delivery('bodyAAAA', 'otherIII', ['otherIII'])).kind).toBe('new');
		const withoutId = { fingerprints: ['bodyAAAA'], recognisedBy: ['bodyAAAA'] };
		expect(memory.admit(withoutId).kind).toBe('busy');
		await answered(memory, delivery('bodyBBBB', 'id_BBBBB', ['id_BBBBB']), 200);
		const other = { fingerprints: ['bodyBBBB'], recognisedBy: ['bodyBBBB'] };
		expect(memory.admit(other).kind).toBe('repeat');
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
		expect(memory.admit(delivery('bodyAAAA', 'otherIII')).kind).toBe('busy');
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
		await memory.pending.watch(admission.pending, {}, answer);
		answer.send(200);
		expect(memory.admit(ONE).kind).toBe('new');
	});

	it('tells whoever waits for it how it ended', async () => {
		const memory = emptyMemory();
		const first = memory.admit(ONE);
		const second = memory.admit(ONE);
		if (first.kind !== 'new' || second.kind !== 'busy') throw new Error('wrong kinds');
		const answer = new FakeAnswer();
		const watched = memory.pending.watch(first.pending, {}, answer);
		answer.send(500);
		await watched;
		expect(await second.duplicate.outcome).toBe(false);
	});
});

describe('a delivery that is saved before it is answered', () => {
	/** Admits a delivery; gives what n8n would save now, and its answer. */
	function admitted(memory: EndpointMemory, one: typeof ONE) {
		const admission = memory.admit(one);
		if (admission.kind !== 'new') throw new Error(`is ${admission.kind}`);
		const answer = new FakeAnswer();
		const staticData: IDataObject = {};
		const watched = memory.pending.watch(admission.pending, staticData, answer);
		const save = () => JSON.parse(JSON.stringify(staticData)) as IDataObject;
		return { answer, watched, save, staticData };
	}

	/** A memory that has a record, without which it believes no static data. */
	const registered = () => {
		const memory = emptyMemory();
		memory.record = { ...memory.record, revision: 1 };
		return memory;
	};

	it('is new again when its sender hung up, whatever was saved of it', async () => {
		const memory = registered();
		const { answer, watched, save } = admitted(memory, ONE);
		const saved = save();
		expect(JSON.stringify(saved)).toContain('id_AAAAA');
		memory.merge(saved);
		expect(memory.admit(ONE).kind).toBe('busy');
		answer.hangUp();
		answer.send(200);
		await watched;
		memory.merge(saved);
		expect(memory.admit(ONE).kind).toBe('new');
		expect(JSON.stringify(memory.serialize())).not.toContain('id_AAAAA');
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
		expect(JSON.stringify(memory.serialize())).toContain('id_AAAAA');
		clock.nowMs += PENDING_MS;
		expect(JSON.stringify(memory.serialize())).not.toContain('id_AAAAA');
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
		endpoint: { id: 'wh_1', secret: memory.seal.seal(secret), events: [], status: null },
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
		memory.record = withSecret(memory, 'secret', 1);
		expect(memory.holdsSecret()).toBe(true);
		expect(memory.secrets(true)).toEqual(['secret']);
		const foreign = new EndpointMemory({ ...PLACE, instanceId: 'other' }, clock, RETENTION_MS);
		foreign.record = memory.record;
		expect(foreign.holdsSecret()).toBe(false);
	});

	it('is the newer one of what is saved and what is known', () => {
		const memory = emptyMemory();
		memory.record = withSecret(memory, 'two', 2);
		memory.merge({ record: withSecret(memory, 'one', 1) as unknown as IDataObject });
		expect(memory.secrets(true)).toEqual(['two']);
		memory.merge({ record: withSecret(memory, 'three', 3) as unknown as IDataObject });
		expect(memory.secrets(true)).toEqual(['three']);
	});

	it('is the newer one in another process, too, which knew a record of more changes', () => {
		const processor = emptyMemory();
		processor.record = { ...withSecret(processor, 'old', 1), revision: clock.nowMs - 1 };
		const main = emptyMemory();
		const staticData: IDataObject = {};
		const { endpoint } = withSecret(main, 'new', 0);
		main.keep(changed(main.record, clock.nowMs, { endpoint }), staticData);
		processor.merge(staticData);
		expect(processor.secrets(false)).toEqual(['new']);
	});

	it('is remembered for as long as the user says', () => {
		const memory = emptyMemory();
		memory.retentionMs = 5;
		expect(memory.retentionMs).toBe(5);
	});
});

describe('the memories of this process', () => {
	const at = (address: string, workflowId = 'w1') => {
		const context = {
			getWorkflow: () => ({ id: workflowId }),
			getInstanceId: () => PLACE.instanceId,
			getWorkflowStaticData: () => ({}),
		} as unknown as IHookFunctions;
		return openMemory(context, address, RETENTION_MS, clock);
	};

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

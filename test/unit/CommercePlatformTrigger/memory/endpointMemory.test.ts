import type { IDataObject, IHookFunctions } from 'n8n-workflow';

import {
	EndpointMemory,
	existingMemory,
	forgetAddress,
	openMemory,
} from '../../../../nodes/CommercePlatformTrigger/memory/endpointMemory';
import { changed } from '../../../../nodes/CommercePlatformTrigger/memory/endpointRecord';
import { FakeAnswer } from './fakeAnswer';

/** A delivery without an answer is given up then. ms. */
const PENDING_MS = 30_000;

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

type Told = 'new' | 'repeat' | 'busy';

/** What becomes of a delivery. */
function admitted(memory: EndpointMemory, one: Parameters<EndpointMemory['admit']>[0]): Told {
	const told = memory.admit(one, {});
	return typeof told === 'string' ? told : 'new';
}

/** Stands still until a test moves it, and never makes anybody wait. */
const clock = {
	nowMs: Date.UTC(2026, 10, 21, 12, 0, 0),
	now: () => clock.nowMs,
	monotonic: () => clock.nowMs,
	sleep: async () => await new Promise<void>((resolve) => setImmediate(resolve)),
};

const emptyMemory = () => new EndpointMemory(PLACE, clock, RETENTION_MS);

/** Admits a delivery; gives its answer, and what n8n would save now. */
function handedOver(memory: EndpointMemory, one: typeof ONE) {
	const staticData: IDataObject = { record: {} };
	const pending = memory.admit(one, staticData);
	if (typeof pending === 'string') throw new Error(`is ${pending}`);
	const answer = new FakeAnswer();
	const watched = memory.pending.watch(pending, answer);
	const save = () => JSON.parse(JSON.stringify(staticData)) as IDataObject;
	return { answer, watched, save, staticData };
}

/** Admits a delivery and sees it to an answer with this status. */
async function answered(memory: EndpointMemory, one: typeof ONE, status: number) {
	const { answer, watched } = handedOver(memory, one);
	answer.send(status);
	await watched;
}

describe('a delivery', () => {
	it.each<[string, typeof ONE, number, typeof ONE, Told]>([
		['again after a 2xx', ONE, 200, ONE, 'repeat'],
		['with its id alone', ONE, 200, delivery('otherBBB', 'id_AAAAA'), 'repeat'],
		['with its body alone', ONE, 200, delivery('bodyAAAA', 'otherIII'), 'repeat'],
		['with neither', ONE, 200, delivery('otherBBB', 'otherIII'), 'new'],
		['again after a 500', ONE, 500, ONE, 'new'],
		['again after a 404', ONE, 404, ONE, 'new'],
		[
			'with its body, where ids alone tell',
			delivery('bodyAAAA', 'id_AAAAA', ['id_AAAAA']),
			200,
			delivery('bodyAAAA', 'otherIII', ['otherIII']),
			'new',
		],
		[
			'with its body and no id',
			delivery('bodyAAAA', 'id_AAAAA', ['id_AAAAA']),
			200,
			{ fingerprints: ['bodyAAAA'], recognisedBy: ['bodyAAAA'] },
			'repeat',
		],
	])('%s is told from others', async (_what, first, status, second, told) => {
		const memory = emptyMemory();
		await answered(memory, first, status);
		expect(admitted(memory, second)).toBe(told);
	});

	it('is busy while the same delivery is not answered yet, for no longer than 30 seconds', () => {
		const memory = emptyMemory();
		expect(admitted(memory, ONE)).toBe('new');
		clock.nowMs += PENDING_MS - 1;
		expect(admitted(memory, ONE)).toBe('busy');
		expect(admitted(memory, delivery('bodyAAAA', 'otherIII'))).toBe('busy');
		clock.nowMs += 1;
		expect(admitted(memory, ONE)).toBe('new');
		expect(admitted(memory, delivery('bodyAAAA', 'otherIII', ['otherIII']))).toBe('new');
	});
});

describe('a delivery that is saved before it is answered', () => {
	/** A memory that has a record, without which it believes no static data. */
	const registered = () => {
		const memory = emptyMemory();
		const endpoint = { id: 'wh_1', secret: '', events: [], status: null };
		memory.record = { ...memory.record, revision: 1, endpoint };
		return memory;
	};

	it.each([
		['new again when its sender hung up, whatever was saved of it', true, 'new'],
		['a repeat when its sender heard the answer', false, 'repeat'],
	])('is %s', async (_what, hungUp, told) => {
		const memory = registered();
		const { answer, watched, save } = handedOver(memory, ONE);
		const saved = save();
		expect(JSON.stringify(saved)).toContain('id_AAAAA');
		memory.merge(saved);
		expect(admitted(memory, ONE)).toBe('busy');
		if (hungUp) answer.hangUp();
		answer.send(200);
		await watched;
		memory.merge(saved);
		expect(JSON.stringify(memory.serialize()).includes('id_AAAAA')).toBe(!hungUp);
		expect(admitted(memory, ONE)).toBe(told);
	});

	it('is a repeat in another process that loads what was saved', () => {
		const { save, staticData } = handedOver(registered(), ONE);
		// Changed before webhook() returns, for n8n before 2.8.
		expect(Object.keys(staticData)).toEqual(['record', 'seen']);
		const other = emptyMemory();
		other.merge(save());
		expect(admitted(other, ONE)).toBe('repeat');
	});

	it('is in every save until it is given up', async () => {
		const memory = registered();
		const { watched, save } = handedOver(memory, ONE);
		save();
		expect(JSON.stringify(memory.serialize())).toContain('id_AAAAA');
		clock.nowMs += PENDING_MS;
		expect(JSON.stringify(memory.serialize())).not.toContain('id_AAAAA');
		await watched;
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
		expect(memory.secrets(true)).toEqual([]);
		expect(memory.serialize()).toEqual({ seen: {} });
	});

	it('holds a secret that can be opened here', () => {
		const memory = emptyMemory();
		memory.record = withSecret(memory, 'secret', 1);
		expect(memory.secrets(true)).toEqual(['secret']);
		const foreign = new EndpointMemory({ ...PLACE, instanceId: 'other' }, clock, RETENTION_MS);
		foreign.record = memory.record;
		expect(foreign.secrets(true)).toEqual([]);
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

	it('are one for each address and workflow: a copy knows nothing of the original', () => {
		const production = at('https://n8n.example/webhook/a');
		expect(at('https://n8n.example/webhook/a', 'w2')).not.toBe(production);
		expect(at('https://n8n.example/webhook-test/a')).not.toBe(production);
		expect(at('https://n8n.example/webhook/a')).toBe(production);
	});

	it('are forgotten when they were not used for longer than deliveries are remembered', () => {
		const unused = at('https://n8n.example/unused');
		const { retentionMs } = unused.seen;
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

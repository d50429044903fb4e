import type { IDataObject, IHookFunctions } from 'n8n-workflow';

import {
	existingMemory,
	forgetAddress,
	openMemory,
} from '../../../nodes/CommercePlatformTrigger/memory';
import { Answer } from '../../../lab/simulate/context';
import { FakeClock } from '../fakeClock';
import { Endpoint, loaded, PLACE } from './onePlace';

const ID = 'id_AAAAA';
const SAME = { fingerprints: [ID], recognisedBy: [ID] };

describe('a delivery that arrives', () => {
	const OTHER = 'id_BBBBB';
	const told = ({ memory }: Endpoint, recognisedBy: string[], staticData = loaded()) => {
		const admitted = memory.admit({ fingerprints: [ID], recognisedBy }, staticData, new Answer());
		return typeof admitted === 'string' ? admitted : 'new';
	};

	it('is busy while the same one is not answered, and new again after an answer that refused it', () => {
		const endpoint = new Endpoint();
		const { answer } = endpoint.arrive(ID);
		expect(told(endpoint, [ID])).toBe('busy');
		answer.send(500);
		expect(told(endpoint, [ID])).toBe('new');
	});

	it('is a repeat if one of the fingerprints that recognise it was seen', () => {
		const endpoint = new Endpoint();
		endpoint.arrive(ID).answer.send(200);
		expect(told(endpoint, [OTHER, ID])).toBe('repeat');
		expect(told(endpoint, [OTHER])).toBe('new');
	});

	it('is new, but not saved, while this process knows no endpoint', async () => {
		const endpoint = new Endpoint(false);
		const staticData = loaded({ record: { endpoint: { id: 'wh_1', secret: '' } } });
		const admitted = endpoint.memory.admit(SAME, staticData, new Answer());
		if (typeof admitted === 'string') throw new Error(admitted);
		void endpoint.memory.pending.handOver(admitted);
		endpoint.register('');
		await endpoint.clock.advance(1_000);
		expect(staticData.__dataChanged).toBe(false);
	});
});

it.each([
	['the endpoint that this process knows', 'wh_1', true],
	['another one, as under a name that the node had before', 'wh_0', false],
	['none', undefined, false],
])('a delivery is saved only where its request loaded %s', async (_what, id, isSaved) => {
	const { memory, clock, register } = new Endpoint();
	register('now', 2);
	const staticData = loaded({
		record: { ...memory.record, revision: 1, endpoint: id ? { id, secret: '' } : null },
	});
	const admitted = memory.admit(SAME, staticData, new Answer());
	if (typeof admitted === 'string') throw new Error(admitted);
	void memory.pending.handOver(admitted);
	await clock.advance(1_000);
	expect(staticData.__dataChanged).toBe(isSaved);
});

it('reads the credential once a minute, also while a secret cannot be opened', async () => {
	const { memory, clock, register } = new Endpoint(false);
	register('');
	memory.record = {
		...memory.record,
		endpoint: { ...memory.record.endpoint!, secret: 'c2VhbGVk' },
	};
	const getCredentials = jest.fn().mockResolvedValue({ apiKey: 'key' });
	const context = { getCredentials } as unknown as IHookFunctions;
	for (const ms of [0, 0, 59_999, 1, 0]) {
		await clock.advance(ms);
		await memory.readSealKeys(context);
	}
	expect(memory.secrets(true)).toEqual([]);
	expect(getCredentials).toHaveBeenCalledTimes(2);
});

it('puts into static data what n8n has answered, also before it has looked for answers', () => {
	const endpoint = new Endpoint();
	endpoint.arrive(ID).answer.send(200);
	const staticData: IDataObject = {};
	endpoint.memory.save(staticData);
	expect(staticData.seen).toBe(ID);
});

describe('the record of an endpoint', () => {
	it('is empty at first, holds no secret, and is not saved', () => {
		const { memory } = new Endpoint(false);
		expect(memory.record).toMatchObject({ address: PLACE.address, workflowId: 'w1', revision: 0 });
		expect(memory.secrets(true)).toEqual([]);
		expect(memory.serialize()).toEqual({ seen: '' });
		expect(memory.refused).toEqual({ sinceMs: 0, count: 0 });
	});

	it('is the newer one of the known and the saved record', () => {
		const secretsOf = [1, 2, 3].map((revision) => {
			const [here, elsewhere] = [new Endpoint(false), new Endpoint(false)];
			here.register('known', 2);
			elsewhere.register('saved', revision);
			const staticData: IDataObject = {};
			elsewhere.memory.save(staticData);
			here.memory.merge(staticData);
			return here.memory.secrets(true).join();
		});
		expect(secretsOf).toEqual(['known', 'saved', 'saved']);
	});
});

describe('the memories of this process', () => {
	const clock = new FakeClock();
	const at = (address: string, id: string | null = 'w1', ofNode: IDataObject = {}) => {
		const context = {
			getWorkflow: () => (id === null ? {} : { id }),
			getWorkflowStaticData: (type: string) => (type === 'node' ? ofNode : {}),
		} as unknown as IHookFunctions;
		return openMemory(context, address, clock);
	};
	const isKnown = (address: string) => existingMemory(address, 'w1') !== undefined;

	it('exist once per address and workflow, until they are forgotten', () => {
		const production = at('a');
		expect(at('a', 'w2')).not.toBe(production);
		expect(at('test a')).not.toBe(production);
		expect(at('a')).toBe(production);
		forgetAddress('a');
		expect(['a', 'test a'].map(isKnown)).toEqual([false, true]);
	});

	it('of a workflow without an ID have one of no letters', () => {
		expect(at('unsaved', null).scope.workflowId).toBe('');
	});

	it('add what the static data of the node tells', () => {
		const ofNode = { record: { address: 'told', workflowId: 'w1', revision: 7 } };
		expect(at('told', 'w1', ofNode).record.revision).toBe(7);
	});

	it('are 10,000 at most; the least recently used one is forgotten first', () => {
		for (let i = 0; i < 10_001; i++) at(`many ${i}`);
		expect(['many 0', 'many 1', 'many 10000'].map(isKnown)).toEqual([false, true, true]);
	});
});

import type { IDataObject, IHookFunctions } from 'n8n-workflow';

import {
	EndpointMemory,
	existingMemory,
	forgetAddress,
	openMemory,
} from '../../../../nodes/CommercePlatformTrigger/memory/endpointMemory';
import { changed } from '../../../../nodes/CommercePlatformTrigger/memory/endpointRecord';
import { FakeClock } from '../../fakeClock';
import { Endpoint, loaded, PENDING_MS, PLACE, RETENTION_MS } from './endpoint';

const [BODY, ID, OTHER] = ['bodyAAAA', 'id_AAAAA', 'otherBBB'];

type Told = 'new' | 'repeat' | 'busy';

/** What becomes of a delivery that is told from others by all its fingerprints, or by some. */
function admitted({ memory }: Endpoint, fingerprints: string[], recognisedBy = fingerprints): Told {
	const told = memory.admit({ fingerprints, recognisedBy }, loaded());
	return typeof told === 'string' ? told : 'new';
}

/** What n8n saves now of what a request has loaded. */
const savedBy = ({ staticData }: { staticData: IDataObject }) =>
	JSON.parse(JSON.stringify(staticData)) as IDataObject;

describe('a delivery', () => {
	it.each<[string, number, string[], string[], Told]>([
		['again after a 2xx', 200, [BODY, ID], [BODY, ID], 'repeat'],
		['with its id alone', 200, [OTHER, ID], [OTHER, ID], 'repeat'],
		['with its body alone', 200, [BODY, OTHER], [BODY, OTHER], 'repeat'],
		['with its body, where ids alone tell', 200, [BODY, OTHER], [OTHER], 'new'],
		['with neither', 200, [OTHER], [OTHER], 'new'],
		['again after a 500', 500, [BODY, ID], [BODY, ID], 'new'],
	])('%s is told from others', (_what, status, fingerprints, recognisedBy, told) => {
		const endpoint = new Endpoint();
		endpoint.arrive([BODY, ID]).answer.send(status);
		expect(admitted(endpoint, fingerprints, recognisedBy)).toBe(told);
	});

	it('is busy while the same delivery is not answered yet, for no longer than 30 seconds', async () => {
		const endpoint = new Endpoint();
		expect(admitted(endpoint, [BODY, ID])).toBe('new');
		await endpoint.clock.advance(PENDING_MS - 1);
		expect(admitted(endpoint, [BODY, ID])).toBe('busy');
		expect(admitted(endpoint, [BODY, OTHER])).toBe('busy');
		await endpoint.clock.advance(1);
		expect(admitted(endpoint, [BODY, ID])).toBe('new');
		expect(admitted(endpoint, [BODY, OTHER], [OTHER])).toBe('new');
	});
});

describe('a delivery that is saved before it is answered', () => {
	it.each([
		['new again when its sender hung up, whatever was saved of it', true, 'new'],
		['a repeat when its sender heard the answer', false, 'repeat'],
	])('is %s', async (_what, hungUp, told) => {
		const endpoint = new Endpoint();
		const { memory, clock } = endpoint;
		const one = endpoint.arrive(ID);
		const saved = savedBy(one);
		expect(JSON.stringify(saved)).toContain(ID);
		memory.merge(saved);
		expect(admitted(endpoint, [ID])).toBe('busy');
		if (hungUp) one.answer.hangUp();
		one.answer.send(200);
		await clock.advance(0);
		memory.merge(saved);
		expect(JSON.stringify(memory.serialize()).includes(ID)).toBe(!hungUp);
		expect(admitted(endpoint, [ID])).toBe(told);
	});

	it('is a repeat in another process that loads what was saved', () => {
		const one = new Endpoint().arrive(ID);
		// Changed before webhook() returns, for n8n before 2.8.
		expect(Object.keys(one.staticData)).toEqual(['record', 'seen']);
		const other = new Endpoint(false);
		other.memory.merge(savedBy(one));
		expect(admitted(other, [ID])).toBe('repeat');
	});

	it('is in every save until it is given up', async () => {
		const { memory, clock, arrive } = new Endpoint();
		savedBy(arrive(ID));
		expect(JSON.stringify(memory.serialize())).toContain(ID);
		await clock.advance(PENDING_MS);
		expect(JSON.stringify(memory.serialize())).not.toContain(ID);
	});
});

describe('the record of an endpoint', () => {
	it('is empty at first, holds no secret, and is not saved', () => {
		const { memory } = new Endpoint(false);
		expect(memory.record).toMatchObject({ address: PLACE.address, workflowId: 'w1', revision: 0 });
		expect(memory.secrets(true)).toEqual([]);
		expect(memory.serialize()).toEqual({ seen: {} });
	});

	it('holds a secret that can be opened here', () => {
		const { memory, clock, register } = new Endpoint(false);
		register('secret');
		expect(memory.secrets(true)).toEqual(['secret']);
		const foreign = new EndpointMemory({ ...PLACE, instanceId: 'other' }, clock, RETENTION_MS);
		foreign.record = memory.record;
		expect(foreign.secrets(true)).toEqual([]);
	});

	it('is the newer one of what is known and what is saved', () => {
		const secretsOf = [1, 2, 3].map((revision) => {
			const [here, elsewhere] = [new Endpoint(false), new Endpoint(false)];
			here.register('known', 2);
			elsewhere.register('saved', revision);
			here.memory.merge(elsewhere.memory.serialize());
			return here.memory.secrets(true).join();
		});
		expect(secretsOf).toEqual(['known', 'saved', 'saved']);
	});

	it('is the newer one in another process, too, which knew a record of more changes', () => {
		const [processor, main] = [new Endpoint(false), new Endpoint(false)];
		processor.register('old', processor.clock.now() - 1);
		main.register('new', 0);
		const staticData: IDataObject = {};
		main.memory.keep(changed(main.memory.record, main.clock.now(), {}), staticData);
		processor.memory.merge(staticData);
		expect(processor.memory.secrets(false)).toEqual(['new']);
	});
});

describe('the memories of this process', () => {
	const clock = new FakeClock();
	const at = (address: string, workflowId = 'w1') => {
		const context = {
			getWorkflow: () => ({ id: workflowId }),
			getInstanceId: () => PLACE.instanceId,
			getWorkflowStaticData: () => ({}),
		} as unknown as IHookFunctions;
		return openMemory(context, address, RETENTION_MS, clock);
	};
	const isKnown = (address: string) => existingMemory(address, 'w1') !== undefined;

	it('are one for each address and workflow, until they are to be forgotten', () => {
		const production = at('a');
		expect(at('a', 'w2')).not.toBe(production);
		expect(at('test a')).not.toBe(production);
		expect(at('a')).toBe(production);
		forgetAddress('a');
		expect(['a', 'test a'].map(isKnown)).toEqual([false, true]);
	});

	it('are forgotten when they were not used for longer than deliveries are remembered', async () => {
		at('unused');
		await clock.advance(1);
		at('used');
		await clock.advance(RETENTION_MS);
		at('used');
		expect(['unused', 'used'].map(isKnown)).toEqual([false, true]);
	});

	it('are 500 at most, and the one that was used longest ago is forgotten first', () => {
		for (let i = 0; i < 501; i++) at(`many ${i}`);
		expect(['many 0', 'many 1', 'many 500'].map(isKnown)).toEqual([false, true, true]);
	});
});

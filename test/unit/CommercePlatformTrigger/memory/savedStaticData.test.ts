import { createHash } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';

import { EndpointMemory } from '../../../../nodes/CommercePlatformTrigger/memory/endpointMemory';
import { fingerprintOf } from '../../../../nodes/CommercePlatformTrigger/memory/seenDeliveries';
import { FakeClock } from '../../fakeClock';
import { RETENTION_MS } from './endpoint';
import sample from './samples/staticData.json';

/** What a workflow of version 0.1.0 holds: it must be read by every later version. */
const staticData = sample.staticData as unknown as IDataObject;

const MADE_MS = Date.parse(sample.madeAt);

function memory(change: Partial<typeof sample.place> = {}, nowMs = MADE_MS): EndpointMemory {
	const place = { ...sample.place, ...change };
	const opened = new EndpointMemory(place, new FakeClock(nowMs), RETENTION_MS);
	opened.merge(staticData);
	return opened;
}

const sha = (text: string) => fingerprintOf(createHash('sha256').update(text).digest());

/** A delivery as it is told from others. */
const delivery = (name: string) => {
	const fingerprints = [sha(`body ${name}`), sha(`id:del_${name}`)];
	return { fingerprints, recognisedBy: fingerprints };
};

describe('static data that version 0.1.0 has saved', () => {
	it('names the endpoint, its events, and the endpoint that could not be removed', () => {
		expect(memory().record).toMatchObject({
			revision: 5,
			endpoint: { id: 'wh_2', status: 'enabled', events: ['order.created', 'order.paid'] },
			stranded: [{ id: 'wh_0', address: 'https://n8n.example/webhook/old/webhook' }],
		});
	});

	it('opens the secrets of the endpoint and of the one before it', () => {
		expect(memory().secrets(true)).toEqual([
			'secret of the second endpoint',
			'secret of the first endpoint',
		]);
		expect(memory().secrets(false)).toEqual(['secret of the second endpoint']);
		expect(memory({}, MADE_MS + RETENTION_MS).secrets(true)).toHaveLength(1);
	});

	it.each(['one', 'two', 'three', 'four'])('knows that delivery “%s” was seen', (name) => {
		expect(memory().admit(delivery(name), {})).toBe('repeat');
	});

	it('knows a delivery without an id by its body', () => {
		const fingerprints = [sha('body without id')];
		expect(memory().admit({ fingerprints, recognisedBy: fingerprints }, {})).toBe('repeat');
	});

	it('takes a delivery that it does not hold for new', () => {
		expect(memory().admit(delivery('five'), {})).toEqual(
			expect.objectContaining({ saving: 'not yet' }),
		);
	});

	it('is of no use at another address, in another workflow or in another n8n', () => {
		expect(memory({ address: 'https://n8n.example/webhook/2/webhook' }).secrets(true)).toEqual([]);
		expect(memory({ workflowId: 'w2' }).secrets(true)).toEqual([]);
		expect(memory({ instanceId: 'another' }).secrets(true)).toEqual([]);
	});

	it('does not make a copy of the workflow refuse deliveries of its own', () => {
		expect(memory({ workflowId: 'w2' }).admit(delivery('one'), {})).toEqual(
			expect.objectContaining({ saving: 'not yet' }),
		);
	});

	it('is saved again with everything it holds', () => {
		expect(memory().serialize()).toEqual(staticData);
	});
});

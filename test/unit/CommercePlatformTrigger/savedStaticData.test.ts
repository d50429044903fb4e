import { createHash } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';

import { EndpointMemory } from '../../../nodes/CommercePlatformTrigger/memory';
import { fingerprintOf } from '../../../nodes/CommercePlatformTrigger/verifyDelivery';
import { Answer } from '../../../lab/simulate/context';
import { FakeClock } from '../fakeClock';
import { RETENTION_MS } from './onePlace';
import sample from './samples/staticData.json';

/** Static data as the first release saves it; every later version must be able to read it. */
const staticData = sample.staticData as unknown as IDataObject;

const MADE_MS = Date.parse(sample.madeAt);

function memory(change: Partial<typeof sample.place> = {}, nowMs = MADE_MS): EndpointMemory {
	const place = { ...sample.place, ...change };
	const opened = new EndpointMemory(place, new FakeClock(nowMs));
	opened.seals.useKeys(['drawn', 'api key']);
	opened.merge(staticData);
	return opened;
}

const sha = (text: string) => fingerprintOf(createHash('sha256').update(text).digest());

/** The fingerprints of a delivery. */
const delivery = (name: string) => [sha(`body ${name}`), sha(`id:del_${name}`)];

const told = (one: EndpointMemory, fingerprints: string[]) => {
	const admitted = one.admit({ fingerprints, recognisedBy: fingerprints }, {}, new Answer());
	return typeof admitted === 'string' ? admitted : 'new';
};

describe('static data of the first release', () => {
	const [FIRST, SECOND] = ['secret of the first endpoint', 'secret of the second endpoint'];

	it('names the endpoint', () => {
		expect(memory().record).toMatchObject({
			revision: 5,
			endpoint: { id: 'wh_2', status: 'enabled', events: ['order.created', 'order.paid'] },
		});
	});

	it('opens no secret without the credential', () => {
		const elsewhere = new EndpointMemory(sample.place, new FakeClock(MADE_MS));
		elsewhere.merge(staticData);
		expect(elsewhere.secrets(true)).toEqual([]);
	});

	it('opens the secrets of the endpoint and of the one before it', () => {
		expect(memory().secrets(true)).toEqual([SECOND, FIRST]);
		expect(memory().secrets(false)).toEqual([SECOND]);
		expect(memory({}, MADE_MS + RETENTION_MS).secrets(true)).toHaveLength(1);
	});

	it('knows the seen deliveries by body and ID, also one without an ID, and no others', () => {
		const seen = ['one', 'two', 'three', 'four'].map(delivery);
		for (const fingerprints of [...seen, [sha('body without id')]])
			for (const one of fingerprints) expect(told(memory(), [one])).toBe('repeat');
		expect(told(memory(), delivery('five'))).toBe('new');
	});

	it.each([{ address: 'https://n8n.example/webhook/2/webhook' }, { workflowId: 'w2' }])(
		'opens no secret in another place: %j',
		(place) => {
			expect(memory(place).secrets(true)).toEqual([]);
		},
	);
});

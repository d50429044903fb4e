import { EndpointMemory } from '../../../../nodes/CommercePlatformTrigger/memory/endpointMemory';
import {
	emptyRecord,
	changed,
	Seal,
	strandedIn,
	trustedRecord,
	withoutEndpoint,
	withStranded,
	type EndpointRecord,
} from '../../../../nodes/CommercePlatformTrigger/memory/endpointRecord';

const RETENTION_MS = 27 * 3_600_000;
const NOW_MS = Date.UTC(2026, 10, 21);
const ADDRESS = 'https://n8n.example/webhook/11/webhook';
const place = { instanceId: 'instance', workflowId: 'w1', address: ADDRESS };
const seal = new Seal(place);

const held = (secret: string, revision = 1): EndpointRecord => ({
	...emptyRecord(place),
	revision,
	endpoint: { id: `wh_${secret}`, secret: seal.seal(secret), events: [], status: null },
});

describe('trust', () => {
	it('is given to a record of this address and workflow', () => {
		const stored: unknown = JSON.parse(JSON.stringify(held('a')));
		expect(trustedRecord(stored, place)).toEqual(stored);
	});

	it('is given to what knows nothing yet', () => {
		expect(emptyRecord(place)).toEqual({
			address: ADDRESS,
			workflowId: 'w1',
			revision: 0,
			test: false,
			endpoint: null,
			previous: [],
			stranded: [],
		});
		expect(trustedRecord({}, place)).toEqual(emptyRecord(place));
	});

	it('is not given to inherited state: another address, another workflow, no record', () => {
		expect(trustedRecord(held('a'), { ...place, address: `${ADDRESS}2` })).toBeUndefined();
		expect(trustedRecord(held('a'), { ...place, workflowId: 'w2' })).toBeUndefined();
		for (const stored of [
			undefined,
			null,
			'x',
			7,
			{ ...held('a'), revision: 'x' },
			{ ...held('a'), previous: null },
			{ ...held('a'), stranded: {} },
			{ ...held('a'), endpoint: { id: 'wh_a' } },
		]) {
			expect(trustedRecord(stored, place)).toBeUndefined();
		}
	});
});

describe('the revision of a record', () => {
	it('grows with every change', () => {
		expect(changed(held('a', NOW_MS + 7), NOW_MS, {}).revision).toBe(NOW_MS + 8);
	});

	it('is never below the clock, so that a record that began anew counts before older ones', () => {
		const old = withoutEndpoint(held('a', 4), NOW_MS, RETENTION_MS);
		expect(old).toMatchObject({ revision: NOW_MS, endpoint: null });
		const anew = changed(emptyRecord(place), NOW_MS + 1, { test: true });
		expect(anew).toMatchObject({ revision: NOW_MS + 1, test: true });
	});
});

describe('secrets', () => {
	const secrets = (record: EndpointRecord, atMs: number, acceptPrevious = true, at = place) => {
		const clock = { now: () => atMs, sleep: async () => await Promise.resolve() };
		const memory = new EndpointMemory(at, clock, RETENTION_MS);
		memory.record = record;
		return memory.secrets(acceptPrevious);
	};

	it('of a replaced endpoint are accepted for 27 hours, and tried after the current one', () => {
		const replaced = {
			...withoutEndpoint(held('old'), NOW_MS, RETENTION_MS),
			endpoint: held('new').endpoint,
		};
		expect(secrets(replaced, NOW_MS)).toEqual(['new', 'old']);
		expect(secrets(replaced, NOW_MS + RETENTION_MS - 1)).toEqual(['new', 'old']);
		expect(secrets(replaced, NOW_MS + RETENTION_MS)).toEqual(['new']);
	});

	it('of a replaced endpoint are refused at once if the user says so', () => {
		const replaced = withoutEndpoint(held('old'), NOW_MS, RETENTION_MS);
		expect(secrets(replaced, NOW_MS, false)).toEqual([]);
		expect(withoutEndpoint(replaced, NOW_MS, 0).previous).toEqual([]);
	});

	it('of a replaced endpoint are accepted for as long as the user says', () => {
		const replaced = withoutEndpoint(held('old'), NOW_MS, 5);
		expect(secrets(replaced, NOW_MS + 4)).toEqual(['old']);
		expect(secrets(replaced, NOW_MS + 5)).toEqual([]);
	});

	it('are kept for the latest eight endpoints', () => {
		let record = held('0');
		for (let i = 1; i <= 20; i++) {
			const { endpoint } = held(String(i));
			record = { ...withoutEndpoint(record, NOW_MS + i, RETENTION_MS), endpoint };
		}
		expect(secrets(record, NOW_MS + 30)).toEqual([
			'20',
			'19',
			'18',
			'17',
			'16',
			'15',
			'14',
			'13',
			'12',
		]);
	});

	it('of endpoints that were never there, or said nothing, do not count', () => {
		const empty = emptyRecord(place);
		expect(withoutEndpoint(empty, NOW_MS, RETENTION_MS).previous).toEqual([]);
		expect(secrets(empty, NOW_MS)).toEqual([]);
		expect(secrets(held(''), NOW_MS)).toEqual([]);
	});

	it('that are not accepted any more are forgotten at the next end of an endpoint', () => {
		const previous = [NOW_MS - 1, NOW_MS, NOW_MS + 1].map((untilMs) => ({ secret: 's', untilMs }));
		const ended = withoutEndpoint({ ...held('a'), previous }, NOW_MS, RETENTION_MS);
		expect(ended.previous.map(({ untilMs }) => untilMs)).toEqual([
			NOW_MS + RETENTION_MS,
			NOW_MS + 1,
		]);
	});

	it('that cannot be unsealed do not count', () => {
		expect(secrets(held('a'), NOW_MS, true, { ...place, instanceId: 'other' })).toEqual([]);
	});

	it('stand in no record in plain text', () => {
		expect(
			JSON.stringify(withoutEndpoint(held('plain-secret'), NOW_MS, RETENTION_MS)),
		).not.toContain('plain');
	});
});

describe('stranded endpoints', () => {
	const one = { id: 'wh_1', address: ADDRESS };

	it('are remembered once each, twenty at most', () => {
		expect(withStranded(withStranded(held('a'), [one]), [one]).stranded).toEqual([one]);
		const many = Array.from({ length: 30 }, (_, i) => ({ id: `wh_${i}`, address: ADDRESS }));
		expect(withStranded(held('a'), many).stranded).toHaveLength(20);
		expect(withStranded(held('a'), many).stranded.at(-1)).toEqual({
			id: 'wh_29',
			address: ADDRESS,
		});
	});

	it('are read from static data of whatever shape', () => {
		expect(
			strandedIn({
				stranded: [one, null, 7, { ...one, id: 7 }, { id: 'wh_2' }, { ...one, more: 1 }],
			}),
		).toEqual([one, one]);
		for (const stored of [undefined, null, 7, {}, { stranded: 'x' }])
			expect(strandedIn(stored)).toEqual([]);
	});
});

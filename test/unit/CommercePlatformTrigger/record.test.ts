import crypto from 'node:crypto';

import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { EndpointMemory, type EndpointRecord } from '../../../nodes/CommercePlatformTrigger/memory';
import { FakeClock } from '../fakeClock';
import { PLACE as place, RETENTION_MS } from './onePlace';

const NOW_MS = Date.UTC(2026, 10, 21);
const { address: ADDRESS } = place;

/** @param keys of the credential: the key that was drawn, and the API key */
const sealsAt = (at: typeof place, ...keys: unknown[]) => {
	const { seals } = new EndpointMemory(at, new FakeClock());
	seals.useKeys(keys);
	return seals;
};

const seal = sealsAt(place, 'key of the credential');

const memoryAt = (atMs = NOW_MS, change: Partial<typeof place> = {}) => {
	const memory = new EndpointMemory({ ...place, ...change }, new FakeClock(atMs));
	memory.seals.useKeys(['key of the credential']);
	return memory;
};

const EMPTY = memoryAt().record;

/** The record after a change of it at this time. */
const after = (record: EndpointRecord, atMs: number, change: (memory: EndpointMemory) => void) => {
	const memory = memoryAt(atMs);
	memory.record = record;
	change(memory);
	return memory.record;
};

const changed = (record: EndpointRecord, atMs: number, change: Partial<EndpointRecord>) =>
	after(record, atMs, (memory) => memory.change(change, {}));

const withoutEndpoint = (record: EndpointRecord, atMs: number, keepsSecret = true) =>
	after(record, atMs, (memory) => memory.endEndpoint(keepsSecret, {}));

const held = (secret: string, revision = 1): EndpointRecord => ({
	...EMPTY,
	revision,
	endpoint: { id: `wh_${secret}`, secret: seal.seal(secret), events: [], status: null },
});

describe('a sealed text', () => {
	const sealsWith = (...keys: unknown[]) => sealsAt(place, ...keys);

	it('can be read at its place with its key, and is never the same twice', () => {
		fc.assert(
			fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), (text) => {
				const seals = sealsWith('drawn', 'api key');
				const sealed = seals.seal(text);
				expect(seals.unseal(sealed)).toBe(text);
				expect(sealsWith('drawn', 'another').unseal(sealed)).toBe(text);
				expect(seals.seal(text)).not.toBe(sealed);
			}),
		);
	});

	it('cannot be read without the credential, although an export tells all the rest', () => {
		const sealed = sealsWith('', 'api key').seal('secret');
		for (const keys of [[], ['', ''], ['drawn', 'another'], [undefined, 7]])
			expect(sealsWith(...keys).unseal(sealed)).toBeUndefined();
		expect(sealsWith('drawn', 'api key').unseal(sealed)).toBe('secret');
		const elsewhere = sealsAt({ ...place, workflowId: 'w2' }, 'api key');
		expect(elsewhere.unseal(sealed)).toBeUndefined();
	});

	it('cannot be read once it was changed or shortened, nor can any other text', () => {
		for (const text of ['', 'secret']) {
			const sealed = Buffer.from(seal.seal(text), 'base64');
			const isOpened = (bytes: Buffer) => seal.unseal(bytes.toString('base64')) !== undefined;
			for (let bit = 0; bit < sealed.length * 8; bit++) {
				const changed = Buffer.from(sealed);
				changed[bit >> 3] ^= 1 << (bit & 7);
				expect(isOpened(changed)).toBe(false);
			}
			for (let length = 0; length < sealed.length; length++)
				expect(isOpened(sealed.subarray(0, length))).toBe(false);
		}
		fc.assert(fc.property(fc.string(), (text) => seal.unseal(text) === undefined));
	});

	it('is opened once', () => {
		const createDecipheriv = jest.spyOn(crypto, 'createDecipheriv');
		const sealed = sealsWith('drawn').seal('secret');
		const seals = sealsWith('drawn');
		expect([1, 2, 3].map(() => seals.unseal(sealed))).toEqual(['secret', 'secret', 'secret']);
		expect(createDecipheriv).toHaveBeenCalledTimes(1);
		createDecipheriv.mockRestore();
	});

	it('is renewed once another key seals, and stays open to who has opened it', () => {
		const seals = sealsWith('', 'first');
		const sealed = seals.seal('secret');
		expect(seals.renewed(sealed)).toBe(sealed);
		seals.useKeys(['', 'second']);
		const renewed = seals.renewed(sealed);
		expect([renewed === sealed, seals.renewed(sealed) === renewed]).toEqual([false, true]);
		expect([sealed, renewed].map((text) => seals.unseal(text))).toEqual(['secret', 'secret']);
		expect(sealsWith('second').unseal(renewed)).toBe('secret');
		expect(sealsWith('second').unseal(sealed)).toBeUndefined();
		expect(seals.renewed('not sealed')).toBe('not sealed');
	});
});

describe('trust', () => {
	const recordFrom = (stored: unknown, change: Partial<typeof place> = {}) => {
		const memory = memoryAt(NOW_MS, change);
		memory.merge({ record: stored as IDataObject });
		return memory.record;
	};

	it('is given to a record of this address and workflow, and to an empty one', () => {
		const stored: unknown = JSON.parse(JSON.stringify(held('a')));
		expect(recordFrom(stored)).toEqual(stored);
		expect(recordFrom({})).toEqual(EMPTY);
	});

	it('is given to a record whose fields are not all there: they are those of an address without an endpoint', () => {
		expect(recordFrom({ revision: 3 })).toEqual({
			address: ADDRESS,
			workflowId: place.workflowId,
			revision: 3,
			test: false,
			endpoint: null,
			previous: [],
		});
	});

	it.each<[string, unknown, object?]>([
		['another address', held('a'), { address: `${ADDRESS}2` }],
		['another workflow', held('a'), { workflowId: 'w2' }],
		...[undefined, null, 'x', 7].map((stored): [string, unknown] => [`not ${stored}`, stored]),
		['a revision that is none', { ...held('a'), revision: 'x' }],
		['no list of former secrets', { ...held('a'), previous: null }],
		['an endpoint without its secret', { ...held('a'), endpoint: { id: 'wh_a' } }],
	])('is not given to inherited state: %s', (...[, stored, change]) => {
		expect(recordFrom(stored, change)).toEqual({ ...EMPTY, ...change });
	});
});

describe('the revision of a record', () => {
	it('grows with every change, and is never below the clock, so a new record is newer', () => {
		expect(changed(held('a', NOW_MS + 7), NOW_MS, {}).revision).toBe(NOW_MS + 8);
		const old = withoutEndpoint(held('a', 4), NOW_MS);
		expect(old).toMatchObject({ revision: NOW_MS, endpoint: null });
		const anew = changed(EMPTY, NOW_MS + 1, { test: true });
		expect(anew).toMatchObject({ revision: NOW_MS + 1, test: true });
	});
});

describe('secrets', () => {
	const secrets = (record: EndpointRecord, atMs: number, acceptPrevious = true) => {
		const memory = memoryAt(atMs);
		memory.record = record;
		return memory.secrets(acceptPrevious);
	};

	const ended = withoutEndpoint(held('old'), NOW_MS);
	const replaced = { ...ended, endpoint: held('new').endpoint };

	it.each<[string, EndpointRecord, number, string[], boolean?]>([
		['are tried after the current one', replaced, 0, ['new', 'old']],
		['are accepted for 27 hours', replaced, RETENTION_MS - 1, ['new', 'old']],
		['are refused then', replaced, RETENTION_MS, ['new']],
		['are refused at once if the user says so', ended, 0, [], false],
		['are refused at once if the user said so', withoutEndpoint(held('old'), NOW_MS, false), 0, []],
		['are accepted where no other follows', ended, RETENTION_MS - 1, ['old']],
		['do not count where there was none', withoutEndpoint(EMPTY, NOW_MS), 0, []],
		['do not count where they say nothing', held(''), 0, []],
	])('of a replaced endpoint %s', (...[, record, afterMs, expected, acceptPrevious]) => {
		expect(secrets(record, NOW_MS + afterMs, acceptPrevious)).toEqual(expected);
	});

	it('are kept for the latest eight endpoints', () => {
		let record = held('0');
		for (let i = 1; i <= 20; i++) {
			const { endpoint } = held(String(i));
			record = { ...withoutEndpoint(record, NOW_MS + i), endpoint };
		}
		expect(secrets(record, NOW_MS + 30).join()).toBe('20,19,18,17,16,15,14,13,12');
	});

	it('are not kept once the user wants replaced ones to be refused, nor where there was none', () => {
		const previous = [{ secret: 's', untilMs: NOW_MS + 1 }];
		expect(withoutEndpoint({ ...held('a'), previous }, NOW_MS, false).previous).toEqual([]);
		expect(withoutEndpoint(EMPTY, NOW_MS).previous).toEqual([]);
	});

	it('that are no longer accepted are forgotten at the next end of an endpoint', () => {
		const previous = [NOW_MS - 1, NOW_MS, NOW_MS + 1].map((untilMs) => ({ secret: 's', untilMs }));
		const last = withoutEndpoint({ ...held('a'), previous }, NOW_MS).previous;
		expect(last.map(({ untilMs }) => untilMs - NOW_MS)).toEqual([RETENTION_MS, 1]);
	});
});

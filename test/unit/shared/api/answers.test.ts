import { Readable } from 'node:stream';

import fc from 'fast-check';

import {
	AnswerStalledError,
	AnswerTooLargeError,
	readText,
} from '../../../../nodes/shared/api/answerBody';
import {
	findErrorCode,
	findErrorMessage,
	findRequestId,
} from '../../../../nodes/shared/api/errorBody';
import { idempotencyKeyOf, type WriteIdentity } from '../../../../nodes/shared/api/idempotencyKey';
import { readPage } from '../../../../nodes/shared/api/page';
import { Watchdog } from '../../../../nodes/shared/api/watchdog';
import { FakeClock } from '../../fakeClock';

describe('readText', () => {
	const limits = { maxBytes: 1_000, timeoutMs: 10_000 };

	it('joins chunks also where they cut a character', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.string({ unit: 'grapheme', maxLength: 200 }),
				fc.integer({ min: 1, max: 7 }),
				async (text, size) => {
					const bytes = Buffer.from(text);
					fc.pre(bytes.length <= limits.maxBytes);
					const chunks = [];
					for (let at = 0; at < bytes.length; at += size)
						chunks.push(bytes.subarray(at, at + size));
					expect(
						await readText(
							Readable.from(chunks, { objectMode: true }),
							limits,
							new Watchdog(new FakeClock()),
						),
					).toBe(text);
				},
			),
			{ numRuns: 50 },
		);
	});

	it('stops reading what is too large', async () => {
		let given = 0;
		const endless = new Readable({
			read() {
				given += 100;
				this.push(Buffer.alloc(100));
			},
		});
		await expect(readText(endless, limits, new Watchdog(new FakeClock()))).rejects.toThrow(
			AnswerTooLargeError,
		);
		expect(endless.destroyed).toBe(true);
		expect(given).toBeLessThan(100_000);
	});

	it('gives up on an answer that stops half way', async () => {
		const clock = new FakeClock();
		const stuck = new Readable({ read() {} });
		stuck.push('{"data":');
		const reading = expect(readText(stuck, limits, new Watchdog(clock))).rejects.toThrow(
			AnswerStalledError,
		);
		await clock.advance(11_001);
		await reading;
		expect(stuck.destroyed).toBe(true);
	});

	it('fails when the connection ends before the answer does', async () => {
		const broken = new Readable({ read() {} });
		broken.push('{"da');
		setImmediate(() => broken.destroy());
		await expect(readText(broken, limits, new Watchdog(new FakeClock()))).rejects.toThrow(
			'ended before',
		);
	});
});

describe('error bodies', () => {
	it.each([
		[{ request_id: 'req_1' }],
		[{ error: { code: 'X', request_id: 'req_1' } }],
		[{ errors: [{ meta: { requestId: 'req_1' } }] }],
	])('finds the request id in %j', (body) => {
		expect(findRequestId(body, {})).toBe('req_1');
	});

	it('finds the request id in the headers where the body has none', () => {
		expect(findRequestId({}, { 'x-request-id': 'req_2' })).toBe('req_2');
		expect(findRequestId('<html>', { 'x-shop-request-id': 'req_3' })).toBe('req_3');
		expect(findRequestId(undefined, {})).toBeUndefined();
	});

	it('finds code and message wherever they are, the outermost first', () => {
		expect(findErrorCode({ error: { code: 'CONFLICT' } })).toBe('CONFLICT');
		expect(findErrorMessage({ message: 'outer', error: { message: 'inner' } })).toBe('outer');
		expect(findErrorMessage({ error: 'plain' })).toBe('plain');
		expect(findErrorMessage({ error: { message: 'x'.repeat(9_999) } })).toHaveLength(501);
	});

	it('survives any JSON', () => {
		fc.assert(
			fc.property(fc.jsonValue({ maxDepth: 8 }), (body) => {
				for (const find of [findErrorCode, findErrorMessage])
					expect(['string', 'undefined']).toContain(typeof find(body));
			}),
		);
	});
});

describe('readPage', () => {
	it('reads data and pagination', () => {
		expect(
			readPage({ data: [{ id: 1 }], pagination: { limit: 1, next_cursor: 'c', has_more: true } }),
		).toMatchObject({
			records: [{ id: 1 }],
			nextCursor: 'c',
			hasMore: true,
		});
	});

	it('takes a list without pagination as its only page', () => {
		expect(readPage({ data: [] })).toEqual({
			records: [],
			pagination: undefined,
			nextCursor: undefined,
			hasMore: false,
		});
		expect(readPage([{ id: 1 }])).toMatchObject({ hasMore: false });
	});

	it.each([
		[undefined],
		['<html>'],
		[{}],
		[{ data: {} }],
		[{ data: [1] }],
		[{ data: [null] }],
		[{ data: [], pagination: { has_more: true } }],
		[{ data: [], pagination: { has_more: true, next_cursor: null } }],
		[{ data: [], pagination: { has_more: true, next_cursor: '' } }],
		[{ data: [], pagination: { has_more: true, next_cursor: 5 } }],
	])('says why %j is no page', (body) => {
		expect(typeof readPage(body)).toBe('string');
	});

	it('survives any JSON', () => {
		fc.assert(fc.property(fc.jsonValue(), (body) => expect(readPage(body)).toBeDefined()));
	});
});

describe('idempotencyKeyOf', () => {
	const identity: WriteIdentity = {
		workflowId: 'w',
		nodeId: 'n',
		executionId: 'e',
		runIndex: 0,
		itemIndex: 0,
		operation: 'order.cancel',
	};

	it('is the same for the same write, and printable', () => {
		expect(idempotencyKeyOf({ ...identity })).toBe(idempotencyKeyOf(identity));
		expect(idempotencyKeyOf(identity)).toMatch(/^[\w-]{43}$/);
	});

	it('differs in every part', () => {
		const parts = fc.record({
			workflowId: fc.string(),
			nodeId: fc.string(),
			executionId: fc.string(),
			runIndex: fc.nat(5),
			itemIndex: fc.nat(5),
			operation: fc.string(),
			step: fc.string(),
		});
		fc.assert(
			fc.property(parts, parts, (a, b) => {
				const same = JSON.stringify(Object.values(a)) === JSON.stringify(Object.values(b));
				expect(idempotencyKeyOf(a) === idempotencyKeyOf(b)).toBe(same);
			}),
		);
	});
});

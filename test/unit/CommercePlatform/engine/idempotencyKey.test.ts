import { createHash } from 'node:crypto';

import fc from 'fast-check';

import {
	idempotencyKeyOf,
	requestDigest,
	type WriteIdentity,
	type WrittenRequest,
} from '../../../../nodes/CommercePlatform/run/keys';

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

	it.each<Partial<WriteIdentity>>([
		{ workflowId: 'x' },
		{ nodeId: 'x' },
		{ executionId: 'x' },
		{ runIndex: 1 },
		{ itemIndex: 1 },
		{ operation: 'x' },
		{ step: 'x' },
	])('is another for %j', (change) => {
		expect(idempotencyKeyOf({ ...identity, ...change })).not.toBe(idempotencyKeyOf(identity));
	});

	it('is the same without a step and with an empty one', () => {
		expect(idempotencyKeyOf({ ...identity, step: '' })).toBe(idempotencyKeyOf(identity));
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

	const refund: WrittenRequest = {
		method: 'POST',
		path: '/orders/{orderId}/refunds',
		pathParams: { orderId: 'ord_1', other: 'x' },
		body: { amount: 100, currency: 'EUR' },
	};

	it('is the same for the same request', () => {
		const again = { ...refund, pathParams: { other: 'x', orderId: 'ord_1' }, query: { a: 1 } };
		expect(idempotencyKeyOf(identity, again)).toBe(idempotencyKeyOf(identity, refund));
		expect(requestDigest(again)).toBe(requestDigest(refund));
	});

	it.each<[string, Partial<WrittenRequest>]>([
		['method', { method: 'PATCH' }],
		['path', { path: '/orders/{orderId}/cancel' }],
		['record', { pathParams: { orderId: 'ord_2', other: 'x' } }],
		['body', { body: { amount: 101, currency: 'EUR' } }],
		['missing body', { body: undefined }],
	])('is another for another %s, although execution ids repeat', (_part, change) => {
		const other = { ...refund, ...change };
		expect(idempotencyKeyOf(identity, other)).not.toBe(idempotencyKeyOf(identity, refund));
		expect(requestDigest(other)).not.toBe(requestDigest(refund));
		expect(requestDigest(other)).toMatch(/^[\w-]{43}$/);
	});

	it('covers a request in one written form, so that every process makes the same key', () => {
		const sha256 = (text: string) => createHash('sha256').update(text).digest('base64url');
		const written = sha256('["DELETE","/a/{x}/{b}",[["b","2"],["x","1"]],null]');
		const deleted: WrittenRequest = {
			method: 'DELETE',
			path: '/a/{x}/{b}',
			pathParams: { x: '1', b: '2' },
		};
		expect(requestDigest(deleted)).toBe(written);
		expect(idempotencyKeyOf(identity, deleted)).toBe(
			sha256(`["w","n","e",0,0,"order.cancel","","${written}"]`),
		);
		expect(idempotencyKeyOf(identity)).toBe(sha256('["w","n","e",0,0,"order.cancel","",""]'));
	});
});

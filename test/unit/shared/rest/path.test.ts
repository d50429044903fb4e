import fc from 'fast-check';

import {
	checkHeaderValue,
	checkQueryLength,
	checkSendable,
	expandPath,
	placeholders,
	type PlatformRequest,
} from '../../../../nodes/shared/rest/request';
import { InputError } from '../../../../nodes/shared/rest/errors';
import { anyText } from '../../../support/anyText';

it('a query is refused by its field’s name if no web address can contain it', () => {
	expect(() => checkQueryLength('Filters', 'x'.repeat(15_000))).not.toThrow();
	expect(() => checkQueryLength('Filters', 'x'.repeat(15_001))).toThrow(
		"'Filters' is too long for a web address, which holds 15000 characters",
	);
});

describe('expandPath', () => {
	it('fills a path with each value in its place, as often as it occurs', () => {
		const fill = (x: unknown, y: unknown) => expandPath('/a/{x}/{y}', { x, y } as never);
		expect([fill('1', 17), fill('a/b', '?')]).toEqual(['/a/1/17', '/a/a%2Fb/%3F']);
	});

	const CONTROL = 'contains control characters';
	const NO_UNICODE = 'is not valid Unicode text';

	it.each<[string | undefined, unknown[]]>([
		[undefined, [5, 'a\u00a0b', '\u00a1', '~', 'x'.repeat(512)]],
		['is empty', ['', '   ']],
		['is not an id', [' .. ', '.']],
		[CONTROL, ['a\r\nb', '\u007f', '\u009f', '\u001f']],
		['must be text, e.g. an id', [undefined, {}, Number.NaN]],
		[NO_UNICODE, ['\ud800', '\udc00']],
		['is longer than 512 characters, so it cannot be an id', ['x'.repeat(513)]],
	])('says by its field’s name that an id %s: %j', (problem, ids) => {
		for (const orderId of ids) {
			const expand = () => expandPath('/orders/{orderId}', { orderId }, { orderId: 'Order' });
			if (problem !== undefined) expect(expand).toThrow(new InputError('Order', problem));
			else expect(expand()).toBe(`/orders/${encodeURIComponent(String(orderId))}`);
		}
	});

	it('says what to do about a value that cannot be sent', () => {
		const description = 'Nothing was sent. Check the value, or the expression that makes it.';
		const expected = expect.objectContaining({ field: 'orderId', description }) as Error;
		expect(() => expandPath('/orders/{orderId}')).toThrow(expected);
	});

	it('keeps host and path whatever the id is, or refuses it', () => {
		fc.assert(
			fc.property(fc.oneof(anyText, hostile), (id) => {
				let path: string;
				try {
					path = expandPath('/orders/{id}/cancel', { id });
				} catch (error) {
					expect(error).toBeInstanceOf(InputError);
					return;
				}
				const url = new URL(`https://api.shop.example/v1${path}`);
				expect(url.origin).toBe('https://api.shop.example');
				const segments = url.pathname.split('/');
				expect(segments).toHaveLength(5);
				expect([segments[1], segments[2], segments[4]]).toEqual(['v1', 'orders', 'cancel']);
				expect(decodeURIComponent(segments[3])).toBe(id.trim());
				expect(url.search + url.hash).toBe('');
			}),
			{ numRuns: 2_000 },
		);
	});
});

const PARTS = '.. . / \\ ? # %2e %2f %00 @ : // é \u202e \ud83d\ude00'.split(' ');
const hostile = fc
	.array(fc.constantFrom(...PARTS, ' '), { maxLength: 12 })
	.map((parts) => parts.join(''));

it('lists placeholders in order', () => {
	expect(placeholders('/a/{one}/b/{two}')).toEqual(['one', 'two']);
	expect(placeholders('/a/{one}/b')).toEqual(['one']);
});

describe('checkSendable', () => {
	const GET: PlatformRequest = { method: 'GET', path: '/orders/{id}', pathParams: { id: 'o' } };
	const POST: PlatformRequest = { method: 'POST', path: '/orders' };

	it.each<[PlatformRequest, string]>([
		[{ ...GET, pathParams: { id: '' } }, "'id' is empty"],
		[{ ...GET, query: { q: '\ud800' } }, "'q' is not valid Unicode text"],
		[{ ...GET, query: { q: 'x'.repeat(14_999) } }, "'Query' is too long for a web address"],
		[{ ...POST, idempotencyKey: 'x'.repeat(256) }, "'Idempotency-Key' is longer than 255"],
		[{ ...POST, idempotencyKey: ' ' }, "'Idempotency-Key' is empty"],
		[{ ...GET, headers: { 'If-Match': 'a\r\nX-Evil: 1' } }, "'If-Match' may hold printable"],
		[{ ...GET, headers: { 'If-Match': '\u007f' } }, "'If-Match' may hold printable ASCII"],
		[{ ...POST, body: { total: { amount: Number.NaN } } }, "'total.amount' is NaN"],
		[{ ...POST, body: { list: [undefined] } }, "'list[0]' is undefined"],
	])('refuses what cannot be sent, by the name of its field: %#', (request, message) => {
		expect(() => checkSendable(request)).toThrow(InputError);
		expect(() => checkSendable(request)).toThrow(message);
	});

	it('takes a header of at most 255 characters, and only text', () => {
		const longest = 'a'.repeat(255);
		expect(checkHeaderValue('Key', longest)).toBe(longest);
		expect(() => checkHeaderValue('Key', `${longest}a`)).toThrow(
			"'Key' is longer than 255 characters",
		);
		expect(() => checkHeaderValue('Key', 5)).toThrow("'Key' is empty");
	});
});

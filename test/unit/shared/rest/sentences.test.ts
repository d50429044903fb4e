import type { INode } from 'n8n-workflow';

import { outcomeOf } from '../../../../nodes/shared/rest/request';
import { readCredential } from '../../../../nodes/shared/rest/credential';
import { mayHaveApplied } from '../../../../nodes/shared/rest/retry';
import { PlatformError } from '../../../../nodes/shared/rest/errors';
import { toNodeError } from '../../../../nodes/shared/rest/nodeErrors';
import { SERVICE } from '../../../../nodes/shared/shop/service';

const node = { name: 'Shop', type: 'x', parameters: {} } as unknown as INode;
const STATUSES = Array.from({ length: 400 }, (_, n) => 200 + n);

/** Bodies of answers: from the platform, from something before it, and from an unknown sender. */
const BODIES = {
	'the platform': ['application/json', '{"error":{"code":"X","message":"No"}}'],
	'a web page': ['text/html', '<html><title>Log in</title></html>'],
	'a web page without a type': ['', '<!doctype html><p>Blocked'],
	'no body': ['', ''],
	'a text': ['text/plain', 'Forbidden'],
} as const;

/** The errors of all answers. */
function* errors() {
	for (const [who, [type, text]] of Object.entries(BODIES))
		for (const method of ['GET', 'POST', 'DELETE'] as const)
			for (const status of STATUSES) {
				const path = '/orders/{orderId}/cancel';
				const outcome = outcomeOf(
					{ status, headers: { 'content-type': type }, text },
					{ method, url: 'https://api.shop.example/v1/orders/ord_1/cancel' },
					{
						...SERVICE,
						...readCredential({
							baseUrl: 'https://api.shop.example/v1',
							apiKey: 'cpk_test_0123456789',
						}),
						nowMs: 0,
					},
				);
				if (outcome.problem === undefined) continue;
				const isUnclear = method !== 'GET' && mayHaveApplied(outcome);
				const request = {
					method,
					path,
					pathParams: { orderId: 'ord_1' },
					host: 'api.shop.example',
					scope: 'orders.write',
				};
				const details = { ...outcome.details, mayBeApplied: isUnclear || undefined };
				const error = new PlatformError(outcome.problem, request, details);
				const { message, description } = toNodeError(node, error, { noun: 'order' });
				yield { who, method, status, isUnclear, text: `${message}. ${description ?? ''}` };
			}
}

const all = [...errors()];
/** The answers whose error contains a sentence, by who answered. */
const where = (sentence: RegExp) => all.filter(({ text }) => sentence.test(text));

describe('over all outcomes, a sentence appears only if it is known to be true', () => {
	it('looks at every kind of answer', () => {
		expect(all.length).toBeGreaterThan(4_000);
		expect(new Set(all.map(({ who }) => who)).size).toBe(Object.keys(BODIES).length);
	});

	it('“needs the scope”: the platform itself has answered 403', () => {
		const told = where(/needs the scope/);
		expect(told.length).toBeGreaterThan(0);
		for (const { who, status } of told) expect([who, status]).toEqual(['the platform', 403]);
	});

	it('“key was not accepted”: 401, and no web page', () => {
		const told = where(/key was not accepted/i);
		expect(told.length).toBeGreaterThan(0);
		for (const { who, status } of told) {
			expect(status).toBe(401);
			expect(who).not.toContain('web page');
		}
	});

	it('“check the Base URL”: the address has redirected elsewhere', () => {
		const told = where(/check the Base URL/i);
		expect(told.length).toBeGreaterThan(0);
		for (const { status } of told) expect(Math.floor(status / 100)).toBe(3);
	});

	it('“may have done it”: a write whose end is not known', () => {
		expect(where(/may have done it/)).toEqual(all.filter(({ isUnclear }) => isUnclear));
		const certain = all.filter(({ status }) => status >= 400 && status < 500 && status !== 408);
		expect(certain.some(({ isUnclear }) => isUnclear)).toBe(false);
	});
});

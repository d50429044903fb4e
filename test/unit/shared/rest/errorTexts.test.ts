import type { INode, NodeApiError } from 'n8n-workflow';

import { errorDetails, toNodeError } from '../../../../nodes/shared/rest/nodeErrors';
import {
	InputError,
	PlatformError,
	type Problem,
	type ProblemDetails,
} from '../../../../nodes/shared/rest/errors';
import { type ErrorContext, PROBLEMS } from '../../../../nodes/shared/rest/texts';
import { SERVICE } from '../../../../nodes/shared/shop/service';

const request = {
	method: 'POST' as const,
	path: '/orders/{orderId}/cancel',
	pathParams: { orderId: 'ord_1' },
	host: 'api.shop.example',
};
const node = { id: '1', name: 'Shop', type: 'x', typeVersion: 1, position: [0, 0], parameters: {} };

const errorText = (error: PlatformError, context: ErrorContext) => {
	const { message, description } = toNodeError(node as unknown as INode, error, context);
	return { message, description: description ?? '' };
};
const textOf = (problem: Problem, details: ProblemDetails = {}) =>
	errorText(new PlatformError(problem, { ...request, ...SERVICE.about(request) }, details), {
		noun: 'order',
	});

describe('errorText', () => {
	it('warns before a write is sent again that may have been applied', () => {
		const warning =
			/may have done it all the same: look at the order “ord_1” before you send it again\./;
		expect(textOf('timeout', { mayBeApplied: true }).description).toMatch(warning);
		expect(textOf('timeout').description).not.toMatch(warning);
	});

	it.each([
		[
			{ platformMessage: 'I am a teapot', code: 'TEAPOT', requestId: 'req_1', hint: 'A hint.' },
			'A hint. The platform says: “I am a teapot” (TEAPOT). Request ID: req_1.',
		],
		[{ code: 'TEAPOT' }, 'The platform says: “TEAPOT”.'],
		[{ code: 'TEAPOT', platformMessage: 'TEAPOT' }, 'The platform says: “TEAPOT”.'],
	])('puts the platform’s message after the remedy: %j', (details, said) => {
		const { description } = textOf('refused', { status: 418, ...details });
		expect(description).toBe(`Check the values of this node. ${said}`);
	});

	it.each([
		[{ platformMessage: 'The key lacks a right' }, 'it probably needs the scope orders.write'],
		[{ platformMessage: 'fulfillments.write is missing' }, 'it needs the scope fulfillments.write'],
		[{ platformMessage: 'orders.read is not orders.write' }, 'it needs the scope orders.write'],
		[{ platformMessage: 'Not aa.read, not bb.read' }, 'it probably needs the scope orders.write'],
	])('guesses a scope only if the platform names none: %j', (details, expected) => {
		const { message } = textOf('refused', { status: 403, ...details });
		expect(message).toBe(`The API key is not allowed to do this: ${expected}`);
	});

	it.each([
		[404, 'There is no SKU NO-SUCH-1'],
		[409, 'Not in this state'],
		[422, 'not enough stock for SKU MUG-1'],
	])('begins with the record and the platform’s own reason: %d %s', (status, said) => {
		const write = { method: 'PUT' as const, path: '/inventory/levels', host: 'h' };
		const details = { status, code: 'X', platformMessage: said };
		const sent = { ...write, body: { sku: 'NO-SUCH-1', location_id: 'sloc_main', quantity: 1 } };
		const text = errorText(
			new PlatformError('refused', { ...sent, ...SERVICE.about(sent) }, details),
			{ noun: 'stock level' },
		);
		expect(text.message).toBe(`Stock level with the sku “NO-SUCH-1”: ${said} (HTTP ${status})`);
		expect(`${text.message} ${text.description}`.split(said)).toHaveLength(2);
	});

	it.each([
		[8_000, 'in 8 s (16:45 UTC)'],
		[119_001, 'in 120 s (16:45 UTC)'],
		[120_000, 'in 2 min (16:45 UTC)'],
		[5 * 3_600_000, 'in 5 h (16:45 UTC)'],
		[86_400_000, 'in 24 h (2026-02-03 16:45 UTC)'],
		[50 * 86_400_000, 'in 50 days (2026-02-03 16:45 UTC)'],
	])('says when it can continue after %d ms', (retryAfterMs, expected) => {
		const resumeAtMs = Date.parse('2026-02-03T16:45:00Z');
		for (const problem of ['budget-spent', 'budget-kept'] as const)
			expect(textOf(problem, { retryAfterMs, resumeAtMs }).description).toContain(
				`It can go on ${expected}.`,
			);
	});

	it.each([
		['Europe/Berlin', '17:45 Europe/Berlin'],
		['no zone at all', '16:45 UTC'],
	])('says the time by the clock of the workflow: %s', (timezone, time) => {
		const resumeAtMs = Date.parse('2026-02-03T16:45:00Z');
		const details = { retryAfterMs: 8_000, resumeAtMs };
		const request = { method: 'GET' as const, path: '/orders', host: 'h' };
		const error = new PlatformError(
			'budget-spent',
			{ ...request, ...SERVICE.about(request) },
			details,
		);
		expect(errorText(error, { noun: 'order', timezone }).description).toContain(`(${time})`);
	});

	it('leaves nothing of the table open, and ends every sentence', () => {
		const statuses = [400, 401, 403, 404, 405, 409, 412, 413, 418, 422, 500, 501];
		const problems = Object.keys(PROBLEMS) as Problem[];
		const texts = [
			...problems.map((problem) => textOf(problem, { hint: 'A hint.', status: 400 })),
			...statuses.flatMap((status) =>
				[undefined, 'CONFLICT', 'INVALID_PARAMETER'].map((code) =>
					textOf('refused', {
						status,
						code,
						requestId: code && 'req_1',
						platformMessage: code && 'no',
					}),
				),
			),
		];
		for (const { message, description } of texts) {
			expect(`${message}${description}`).not.toMatch(/[{}]|undefined/);
			expect(description).toMatch(/\.$/);
			expect(message).not.toMatch(/\.$/);
		}
	});

	it('says a hint once', () => {
		expect(textOf('bad-page', { hint: 'The list is odd.' }).description).toBe('The list is odd.');
	});
});

describe('an endpoint in development', () => {
	const refusedWith = (details: ProblemDetails, inDevelopment?: string) =>
		errorText(new PlatformError('refused', { ...request, ...SERVICE.about(request) }, details), {
			noun: 'webhook',
			inDevelopment,
		});
	const NOT_RELEASED = 'This endpoint is not released for this account';
	const MAYBE = 'it may also not be released for this account yet. Use Recreate.';

	it.each<[ProblemDetails, string, string | undefined]>([
		[{ status: 403 }, NOT_RELEASED, 'Use Recreate.'],
		[{ status: 404, platformMessage: 'no such route' }, NOT_RELEASED, 'Use Recreate.'],
		[{ status: 405, code: 'METHOD_NOT_ALLOWED' }, NOT_RELEASED, 'Use Recreate.'],
		[{ status: 410, platformMessage: 'gone' }, NOT_RELEASED, 'Use Recreate.'],
		[{ status: 501 }, NOT_RELEASED, 'Use Recreate.'],
		[{ status: 503, code: 'IN_DEVELOPMENT' }, NOT_RELEASED, 'Use Recreate.'],
		[{ status: 400, code: 'INVALID_PARAMETER' }, 'The platform refused a parameter', MAYBE],
		[{ status: 400 }, 'The platform refused the request (HTTP 400)', MAYBE],
		[{ status: 409 }, 'The platform reports a conflict with the current data', MAYBE],
		[{ status: 422, code: 'EMPTY' }, 'The platform refused the request (HTTP 422)', MAYBE],
		[{ status: 409, code: 'CONFLICT' }, 'The webhook was changed in the meantime', undefined],
		[{ status: 500 }, 'The platform had a fault (HTTP 500)', undefined],
		[{ status: 401 }, 'The API key was not accepted', undefined],
	])('is or may be what %j is about, and hides no other refusal: %s', (details, ...expected) => {
		const [message, meanwhile] = expected;
		const text = refusedWith(details, 'Use Recreate.');
		expect(text.message).toBe(message);
		expect(text.description).toContain(meanwhile ?? '');
		expect(text.description.includes('Use Recreate.')).toBe(meanwhile !== undefined);
		expect(text.description.includes(MAYBE)).toBe(meanwhile === MAYBE);
		expect(refusedWith(details).description).not.toContain(MAYBE);
	});

	it('says a reason once: the platform’s words, and what to do; only a conflict is explained', () => {
		const told = (status: number, code: string) =>
			refusedWith({ status, code, platformMessage: 'No such thing' }).description;
		expect(told(400, 'INVALID_PARAMETER')).toBe(
			'Check the values of this node. The platform says: “INVALID_PARAMETER”.',
		);
		expect(told(409, 'CONFLICT')).toMatch(/^The webhook was changed in the meantime\. /);
	});

	it('does not appear for other endpoints', () => {
		expect(refusedWith({ status: 400 }).message).toBe(
			'The platform refused the request (HTTP 400)',
		);
		expect(refusedWith({ status: 501 }).message).toBe(NOT_RELEASED);
	});
});

describe('n8n’s errors', () => {
	it.each<[ProblemDetails, string | undefined]>([
		[{ status: 500 }, 'temporarily-unavailable'],
		[{ status: 503 }, 'temporarily-unavailable'],
		[{ status: 503, code: 'IN_DEVELOPMENT' }, undefined],
		[{ status: 501 }, undefined],
		[{ status: 401 }, 'credential-invalid'],
		[{ status: 404 }, undefined],
	])('tell n8n whether to back off after %j: %s', (details, cause) => {
		const refused = new PlatformError(
			'refused',
			{ ...request, ...SERVICE.about(request) },
			details,
		);
		const error = toNodeError(node as unknown as INode, refused);
		expect((error as NodeApiError).failure?.cause).toBe(cause);
	});

	it('name the field of a wrong input and what to do', () => {
		const refused = new InputError('Limit', 'must be a whole number', 'It is “x”.');
		const error = toNodeError(node as unknown as INode, refused, undefined, 3);
		const [message, description] = ["'Limit' must be a whole number", 'It is “x”.'];
		expect(error).toMatchObject({ message, description, context: { itemIndex: 3 } });
		expect(errorDetails(error, refused)).toEqual({ code: 'invalidInput', description });
	});
});

import type { INode } from 'n8n-workflow';

import type { PlatformRequest } from '../../../../nodes/shared/rest/request';
import { NETWORK_ERRORS, networkErrorOf, unanswered } from '../../../../nodes/shared/rest/network';
import { toNodeError } from '../../../../nodes/shared/rest/nodeErrors';
import { GET, scriptedClient } from './scriptedClient';

const node = { name: 'Shop', type: 'x', parameters: {} } as unknown as INode;
const WRITE: PlatformRequest = { ...GET, method: 'PATCH', body: { merchant_note: 'x' } };
const URL = 'https://api.shop.example/v1/orders';

/** The error that Node.js makes for a code. */
const errorOf = (code: string | undefined): Error => {
	const [word, syscall = undefined] = (code ?? '').split(' ').reverse();
	return Object.assign(new Error(), { code: word || undefined, syscall });
};

/** Sends a request that meets the same error in every attempt. */
async function failing(error: Error, request: PlatformRequest) {
	const { after, clock, sent } = await scriptedClient(Array<Error>(8).fill(error));
	clock.randoms = Array<number>(99).fill(0.99);
	const outcome = await after(130_000, request);
	const { message, description } = toNodeError(node, outcome.error, { noun: 'order' });
	return { ...outcome, message, text: description ?? '', attempts: sent.length };
}

/** One code of each row of the table, and of the codes that only begin like it. */
const rows = [
	...[
		'ENOTFOUND',
		'ECONNREFUSED',
		'connect ETIMEDOUT',
		'EAI_AGAIN',
		'ERR_SSL_WRONG_VERSION_NUMBER',
	],
	...['CERT_HAS_EXPIRED', 'SELF_SIGNED_CERT_IN_CHAIN', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
	...['DEPTH_ZERO_SELF_SIGNED_CERT', 'ERR_TLS_CERT_ALTNAME_INVALID', 'ECONNRESET', undefined],
].map((code) => [code, networkErrorOf(code)] as const);

describe.each([
	['read', GET],
	['write', WRITE],
] as const)('a %s without an answer', (kind, request) => {
	it.each(rows)('because of %s follows the table', async (code, row) => {
		const { error, message, text, attempts } = await failing(errorOf(code), request);
		expect(error?.problem).toBe('unreachable');
		expect(attempts).toBe(row.isRetried ? 8 : 1);
		const times = attempts > 1 ? ` after ${attempts} attempts` : '';
		expect(message).toBe(`The platform at api.shop.example could not be reached${times}`);
		expect(text).toContain(`Reason: ${row.reason}`);
		expect(text).toContain(row.remedy);
		if (code !== undefined) expect(text).toContain(`${code} at api.shop.example:443`);
		const mayBeDone = kind === 'write' && row.canHaveArrived;
		expect(text.includes('may have done it')).toBe(mayBeDone);
		if (mayBeDone) expect(text).toContain('look at the order “ord_1” before you send it again');
	});
});

it('an unknown code is shown', async () => {
	expect(NETWORK_ERRORS).not.toContain(networkErrorOf('EXXX'));
	expect(networkErrorOf('EXXX')).toBe(networkErrorOf());
	const { text } = await failing(errorOf('EXXX'), GET);
	expect(text).toContain('the connection failed (EXXX at api.shop.example:443)');
});

describe('what an error tells', () => {
	const deep = (fields: object) =>
		new Error('outer', { cause: Object.assign(new Error(), fields) });
	const outcome = (fields: object) => unanswered(deep(fields), { url: URL });

	it.each([
		['connect ETIMEDOUT', { code: 'ETIMEDOUT', syscall: 'connect' }],
		['connect ETIMEDOUT', { code: 'ETIMEDOUT', errors: [{ syscall: 'connect' }] }],
		[
			'ECONNRESET',
			{
				code: 'ECONNRESET',
				message: 'Client network socket disconnected before secure TLS connection was established',
			},
		],
		[
			'ERR_SSL_WRONG_VERSION_NUMBER',
			{
				code: 'EPROTO',
				syscall: 'write',
				message:
					'write EPROTO 40:error:0A00010B:SSL routines:tls_validate_record_header:wrong version number:x.c:77:\n',
			},
		],
		[undefined, { message: 'Proxy connection ended before receiving CONNECT response' }],
	])('%s: nothing was sent', (networkCode, fields) => {
		const { problem, details } = outcome(fields);
		expect({ problem, ...details }).toMatchObject({
			problem: 'unreachable',
			networkCode,
			neverSent: true,
		});
	});

	it.each([
		{ code: 'ECONNRESET' },
		{ code: 'EHOSTUNREACH', syscall: 'read' },
		{ code: 'ETIMEDOUT' },
		{},
	])('%j: the request can have arrived', (fields) =>
		expect(outcome(fields).details.neverSent).toBeUndefined(),
	);

	const refused = { code: 'ECONNREFUSED', syscall: 'connect' };

	it.each<[object, string]>([
		[{ ...refused, address: '10.0.0.1', port: 443 }, '10.0.0.1:443'],
		[{ ...refused, address: '10.0.0.1', port: 3128 }, '10.0.0.1:3128'],
		[{ code: 'ENOTFOUND', syscall: 'getaddrinfo', hostname: 'proxy.corp' }, 'proxy.corp'],
		[{ code: 'ECONNRESET' }, 'api.shop.example:443'],
	])('%j: the server is %s', (fields, server) =>
		expect(outcome(fields).details.server).toBe(server),
	);

	it('n8n’s own refusals keep n8n’s words, and are not repeated', async () => {
		const refusal = Object.assign(new Error('The request was blocked'), {
			description: 'Ask your n8n administrator.',
			[Symbol.for('n8n.backend-network.non-retryable-error')]: true,
		});
		const { error, message, text, attempts } = await failing(
			new Error('x', { cause: refusal }),
			WRITE,
		);
		expect(error?.problem).toBe('refused-by-n8n');
		expect(attempts).toBe(1);
		expect(message).toBe('The request was blocked');
		expect(text).toMatch(/^Ask your n8n administrator\. .*nothing was sent/);
		expect(text).not.toContain('may have done it');
	});
});

import type { INode } from 'n8n-workflow';

import { NETWORK_ERRORS, networkErrorOf, unanswered } from '../../../../nodes/shared/rest/network';
import { toNodeError } from '../../../../nodes/shared/rest/nodeErrors';
import { scriptedClient } from './scriptedClient';

const node = { name: 'Shop', type: 'x', parameters: {} } as unknown as INode;
const URL = 'https://api.shop.example/v1/orders';

it('an unknown code is shown', async () => {
	expect(NETWORK_ERRORS).not.toContain(networkErrorOf('EXXX'));
	expect(networkErrorOf('EXXX')).toBe(networkErrorOf());
	const failure = Object.assign(new Error(), { code: 'EXXX' });
	const { request } = await scriptedClient([failure], { maxAttempts: 1 });
	const { description } = toNodeError(node, (await request()).error, { noun: 'order' });
	expect(description).toContain('the connection failed (EXXX at api.shop.example:443)');
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
});

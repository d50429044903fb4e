import { randomUUID } from 'node:crypto';
import { json } from 'node:stream/consumers';

import type { INode } from 'n8n-workflow';

import { sign } from '../../../platform/support/delivery';
import type { TestEnvironment } from '../../../test/support/environment/testEnvironment';
import type { Sending } from '../../../test/support/load';
import { loopbackServer } from '../../../platform/support/loopbackServer';
import { chain, using } from '../../../test/support/n8n/workflows';

/** The request that registers a webhook at GitHub, as far as the bench needs it. */
interface Hook {
	config: { url: string; secret: string };
}

/**
 * Publishes `GitHub Trigger → last`, with a local server instead of GitHub. n8n's own trigger has a credential and a
 * secret, and verifies a signature over the raw body. It checks no time and accepts repeats.
 *
 * @returns makes a genuine, signed delivery of a payload
 */
export async function publishGithubTrigger(
	{ client }: TestEnvironment,
	last: Partial<INode>,
): Promise<(payload: object) => Sending> {
	let hook: Hook | undefined;
	const github = await loopbackServer(async (request, response) => {
		hook = (await json(request)) as Hook;
		response.writeHead(201, { 'content-type': 'application/json' });
		response.end(JSON.stringify({ id: 1, active: true, events: ['push'] }));
	});
	await publish(client, `http://${github.address}`, last);
	await github.close();
	const { url, secret } = hook!.config;
	return (payload) => {
		const body = JSON.stringify(payload);
		const headers = {
			'content-type': 'application/json',
			'x-github-event': 'push',
			'x-github-delivery': randomUUID(),
			'x-hub-signature-256': `sha256=${sign(body, secret)}`,
		};
		return { url, body, headers };
	};
}

async function publish(
	client: TestEnvironment['client'],
	server: string,
	last: Partial<INode>,
): Promise<void> {
	const data = { server, user: 'bench', accessToken: randomUUID() };
	const credential = await client.createCredential('GitHub', 'githubApi', data);
	const byName = (value: string) => ({ __rl: true, mode: 'name', value });
	const trigger = {
		name: 'GitHub Trigger',
		type: 'n8n-nodes-base.githubTrigger',
		typeVersion: 1,
		webhookId: randomUUID(),
		credentials: using(credential),
		parameters: {
			owner: byName('bench'),
			repository: byName('shop'),
			events: ['push'],
			options: {},
		},
	};
	const { id } = await client.createWorkflow(chain('GitHub', credential, [trigger, last]));
	await client.activate(id);
}

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';

import { EndpointMemory } from '../../../nodes/CommercePlatformTrigger/memory';
import { systemClock } from '../../../nodes/shared/rest/clock';
import { signedDelivery } from '../../../platform/support/delivery';
import { publishTrigger, type PublishedTrigger } from '../../support/environment/publishedTrigger';
import { sendOne } from '../../support/load';
import { environmentOfSuite } from '../environment';
import { Editor } from './editor';

const PERMISSIONS = ['workflow:list', 'workflow:read', 'credential:list'];

/** All texts in a JSON value, its names included. */
function textsIn(value: unknown): string[] {
	if (typeof value === 'string') return [value];
	if (typeof value !== 'object' || value === null) return [];
	return [...Object.keys(value), ...Object.values(value).flatMap(textsIn)];
}

describe('what leaves n8n of a published trigger', () => {
	const shop = environmentOfSuite();
	let editor: Editor;
	let published: PublishedTrigger;
	/** By their names. */
	let secrets: Record<string, string>;
	/** The workflow as each way of exporting gives it. */
	const exports: Record<string, string> = {};

	before(async () => {
		published = await publishTrigger(shop);
		assert.ok((await sendOne(signedDelivery(published.genuine))).executed);
		await shop.client.finishedExecutions(published.workflow.id, 1);
		editor = await Editor.open(shop);
		secrets = {
			'API key': shop.platform.apiKey,
			'signing secret': published.genuine.secret,
			'sealing secret': await sealingSecret(),
		};
	});
	after(async () => await editor?.close());

	/** What n8n's command line exports, as text. */
	async function exported(...command: string[]): Promise<string> {
		const file = join(shop.n8n.userFolder, `export-${command.join('-').replaceAll(/\W+/g, '-')}`);
		await shop.n8n.run(...command, '--output', file);
		return await readFile(file, 'utf8');
	}

	/** The credential with n8n's encryption key: only its owner has that. */
	async function decrypted() {
		const all = await exported('export:credentials', '--all', '--decrypted');
		const credentials = JSON.parse(all) as Array<{ id: string; data: Record<string, string> }>;
		return credentials.find(({ id }) => id === shop.credential.id)!.data;
	}

	async function sealingSecret(): Promise<string> {
		const { sealingSecret: drawn } = await decrypted();
		assert.match(drawn, /^[\w-]{43}$/);
		return drawn;
	}

	function assertFree(text: string, place: string): void {
		assert.notEqual(text, '', `${place} is empty`);
		for (const [name, value] of Object.entries(secrets))
			assert.ok(!text.includes(value), `the ${name} stands in ${place}`);
	}

	it('by the command line holds no secret', async () => {
		exports.cli = await exported('export:workflow', '--id', published.workflow.id);
		assertFree(exports.cli, 'the export');
		assert.match(exports.cli, /"staticData":\s*\{/);
		assertFree(await exported('export:credentials', '--all'), 'the export of credentials');
	});

	it('by the public API holds no secret', async () => {
		const { rawApiKey } = await shop.client.rest.send<{ rawApiKey: string }>('POST', '/api-keys', {
			label: 'Reader',
			expiresAt: null,
			scopes: PERMISSIONS,
		});
		const read = async (path: string) => {
			const headers = { 'x-n8n-api-key': rawApiKey };
			const answer = await fetch(`${shop.n8n.url}/api/v1${path}`, { headers });
			assert.equal(answer.status, 200);
			return await answer.text();
		};
		exports.api = await read(`/workflows/${published.workflow.id}`);
		assertFree(exports.api, 'the workflow');
		assertFree(await read('/workflows'), 'the list of workflows');
		assertFree(await read('/credentials'), 'the list of credentials');
	});

	it('by the editor’s download holds no secret, but the ID of this n8n', async () => {
		exports.download = await editor.download(published.workflow.id);
		assertFree(exports.download, 'the download');
		assert.match(exports.download, /"instanceId": "\w{64}"/);
	});

	it('to a user who opens the credential holds no secret', async () => {
		const path = `/credentials/${shop.credential.id}?includeData=true`;
		assertFree(JSON.stringify(await shop.client.rest.send<object>('GET', path)), 'the credential');
	});

	it('opens the signing secret with nothing that all exports hold together', async () => {
		const all = Object.values(exports).map((text) => JSON.parse(text) as unknown);
		assert.equal(all.length, 3);
		const texts = [...new Set(all.flatMap(textsIn))];
		assert.ok(texts.some((text) => /^\w{64}$/.test(text)));
		const { url: address } = published.genuine;
		const scope = { workflowId: published.workflow.id, address };
		type OfNode = { record?: { address: string; endpoint: { secret: string } } };
		const [{ staticData }] = [all[0]].flat() as Array<{ staticData: Record<string, OfNode> }>;
		const records = Object.values(staticData).map(({ record }) => record);
		const { secret: sealed } = records.find((record) => record?.address === address)!.endpoint;
		assert.ok(texts.includes(sealed));
		const isOpenedBy = (key: string) => {
			const { seals } = new EndpointMemory(scope, systemClock);
			seals.useKeys([key]);
			return seals.unseal(sealed) === published.genuine.secret;
		};
		for (const key of texts) assert.equal(isOpenedBy(key), false, key);
		assert.equal(isOpenedBy(secrets['sealing secret']), true);
	});

	it('still opens for n8n itself when the API key was replaced and n8n restarted', async () => {
		const { id, name, type } = shop.credential;
		const path = `/credentials/${id}`;
		const { data } = await shop.client.rest.send<{ data: object }>(
			'GET',
			`${path}?includeData=true`,
		);
		// As the dialog does: secrets that were not touched go back as n8n showed them.
		const changed = { id, name, type, data: { ...data, apiKey: 'another-key-of-the-shop' } };
		await shop.client.rest.send('PATCH', path, changed);
		const now = await decrypted();
		assert.deepEqual(
			[now.sealingSecret, now.apiKey],
			[secrets['sealing secret'], 'another-key-of-the-shop'],
		);
		await shop.n8n.restart();
		assert.ok((await sendOne(signedDelivery(published.genuine))).executed);
	});
});

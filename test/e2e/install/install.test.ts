import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';

import { noEndpointLeft } from '../../support/environment/publishedTrigger';
import { packPackage } from '../../support/n8n/community-package';
import { strayed } from '../../support/strayed';
import { Editor } from '../browser/editor';
import { Panel } from '../browser/panel';
import { installPackage } from './communityNodesPage';
import { createCredential } from './credentialDialog';
import { startInstallEnvironment, type InstallEnvironment } from './environment';
import { NodeCreator } from './nodeCreator';
import { collectProblems } from './pageProblems';
import { publish, seeExecution, unpublish } from './publication';
import { SCOPED_NAME, unpackScoped } from './scopedPackage';
import { shootFailure } from './shootFailure';

const DELIVERY_MS = 60_000;
/** More than the default limit of 50. */
const PRODUCTS = 60;

describe('this package, installed from a registry by somebody in a browser', () => {
	let environment: InstallEnvironment;
	let editor: Editor;
	let creator: NodeCreator;
	let panel: Panel;
	let problems: string[];
	let workflowId: string;
	let failed = false;

	before(async () => {
		environment = await startInstallEnvironment({ products: PRODUCTS });
		const tarball = await packPackage();
		await environment.registry.publish(await unpackScoped(tarball, '1.0.0'));
		editor = await Editor.open(environment);
		creator = new NodeCreator(editor);
		panel = new Panel(editor.page);
		problems = await collectProblems(editor.page, environment.n8n.url);
	});
	beforeEach(() => assert.ok(!failed, 'An earlier step failed, on which this one builds.'));
	afterEach(async (test) => {
		failed ||= await shootFailure(editor, test);
	});
	after(async () => {
		await editor?.close();
		await environment?.close();
	});

	const endpoints = async () => await environment.platform.control.endpoints();

	it('installs through Settings → Community nodes', async () => {
		const card = await installPackage(editor, SCOPED_NAME);
		assert.match(card, /nodes:.*Commerce Platform.*Commerce Platform Trigger/s);
	});

	it('is found by what a newcomer types', async () => {
		await creator.openOnNewWorkflow();
		for (const words of ['commerce', 'shop', 'order']) {
			const found = await creator.search(words);
			assert.ok(found.includes('Commerce Platform'), `${words}: ${found.join(', ')}`);
		}
	});

	it('starts a workflow with one of its events, chosen in one click', async () => {
		const offered = await creator.openNode('Commerce Platform');
		assert.ok(offered.includes('On order paid'), offered.join(', '));
		await creator.add('On order paid');
		assert.match(await panel.text('events'), /Order Paid/);
	});

	it('takes its credential, and n8n tests that', async () => {
		const { baseUrl, apiKey } = environment.platform;
		await createCredential(editor, { baseUrl, apiKey });
	});

	it('listens for a test event, which the platform then sends', async () => {
		await panel.listen();
		const [{ url }] = await endpoints();
		assert.match(url, /\/webhook-test\//);
		const { order } = await environment.platform.control.payOrder();
		assert.match(await panel.received(), new RegExp(String(order.id)));
		await noEndpointLeft(environment.platform);
	});

	it('runs an operation that was added behind it', async () => {
		await editor.closeNode();
		await creator.openBehindLastNode();
		await creator.search('commerce');
		await creator.openNode('Commerce Platform');
		await creator.add('Get many products');
		assert.match(await panel.execute(), /50 items/);
		await editor.closeNode();
		workflowId = /\/workflow\/([^/?]+)/.exec(editor.page.url())![1];
	});

	it('publishes the workflow, which registers one endpoint', async () => {
		assert.match(await publish(editor), /endpoint is registered with the platform/);
		const all = await endpoints();
		assert.equal(all.length, 1);
		assert.match(all[0].url, new RegExp(`^${environment.n8n.url}/webhook/`));
	});

	it('shows the execution of a paid order in the list', async () => {
		const earlier = (await environment.client.executions(workflowId)).length;
		await environment.platform.control.payOrder();
		const executions = await environment.client.finishedExecutions(
			workflowId,
			earlier + 1,
			DELIVERY_MS,
		);
		const production = executions.at(-1)!;
		assert.deepEqual([production.mode, production.status], ['webhook', 'success']);
		await seeExecution(editor, production.id);
	});

	it('unpublishes it, which leaves no endpoint behind', async () => {
		await unpublish(editor);
		await noEndpointLeft(environment.platform);
	});

	it('made the browser complain of nothing that is ours', () => {
		assert.deepEqual(problems, []);
	});

	it('strayed from the API document nowhere', async () => {
		assert.deepEqual(await strayed(environment.platform), []);
	});
});

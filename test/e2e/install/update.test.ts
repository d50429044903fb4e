import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';

import { signedDelivery, type Delivery } from '../../../platform/support/delivery';
import { sendOne } from '../../support/load';
import { packPackage } from '../../support/n8n/community-package';
import type { Workflow } from '../../support/n8n/types';
import { NOTE, chain, noOperation, notePaidOrder, shopTrigger } from '../../support/n8n/workflows';
import { Editor } from '../browser/editor';
import { updatePackage } from './communityNodesPage';
import { startInstallEnvironment, type InstallEnvironment } from './environment';
import { collectProblems } from './pageProblems';
import { SCOPED_NAME, scoped, unpackScoped } from './scopedPackage';
import { shootFailure } from './shootFailure';

/** Released tarballs; the file name gives the version. */
const RELEASES = join(__dirname, 'releases');
/** A version newer than any release. */
const PRESENT = '999.0.0';

for (const tarball of globSync('*.tgz', { cwd: RELEASES })) {
	const release = /-(\d+\.\d+\.\d+)\.tgz$/.exec(tarball)![1];

	describe(`running workflows of ${release}, when the package is updated in a browser`, () => {
		let environment: InstallEnvironment;
		let editor: Editor;
		let problems: string[];
		let noting: Workflow;
		let counting: Workflow;
		let endpointsBefore: object[];
		let repeated: Delivery;

		const control = () => environment.platform.control;
		const count = async ({ id }: Workflow) => (await environment.client.executions(id)).length;
		const payAndRead = async (executions: number) => {
			const { order } = await control().payOrder();
			const all = await environment.client.finishedExecutions(noting.id, executions);
			assert.equal(all.at(-1)!.status, 'success');
			return (await control().record('orders', String(order.id)))!;
		};

		before(async () => {
			environment = await startInstallEnvironment();
			const { registry, client, platform } = environment;
			await registry.publish(await unpackScoped(join(RELEASES, tarball), release));
			await client.rest.send('POST', '/community-packages', { name: SCOPED_NAME });
			const credential = await client.createShopCredential('Shop', platform);
			noting = await client.createWorkflow(scoped(notePaidOrder(credential)));
			counting = await client.createWorkflow(
				scoped(
					chain('Count products', credential, [
						shopTrigger('Product Updated', { events: ['product.updated'] }),
						noOperation('Done'),
					]),
				),
			);
			for (const { id } of [noting, counting]) await client.activate(id);
			await payAndRead(1);
			endpointsBefore = await control().endpoints();
			const { id, url } = (await control().endpoints()).find(({ events }) =>
				events.includes('product.updated'),
			)!;
			const secret = await control().endpointSecret(id);
			const payload = { id: 'prod_repeated' };
			repeated = signedDelivery({ url, secret, event: 'product.updated', payload });
			await sendOne(repeated);
			await client.finishedExecutions(counting.id, 1);

			const present = await packPackage();
			await registry.publish(await unpackScoped(present, PRESENT));
			editor = await Editor.open(environment);
			problems = await collectProblems(editor.page, environment.n8n.url);
			await updatePackage(editor, PRESENT);
		});
		afterEach(async (test) => {
			await shootFailure(editor, test);
		});
		after(async () => {
			await editor?.close();
			await environment?.close();
		});

		it('keeps the endpoints on the platform as they were', async () => {
			assert.deepEqual(await control().endpoints(), endpointsBefore);
		});

		it('goes on with the workflows without a touch: trigger, read, write', async () => {
			const order = await payAndRead(2);
			assert.equal(order.merchant_note, NOTE);
		});

		it('still knows a delivery that the former version executed', async () => {
			const { status, executed } = await sendOne(repeated);
			assert.deepEqual({ status, executed }, { status: 200, executed: false });
			assert.equal(await count(counting), 1);
		});

		it('still does all of that after a restart of n8n', async () => {
			await environment.n8n.restart();
			await environment.client.logIn(environment.owner);
			assert.deepEqual(await control().endpoints(), endpointsBefore);
			assert.equal((await payAndRead(3)).merchant_note, NOTE);
			assert.equal((await sendOne(repeated)).executed, false);
			assert.equal(await count(counting), 1);
		});

		it('opens the workflows in the editor without a complaint', async () => {
			await editor.openWorkflow(noting.id);
			await editor.openNode('Note');
			await editor.closeNode();
			assert.deepEqual(problems, []);
		});

		it('takes the endpoints back that the former version registered', async () => {
			for (const { id } of [noting, counting]) await environment.client.deactivate(id);
			assert.deepEqual(await control().endpoints(), []);
		});

		it('publishes the workflows again', async () => {
			await environment.client.activate(noting.id);
			assert.equal((await payAndRead(4)).merchant_note, NOTE);
		});
	});
}

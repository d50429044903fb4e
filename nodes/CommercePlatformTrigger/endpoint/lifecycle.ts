import { NodeOperationError, type IHookFunctions } from 'n8n-workflow';

import { forgetResident, peekResident } from '../memory/resident';
import { readParameters } from '../parameters';
import {
	describeOwner,
	inTheWay,
	isHealthy,
	isSameAddress,
	ownEndpoints,
	strandedAmong,
	testOrphans,
	type ListedEndpoint,
} from './ownership';
import { EndpointsOfAccount } from './platform';
import { checkAddress, checkedEvents } from './preconditions';
import { strandedIn, withoutEndpoint, withStranded, type StrandedEndpoint } from './record';
import { listOrWarn, removeAll, warn } from './removal';
import { keepRecord, sceneAt, type Scene } from './scene';

/**
 * Whether the endpoint is on the platform, alone, enabled, with this address and these events, and its secret
 * is held.
 *
 * @throws NodeApiError where the platform cannot be asked
 */
export async function endpointIsHealthy(context: IHookFunctions): Promise<boolean> {
	const scene = openScene(context);
	const { endpoint } = scene.record;
	if (endpoint === null || scene.seal.unseal(endpoint.secret) === undefined) return false;
	const listed = await new EndpointsOfAccount(context, 'patient').list();
	return isHealthy(scene.record, listed, readParameters(context).selection.events);
}

/**
 * Makes the one endpoint of this address: removes what is in its way, registers, keeps the secret.
 *
 * @throws NodeOperationError where the parameters or n8n's address make it impossible, NodeApiError where the
 *   platform refuses
 */
export async function registerEndpoint(context: IHookFunctions): Promise<void> {
	const scene = openScene(context);
	const events = checkedEvents(context);
	await checkAddress(context, scene.address);
	const account = new EndpointsOfAccount(context, 'patient');
	await clearTheWay(context, scene, account);
	const { id, status, secret } = await createWithSecret(context, scene, account, events);
	const test = context.getMode() === 'manual';
	const sealed = scene.seal.seal(secret);
	const revision = scene.record.revision + 1;
	const endpoint = { id, status, secret: sealed, events };
	keepRecord(scene, { ...scene.record, revision, test, endpoint }, Date.now());
	await removeTwins(context, scene, account, id);
}

/**
 * Removes the endpoint of this address. What cannot be removed is logged and remembered for the next
 * activation; it never stands in the way of a deactivation.
 */
export async function removeEndpoint(context: IHookFunctions): Promise<void> {
	const scene = openScene(context);
	const account = new EndpointsOfAccount(context, 'brief');
	const stranded = await removeAll(context, account, await findOwn(context, scene, account));
	const ended = withoutEndpoint(
		scene.record,
		Date.now(),
		readParameters(context).acceptPreviousSecret,
	);
	keepRecord(scene, withStranded(ended, stranded), Date.now());
	if (scene.record.test) forgetResident(scene.address);
}

function openScene(context: IHookFunctions): Scene {
	return sceneAt(context, context.getNodeWebhookUrl('default') ?? '', Date.now());
}

/** Removes everything at this address, and what earlier deactivations had to leave behind. */
async function clearTheWay(
	context: IHookFunctions,
	scene: Scene,
	account: EndpointsOfAccount,
): Promise<void> {
	const { record, data } = scene;
	const listed = await account.list();
	const blocking = inTheWay(record, listed);
	for (const { id } of blocking) await account.remove(id);
	const inherited = [...record.stranded, ...strandedIn(data.record)];
	const leftBehind = [
		...strandedAmong(inherited, listed),
		...testOrphans(record, listed, isListening),
	].filter((one) => !blocking.includes(one));
	const still = await removeAll(context, account, leftBehind);
	const ended = withoutEndpoint(record, Date.now(), readParameters(context).acceptPreviousSecret);
	const rest = elsewhere(inherited, listed);
	keepRecord(scene, withStranded({ ...ended, stranded: [] }, [...rest, ...still]), Date.now());
}

/** Stranded endpoints that this account does not list: of another account perhaps, so they stay remembered. */
function elsewhere(
	stranded: readonly StrandedEndpoint[],
	listed: readonly ListedEndpoint[],
): StrandedEndpoint[] {
	return stranded.filter((one) => strandedAmong([one], listed).length === 0);
}

function isListening({ id, url }: ListedEndpoint): boolean {
	return peekResident(url)?.record?.endpoint?.id === id;
}

/** The secret comes on creation only: an endpoint without one is of no use and is made anew, once. */
async function createWithSecret(
	context: IHookFunctions,
	scene: Scene,
	account: EndpointsOfAccount,
	events: string[],
): Promise<{ id: string; status: string | null; secret: string }> {
	const { name } = context.getWorkflow();
	const test = context.getMode() === 'manual';
	const description = describeOwner(scene.workflowId, name ?? '', test);
	for (let attempt = 0; attempt < 2; attempt++) {
		const { id, status, secret } = await account.create({
			url: scene.address,
			events,
			description,
		});
		if (id !== '' && secret !== undefined) return { id, status, secret };
		if (id !== '') await account.remove(id);
	}
	throw new NodeOperationError(context.getNode(), 'The platform registered no usable endpoint', {
		description:
			'Its answer held no id or no signing secret, and without a secret no delivery can be verified. Publish again; if it stays so, ask the platform’s support.',
	});
}

/** A creation whose answer was lost may have left a second endpoint at this address. */
async function removeTwins(
	context: IHookFunctions,
	scene: Scene,
	account: EndpointsOfAccount,
	keptId: string,
): Promise<void> {
	const listed = await listOrWarn(context, account);
	const twins = listed.filter(({ id, url }) => id !== keptId && isSameAddress(url, scene.address));
	const still = await removeAll(context, account, twins);
	if (still.length > 0) keepRecord(scene, withStranded(scene.record, still), Date.now());
}

async function findOwn(
	context: IHookFunctions,
	scene: Scene,
	account: EndpointsOfAccount,
): Promise<Array<Pick<ListedEndpoint, 'id' | 'url'>>> {
	const { endpoint, address } = scene.record;
	try {
		return ownEndpoints(scene.record, await account.list());
	} catch (error) {
		warn(context, 'could not list the webhook endpoints of the account', error);
		return endpoint === null ? [] : [{ id: endpoint.id, url: address }];
	}
}

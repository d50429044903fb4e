import { NodeOperationError, type IHookFunctions } from 'n8n-workflow';

import { systemClock, type Clock } from '../../shared/api/clock';
import { keepRecord, openEndpoint, type EndpointContext } from '../memory/endpointContext';
import { existingMemory, forgetAddress } from '../memory/endpointMemories';
import {
	strandedIn,
	withoutEndpoint,
	withStranded,
	type EndpointRecord,
	type StrandedEndpoint,
} from '../memory/endpointRecord';
import { readParameters } from '../parameters';
import { AccountEndpoints, PUBLISHING, UNPUBLISHING } from './accountEndpoints';
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
import { checkAddress, checkedEvents, checkOptions } from './preconditions';
import { listOrWarn, removeAll, warn } from './removal';
import { makeSampleEvent, sendSampleEvent } from './sampleEvent';

/**
 * Whether the endpoint is on the platform, alone at this address, enabled, with these events, and its secret
 * is known.
 *
 * @throws NodeApiError if the platform cannot be asked
 */
export async function endpointIsHealthy(
	context: IHookFunctions,
	clock: Clock = systemClock,
): Promise<boolean> {
	const { memory } = open(context, clock);
	if (!memory.holdsSecret()) return false;
	const listed = await new AccountEndpoints(context, PUBLISHING, clock).list();
	return isHealthy(memory.record, listed, readParameters(context).selection.events);
}

/**
 * Registers the only endpoint of this address: removes what is in its way, creates it, keeps the secret.
 *
 * @throws NodeOperationError if the parameters or n8n's address make it impossible, NodeApiError if the
 *   platform refuses
 */
export async function registerEndpoint(
	context: IHookFunctions,
	clock: Clock = systemClock,
): Promise<void> {
	const endpoint = open(context, clock);
	const { memory } = endpoint;
	const events = checkedEvents(context);
	checkOptions(context);
	await checkAddress(context, endpoint.address);
	const isTest = context.getMode() === 'manual';
	const wantsSample = isTest && readParameters(context).sampleEvent;
	const sample = wantsSample ? await makeSampleEvent(context, events, clock) : undefined;
	const account = new AccountEndpoints(context, PUBLISHING, clock);
	await clearTheWay(context, endpoint, account);
	const { id, status, secret } = await createWithSecret(context, endpoint, account, events);
	keepRecord(endpoint, {
		...memory.record,
		revision: memory.record.revision + 1,
		test: isTest,
		endpoint: { id, status, secret: memory.sealSecret(secret), events },
	});
	await removeDuplicates(context, endpoint, account, id);
	if (sample !== undefined)
		sendSampleEvent(context, { address: endpoint.address, secret }, sample, clock);
}

/**
 * Removes the endpoint of this address. What cannot be removed is logged and remembered for the next
 * activation. It never prevents a deactivation.
 */
export async function removeEndpoint(
	context: IHookFunctions,
	clock: Clock = systemClock,
): Promise<void> {
	const endpoint = open(context, clock);
	const account = new AccountEndpoints(context, UNPUBLISHING, clock);
	const stranded = await removeAll(context, account, await findOwn(context, endpoint, account));
	keepRecord(endpoint, withStranded(withoutCurrent(context, endpoint), stranded));
	if (endpoint.memory.record.test) forgetAddress(endpoint.address);
}

function open(context: IHookFunctions, clock: Clock): EndpointContext {
	const { retentionMs } = readParameters(context);
	return openEndpoint(context, context.getNodeWebhookUrl('default') ?? '', retentionMs, clock);
}

/** The record without its current endpoint, whose secret is kept or not as the user says. */
function withoutCurrent(
	context: IHookFunctions,
	{ memory, clock }: EndpointContext,
): EndpointRecord {
	const { acceptPreviousSecret, retentionMs } = readParameters(context);
	return withoutEndpoint(memory.record, clock.now(), acceptPreviousSecret ? retentionMs : 0);
}

/** Removes everything at this address, and what earlier deactivations could not remove. */
async function clearTheWay(
	context: IHookFunctions,
	endpoint: EndpointContext,
	account: AccountEndpoints,
): Promise<void> {
	const { record } = endpoint.memory;
	const listed = await account.list();
	const blocking = inTheWay(record, listed);
	for (const { id } of blocking) await account.remove(id);
	const stranded = [...record.stranded, ...strandedIn(endpoint.staticData.record)];
	const isListening = ({ id, url }: ListedEndpoint) =>
		existingMemory(url, endpoint.workflowId)?.record.endpoint?.id === id;
	const leftBehind = [
		...strandedAmong(stranded, listed),
		...testOrphans(record, listed, isListening),
	].filter((one) => !blocking.includes(one));
	const still = await removeAll(context, account, leftBehind);
	const ended = { ...withoutCurrent(context, endpoint), stranded: [] };
	keepRecord(endpoint, withStranded(ended, [...elsewhere(stranded, listed), ...still]));
}

/** Stranded endpoints that this account does not list. Another account may have them, so they stay remembered. */
function elsewhere(
	stranded: readonly StrandedEndpoint[],
	listed: readonly ListedEndpoint[],
): StrandedEndpoint[] {
	return stranded.filter((one) => strandedAmong([one], listed).length === 0);
}

/**
 * The secret is only in the answer to the creation. An endpoint without it is of no use, so it is removed and
 * created once more.
 */
async function createWithSecret(
	context: IHookFunctions,
	endpoint: EndpointContext,
	account: AccountEndpoints,
	events: string[],
): Promise<{ id: string; status: string | null; secret: string }> {
	const { name } = context.getWorkflow();
	const test = context.getMode() === 'manual';
	const description = describeOwner(endpoint.workflowId, name ?? '', test);
	for (let attempt = 0; attempt < 2; attempt++) {
		const { id, status, secret } = await account.create({
			url: endpoint.address,
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
async function removeDuplicates(
	context: IHookFunctions,
	endpoint: EndpointContext,
	account: AccountEndpoints,
	keptId: string,
): Promise<void> {
	const listed = await listOrWarn(context, account);
	const duplicates = listed.filter(
		({ id, url }) => id !== keptId && isSameAddress(url, endpoint.address),
	);
	const still = await removeAll(context, account, duplicates);
	if (still.length > 0) keepRecord(endpoint, withStranded(endpoint.memory.record, still));
}

async function findOwn(
	context: IHookFunctions,
	endpoint: EndpointContext,
	account: AccountEndpoints,
): Promise<Array<Pick<ListedEndpoint, 'id' | 'url'>>> {
	const { record } = endpoint.memory;
	try {
		return ownEndpoints(record, await account.list());
	} catch (error) {
		warn(context, 'could not list the webhook endpoints of the account', error);
		return record.endpoint === null ? [] : [{ id: record.endpoint.id, url: record.address }];
	}
}

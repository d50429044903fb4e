import { randomUUID } from 'node:crypto';
import { type IDataObject, type IHookFunctions, NodeOperationError } from 'n8n-workflow';

import { PERSON_WAITS, type PlatformClient } from '../shared/rest/client';
import { type Clock, systemClock } from '../shared/rest/clock';
import { isLoopbackHost, isPrivateHost } from '../shared/rest/credential';
import { isNotFound } from '../shared/rest/errors';
import { withNodeErrors } from '../shared/rest/nodeErrors';
import { CREDENTIAL, type SendOptions } from '../shared/rest/request';
import { ownerMark } from '../shared/shop/events';
import { shopClient } from '../shared/shop/service';
import { type EndpointRecord, existingMemory, forgetAddress, openMemory } from './memory';
import { readWebhookParameters } from './parameters';
import { makeSampleEvent } from './sampleEvent';

/**
 * How long to try to find and remove duplicates of a new endpoint, or the new one itself if it lacks events: such
 * endpoints are rare, and must go. Attempts and ms.
 */
const CLEARING = { maxAttempts: 5, maxWaitMs: 65_000, timeoutMs: 20_000 };

/** How long to try to remove an endpoint: unpublishing should not keep the user waiting. Attempts and ms. */
const UNPUBLISHING = { maxAttempts: 3, maxWaitMs: 10_000, timeoutMs: 10_000 };

/** What a hook needs. */
type Hook = ReturnType<typeof open>;

function open(context: IHookFunctions, clock: Clock, isChecked = false, patience = PERSON_WAITS) {
	const parameters = readWebhookParameters(context, isChecked);
	const address = context.getNodeWebhookUrl('default') ?? '';
	return {
		context,
		parameters,
		account: new AccountEndpoints(context, patience, clock),
		memory: openMemory(context, address, clock),
		/** n8n saves it after the hook has returned. */
		staticData: context.getWorkflowStaticData('node'),
	};
}

/**
 * Whether the endpoint is on the platform, alone at this address, enabled and with these events, and its secret is
 * known.
 *
 * @throws NodeApiError if the platform cannot be asked
 */
export async function endpointIsHealthy(context: IHookFunctions, clock = systemClock) {
	const { memory, account, parameters, staticData } = open(context, clock);
	await memory.readSealKeys(context, true);
	if (memory.secrets(false).length === 0) return false;
	if (!isHealthy(memory.record, await account.list(), parameters.events)) return false;
	// The record is saved again with a new revision, so that it counts from now on: static data may have been restored to
	// an older state, or another process may know a later record without the endpoint.
	memory.change({}, staticData);
	return true;
}

/**
 * Registers the only endpoint of this address: removes those in its way, creates it, and keeps its secret.
 *
 * @throws NodeOperationError if the parameters or n8n's address make it impossible, NodeApiError if the platform
 *   refuses
 */
export async function registerEndpoint(context: IHookFunctions, clock = systemClock) {
	const hook = open(context, clock, true);
	const { memory, staticData, parameters } = hook;
	const { events, sampleEvent } = parameters;
	const { address } = memory.scope;
	await checkAddress(context, address);
	const isTest = context.getMode() === 'manual';
	const sendSample =
		isTest && sampleEvent ? await makeSampleEvent(context, events, clock) : undefined;
	await clearTheWay(hook);
	// The first request may have drawn the key of the seals.
	await memory.readSealKeys(context, true);
	const created = await createWithSecret(hook, isTest);
	const { id, status, secret } = created;
	const endpoint = { id, status, secret: memory.seals.seal(secret), events };
	memory.change({ test: isTest, endpoint }, staticData);
	const clearing = { ...hook, account: new AccountEndpoints(context, CLEARING, clock) };
	const listed = await removeDuplicates(clearing, id);
	await checkEvents(clearing, id, listed?.events ?? created.events);
	// Deliveries that came in meanwhile may have saved static data. n8n is about to overwrite it, so all that is
	// remembered is put in once more.
	memory.save(staticData);
	if (sendSample === undefined) return;
	// n8n accepts deliveries at the test address only after this hook has returned.
	const sent = sendSample(address, secret);
	void orWarn(context, 'could not send itself a sample event', sent, undefined);
}

/** @throws NodeOperationError if the platform cannot send deliveries to this address, or n8n cannot serve it */
async function checkAddress(context: IHookFunctions, address: string): Promise<void> {
	const node = context.getNode();
	const { baseUrl } = await context.getCredentials(CREDENTIAL);
	const whyUnreachable = addressProblem(address, typeof baseUrl === 'string' ? baseUrl.trim() : '');
	if (whyUnreachable !== undefined)
		throw new NodeOperationError(node, whyUnreachable, {
			// @n8n/config reads N8N_WEBHOOK_URL from its version 2.28.0 on, the one that n8n 2.30.0 uses.
			description:
				'Give n8n a public https address (for a trial, that of a tunnel): set the environment variable N8N_WEBHOOK_URL (n8n before 2.30: WEBHOOK_URL) to it, restart n8n, then unpublish the workflow and publish it.',
		});
	// Without an ID, n8n makes the path of the node's name. It serves no path with encoded characters.
	if (node.webhookId === undefined && new URL(address).pathname.includes('%'))
		throw new NodeOperationError(node, 'n8n cannot receive deliveries for this trigger yet', {
			description:
				'The workflow was imported without the ID of its webhook. Save the workflow once in n8n, then publish it.',
		});
}

/**
 * Removes the endpoint of this address. If that fails, it is logged, and the next activation tries again. A failure
 * never prevents a deactivation.
 */
export async function removeEndpoint(context: IHookFunctions, clock = systemClock) {
	const { account, memory, parameters, staticData } = open(context, clock, false, UNPUBLISHING);
	const { record } = memory;
	const current = record.endpoint ? [record.endpoint.id] : [];
	const ownEndpoints = account
		.list()
		.then((listed) => endpointIds(listed.filter((endpoint) => isOwn(record, endpoint))));
	const problem = 'could not list the webhook endpoints of the account';
	await account.removeAll(await orWarn(context, problem, ownEndpoints, current));
	memory.endEndpoint(parameters.acceptPreviousSecret, staticData);
	if (record.test) forgetAddress(record.address);
}

const endpointIds = (endpoints: readonly ListedEndpoint[]): string[] =>
	endpoints.map(({ id }) => id);

/** Removes every endpoint that is in the way of a new one, and what an earlier listening has left behind. */
async function clearTheWay({ account, memory, parameters, staticData }: Hook): Promise<void> {
	const { record, scope } = memory;
	const isListening = ({ id, url }: ListedEndpoint) =>
		existingMemory(url, scope.workflowId)?.record.endpoint?.id === id;
	const leftBehind: string[] = [];
	for (const endpoint of await account.list()) {
		const { id, url } = endpoint;
		// n8n gives an address to one active workflow only, so every other endpoint there is in the way.
		if (isSameAddress(url, record.address) || isOwn(record, endpoint)) await account.remove(id);
		else if (isOwnTest(record, endpoint) && !isListening(endpoint)) leftBehind.push(id);
	}
	await account.removeAll(leftBehind);
	memory.endEndpoint(parameters.acceptPreviousSecret, staticData);
}

/**
 * Creates an endpoint. Only the answer to the creation shows the secret. Without its secret an endpoint is useless, so
 * it is removed and created once more.
 */
async function createWithSecret({ context, account, memory, parameters }: Hook, test: boolean) {
	const { events } = parameters;
	const { address: url, workflowId } = memory.scope;
	const description = describeOwner(workflowId, context.getWorkflow().name ?? '', test);
	for (let attempt = 0; attempt < 2; attempt++) {
		const created = await account.create({ url, events, description });
		const { id, secret } = created;
		if (id !== undefined && secret !== undefined) return { ...created, id, secret };
		if (id !== undefined) await account.remove(id);
	}
	throw new NodeOperationError(context.getNode(), 'The platform registered no usable endpoint', {
		description:
			'Its answer held no id or no signing secret, and without a secret no delivery can be verified. Publish again; if it stays so, ask the platform’s support.',
	});
}

/**
 * Removes what else is at the address of a new endpoint: if the answer to a creation was lost, there may be a second one.
 *
 * @returns the new endpoint as the platform lists it; undefined if it cannot be read
 */
async function removeDuplicates({ context, account, memory }: Hook, id: string) {
	const problem = 'could not look for duplicates of its new webhook endpoint';
	const listed = await orWarn(context, problem, account.list(), []);
	const atAddress = listed.filter(({ url }) => isSameAddress(url, memory.scope.address));
	await account.removeAll(endpointIds(atAddress).filter((listedId) => listedId !== id));
	return listed.find((endpoint) => endpoint.id === id);
}

/**
 * Removes an endpoint if it was registered for fewer events than were asked for: its workflow would wait in vain.
 *
 * @param subscribed the events that it is registered for; undefined if the platform does not show them
 * @throws NodeOperationError that names the missing events
 */
async function checkEvents(
	{ context, account, memory, parameters, staticData }: Hook,
	id: string,
	subscribed: readonly string[] | undefined,
): Promise<void> {
	const missing = parameters.events.filter((event) => subscribed?.includes(event) === false);
	if (missing.length === 0) return;
	const left = await account.removeAll([id]);
	// If it could not be removed, the next activation must not take it for healthy.
	memory.endEndpoint(parameters.acceptPreviousSecret, staticData);
	const removal = left.length === 0 ? 'was removed' : `${id} could not be removed: delete it`;
	const names = missing.map((event) => `“${event}”`).join(', ');
	throw new NodeOperationError(
		context.getNode(),
		`The platform did not register the webhook endpoint for ${names}`,
		{
			description: `It registered it for ${subscribed?.join(', ') ?? ''}, so the endpoint ${removal}. Check the name of each event, whether the API key may receive it, and whether your plan has it; or take it out of the events of this trigger.`,
		},
	);
}

const ERROR_CONTEXT = { noun: 'webhook endpoint' };

/** An endpoint of the list. The others cannot be told apart or removed. */
type ListedEndpoint = ReturnType<typeof readEndpoint> & { id: string; url: string };

const isListed = (endpoint: ReturnType<typeof readEndpoint>): endpoint is ListedEndpoint =>
	endpoint.id !== undefined && endpoint.url !== undefined;

/** Reads an endpoint as the platform shows it (API document, "Webhook endpoint"); its secret is in one answer only. */
function readEndpoint({ id, url, events, status, description, secret }: IDataObject) {
	return {
		// Platforms write it as text or as a whole number.
		id: Number.isSafeInteger(id) ? String(id) : textIn(id),
		url: textIn(url),
		events: eventsIn(events),
		status: textIn(status) ?? null,
		description: textIn(description) ?? '',
		secret: textIn(secret),
	};
}

const textIn = (value: unknown): string | undefined =>
	typeof value === 'string' && value !== '' ? value : undefined;

/** The event names that a record shows; undefined if it shows none, or anything but names. */
const eventsIn = (events: unknown): string[] | undefined =>
	Array.isArray(events) && events.length > 0 && events.every((name) => typeof name === 'string')
		? events
		: undefined;

/** The webhook endpoints of the credential's account (API document, "Webhooks"). */
class AccountEndpoints {
	/** All requests share it, and the time that it has. */
	private client?: Promise<PlatformClient>;

	/** @param options how long to wait, and how often to try again, if a request fails */
	constructor(
		private readonly context: IHookFunctions,
		private readonly options: Partial<SendOptions>,
		private readonly clock: Clock,
	) {}

	/** @throws NodeApiError */
	async list(): Promise<ListedEndpoint[]> {
		return await this.withClient(async (client) => {
			let endpoints: ListedEndpoint[] = [];
			// The API document gives this list no query.
			const pages = client.pages({ method: 'GET', path: '/webhooks' }, { takesQuery: false });
			for await (const { records } of pages)
				endpoints = endpoints.concat(records.map(readEndpoint).filter(isListed));
			return endpoints;
		});
	}

	/**
	 * Removes one endpoint. If it does not exist, it counts as removed.
	 *
	 * @throws NodeApiError
	 */
	async remove(id: string): Promise<void> {
		const pathParams = { webhookId: id };
		const request = { method: 'DELETE', path: '/webhooks/{webhookId}', pathParams } as const;
		await this.withClient(async (client) => {
			await client.request(request).catch((error: unknown) => {
				if (!isNotFound(error)) throw error;
			});
		});
	}

	/** Removes endpoints, one after the other. @returns the ids of those that could not be removed; each is logged */
	async removeAll(ids: readonly string[]): Promise<string[]> {
		const left: string[] = [];
		for (const id of ids) {
			const problem = `could not remove webhook endpoint ${id}; the next activation tries again`;
			const removal = this.remove(id).then(() => []);
			left.push(...(await orWarn(this.context, problem, removal, [id])));
		}
		return left;
	}

	/**
	 * Creates an endpoint. All attempts of one creation have the same Idempotency-Key, and every creation has another:
	 * for a key that it knows, a platform may return an endpoint that was removed since.
	 *
	 * @returns the endpoint, without `id` or `secret` if the answer has none
	 * @throws NodeApiError
	 */
	async create(body: IDataObject) {
		const idempotencyKey = randomUUID();
		const request = { method: 'POST', path: '/webhooks', body, idempotencyKey } as const;
		const { record = {} } = await this.withClient(async (client) => await client.request(request));
		return readEndpoint(record);
	}

	private async withClient<T>(work: (client: PlatformClient) => Promise<T>): Promise<T> {
		const { context, options, clock } = this;
		this.client ??= shopClient(context, options, clock);
		const { client } = this;
		return await withNodeErrors(context, ERROR_CONTEXT, async () => await work(await client));
	}
}

/** Waits for work that may fail. If it fails, n8n's log says why, and the fallback is returned. */
async function orWarn<T>(
	context: IHookFunctions,
	problem: string,
	work: Promise<T>,
	fallback: T,
): Promise<T> {
	return await work.catch((error: unknown) => {
		const failure = `${problem}: ${error instanceof Error ? error.message : String(error)}`;
		const logPrefix = `Commerce Platform Trigger "${context.getNode().name}"`;
		context.logger.warn(`${logPrefix} ${failure}`, { workflowId: context.getWorkflow().id });
		return fallback;
	});
}

const urlOf = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined);

/** Whether two texts are the same address, however they write it as a URL. */
const isSameAddress = (a: string, b: string): boolean =>
	(urlOf(a)?.href ?? a) === (urlOf(b)?.href ?? b);

/** Characters of a description at most. */
const MAX_DESCRIPTION = 150;

/** The description of an endpoint that this workflow makes. */
const describeOwner = (workflowId: string, workflowName: string, test: boolean): string =>
	`${ownerMark(workflowId, test)} ${workflowName}`.slice(0, MAX_DESCRIPTION).trim();

/** Statuses that mean "on" in plain words. The one at creation may have been another. */
const ON = new Set(['enabled', 'active']);

/**
 * Whether the recorded endpoint is as it should be: on the platform, alone at this address, enabled, and with exactly
 * these events. The API document does not show the values of a status, so the one from creation counts as enabled.
 */
function isHealthy(
	{ endpoint: recorded, address }: EndpointRecord,
	listed: readonly ListedEndpoint[],
	events: readonly string[],
): boolean {
	const atAddress = listed.filter(({ url }) => isSameAddress(url, address));
	if (recorded === null || atAddress.length !== 1 || atAddress[0].id !== recorded.id) return false;
	const [{ status, events: subscribed }] = atAddress;
	const enabled = status === null || status === recorded.status || ON.has(status.toLowerCase());
	const names = (list: readonly string[]) => [...new Set(list)].sort().join(' ');
	return enabled && (subscribed === undefined || names(subscribed) === names(events));
}

/**
 * Whether an endpoint belongs to this workflow's trigger, and is removed with it. Two of three signs must agree
 * (address, id, mark in the description): another workflow may have the address, another account may have the id, and
 * the owner may write any description.
 */
function isOwn(record: EndpointRecord, { id, url, description }: ListedEndpoint): boolean {
	const isAtAddress = isSameAddress(url, record.address);
	const isRecorded = record.endpoint?.id === id;
	const isMarked = [false, true].some((test) =>
		description.startsWith(ownerMark(record.workflowId, test)),
	);
	return [isAtAddress, isRecorded, isMarked].filter(Boolean).length >= 2;
}

/**
 * Whether an earlier "Listen for test event" of the same node may have left an endpoint behind, for example because n8n
 * was killed while it listened. Only endpoints of this n8n count: a copy of its database elsewhere may be listening
 * itself.
 */
const isOwnTest = (record: EndpointRecord, { url, description }: ListedEndpoint): boolean =>
	description.startsWith(ownerMark(record.workflowId, true)) &&
	nodePart(url) === nodePart(record.address);

/** The part that a node's test and production addresses have in common: the host, and the end of the path. */
const nodePart = (address: string): string =>
	[urlOf(address)?.origin ?? address, ...address.split('/').slice(-2)].join('/');

/**
 * Says why the platform cannot send deliveries to a webhook address (API document, "Receiver requirements": HTTPS
 * only). An address on this machine is allowed only if the platform runs on this machine. An address of a private
 * network is allowed only if the platform runs on such a network, or on this machine.
 *
 * @param address the webhook URL of n8n
 * @param platform base URL of the API
 * @returns undefined if the platform can
 */
function addressProblem(address: string, platform: string): string | undefined {
	const url = urlOf(address);
	const [host, platformHost] = [url, urlOf(platform)].map((parsed) => parsed?.hostname ?? '');
	if (isThisMachine(host)) {
		if (isLoopbackHost(platformHost)) return undefined;
		return `The platform cannot reach n8n at ${url?.origin}, an address of this machine only: set N8N_WEBHOOK_URL (before n8n 2.30: WEBHOOK_URL) to a public one`;
	}
	if (isPrivateHost(host)) {
		if (isPrivateHost(platformHost) || isThisMachine(platformHost)) return undefined;
		return `The platform cannot reach n8n at ${url?.origin}, an address of a private network only: set N8N_WEBHOOK_URL (before n8n 2.30: WEBHOOK_URL) to a public one`;
	}
	if (url?.protocol === 'https:') return undefined;
	return `The platform delivers to https addresses only, and n8n's is “${url?.origin ?? address}”: set N8N_WEBHOOK_URL (before n8n 2.30: WEBHOOK_URL) to another`;
}

function isThisMachine(hostname: string): boolean {
	const bare = hostname.replace(/\.$/, '');
	return isLoopbackHost(bare) || /\.localhost$|^0\.0\.0\.0$|^\[::(ffff:7f.*)?\]$/.test(bare);
}

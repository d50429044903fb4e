import { randomUUID } from 'node:crypto';
import type { IDataObject, IHookFunctions } from 'n8n-workflow';

import type { PlatformClient } from '../shared/rest/client';
import { shopClient } from '../shared/shop/service';
import type { Clock } from '../shared/rest/clock';
import type { SendOptions } from '../shared/rest/request';
import { isNotFound } from '../shared/rest/errors';
import { withNodeErrors } from '../shared/rest/nodeErrors';
import { ownerMark } from '../shared/shop/events';
import type { EndpointRecord } from './memory';

const ERROR_CONTEXT = { noun: 'webhook endpoint' };

/** An endpoint as the platform lists it (API document, "Webhook endpoint"). */
export type ListedEndpoint = NonNullable<ReturnType<typeof readEndpoint>>;

/** Reads a record of the list. Only its id and address must be there. */
function readEndpoint(record: IDataObject) {
	const { url, events, status, description } = record;
	const id = endpointId(record);
	if (id === undefined || typeof url !== 'string') return undefined;
	return {
		id,
		url,
		events: eventsIn(events),
		status: typeof status === 'string' ? status : null,
		description: typeof description === 'string' ? description : '',
	};
}

/** The event names that a record shows; undefined if it shows none, or anything but names. */
const eventsIn = (events: unknown): string[] | undefined =>
	Array.isArray(events) && events.length > 0 && events.every((name) => typeof name === 'string')
		? events
		: undefined;

/** The id of a record. Platforms write it as text or as a whole number. */
function endpointId({ id }: IDataObject): string | undefined {
	if (Number.isSafeInteger(id)) return String(id);
	return typeof id === 'string' && id !== '' ? id : undefined;
}

/** The webhook endpoints of the credential's account (API document, "Webhooks"). */
export class AccountEndpoints {
	/** When all work of this object must have ended, monotonic ms. */
	private readonly endsMs?: number;

	/** @param options how long to wait, and how often to try again, if a request fails */
	constructor(
		private readonly context: IHookFunctions,
		private readonly options: Partial<SendOptions>,
		private readonly clock: Clock,
	) {
		const { totalMs } = options;
		this.endsMs = totalMs === undefined ? undefined : clock.monotonic() + totalMs;
	}

	/** @throws NodeApiError */
	async list(): Promise<ListedEndpoint[]> {
		return await this.withClient(async (client) => {
			let endpoints: ListedEndpoint[] = [];
			// The API document gives this list no query.
			const pages = client.pages({ method: 'GET', path: '/webhooks' }, { takesQuery: false });
			for await (const { records } of pages)
				endpoints = endpoints.concat(
					records.map(readEndpoint).filter((endpoint) => endpoint !== undefined),
				);
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
		const { status, secret, events } = record;
		return {
			id: endpointId(record),
			events: eventsIn(events),
			status: typeof status === 'string' ? status : null,
			secret: typeof secret === 'string' && secret !== '' ? secret : undefined,
		};
	}

	private async withClient<T>(work: (client: PlatformClient) => Promise<T>): Promise<T> {
		const { context, clock, endsMs, options } = this;
		const totalMs = endsMs === undefined ? undefined : Math.max(1, endsMs - clock.monotonic());
		const open = async () => await shopClient(context, { ...options, totalMs }, clock);
		return await withNodeErrors(this.context, ERROR_CONTEXT, async () => await work(await open()));
	}
}

/** Waits for work that may fail. If it fails, n8n's log says why, and the fallback is returned. */
export async function orWarn<T>(
	context: IHookFunctions,
	problem: string,
	work: Promise<T>,
	fallback: T,
): Promise<T> {
	return await work.catch((error: unknown) => {
		warn(context, `${problem}: ${error instanceof Error ? error.message : String(error)}`);
		return fallback;
	});
}

/** Writes into n8n's log what the trigger could not do. */
function warn(context: IHookFunctions, text: string): void {
	const logPrefix = `Commerce Platform Trigger "${context.getNode().name}"`;
	context.logger.warn(`${logPrefix} ${text}`, { workflowId: context.getWorkflow().id });
}

/** Whether two texts are the same address, however they write it as a URL. */
export function isSameAddress(a: string, b: string): boolean {
	return normalized(a) === normalized(b);
}

const normalized = (address: string): string =>
	URL.canParse(address) ? new URL(address).href : address;

/** Characters of a description at most. */
const MAX_DESCRIPTION = 150;

/** The description of an endpoint that this workflow makes. */
export const describeOwner = (workflowId: string, workflowName: string, test: boolean): string =>
	`${ownerMark(workflowId, test)} ${workflowName}`.slice(0, MAX_DESCRIPTION).trim();

/** Statuses that mean "on" in plain words. The one at creation may have been another. */
const ON = new Set(['enabled', 'active']);

/**
 * Whether the recorded endpoint is as it should be: on the platform, alone at this address, enabled, and with exactly
 * these events. The API document does not show the values of a status, so the one from creation counts as enabled.
 */
export function isHealthy(
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
export function isOwn(record: EndpointRecord, { id, url, description }: ListedEndpoint): boolean {
	const isAtAddress = isSameAddress(url, record.address);
	const isRecorded = record.endpoint?.id === id;
	const isMarked = [false, true].some((test) =>
		description.startsWith(ownerMark(record.workflowId, test)),
	);
	return [isAtAddress, isRecorded, isMarked].filter(Boolean).length >= 2;
}

/**
 * Whether an endpoint stands in the way of a new one. n8n gives an address to one active workflow only, so every other
 * endpoint at the address does.
 */
export const isInTheWay = (record: EndpointRecord, endpoint: ListedEndpoint): boolean =>
	isSameAddress(endpoint.url, record.address) || isOwn(record, endpoint);

/**
 * Whether an earlier "Listen for test event" of the same node may have left an endpoint behind, for example because n8n
 * was killed while it listened. Only endpoints of this n8n count: a copy of its database elsewhere may be listening
 * itself.
 */
export const isOwnTest = (record: EndpointRecord, { url, description }: ListedEndpoint): boolean =>
	description.startsWith(ownerMark(record.workflowId, true)) &&
	!isSameAddress(url, record.address) &&
	nodePart(url) === nodePart(record.address);

/** The part that a node's test and production addresses have in common: the host, and the end of the path. */
function nodePart(address: string): string {
	const origin = URL.canParse(address) ? new URL(address).origin : address;
	return [origin, ...address.split('/').slice(-2)].join('/');
}

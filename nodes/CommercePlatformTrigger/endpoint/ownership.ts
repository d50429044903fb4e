import type { IDataObject } from 'n8n-workflow';

import { ownerMark } from '../../shared/model/events';
import type { EndpointRecord, StrandedEndpoint } from '../memory/endpointRecord';

/** An endpoint as the platform lists it (API document, "Webhook endpoint"). */
export type ListedEndpoint = NonNullable<ReturnType<typeof readEndpoint>>;

/** The id of a record, which platforms write as text or as a whole number. */
export function idOf({ id }: IDataObject): string | undefined {
	if (Number.isSafeInteger(id)) return String(id);
	return typeof id === 'string' && id !== '' ? id : undefined;
}

/** Reads a listed record; what it does not need may be missing. */
export function readEndpoint(record: IDataObject) {
	const { url, events, status, description } = record;
	const id = idOf(record);
	if (id === undefined || typeof url !== 'string') return undefined;
	return {
		id,
		url,
		events: Array.isArray(events) ? events.map(String) : [],
		status: typeof status === 'string' ? status : null,
		description: typeof description === 'string' ? description : '',
	};
}

/** Whether two texts are the same address. Only what URL writing leaves open is evened out. */
export function isSameAddress(a: string, b: string): boolean {
	return normal(a) === normal(b);
}

const normal = (address: string): string =>
	URL.canParse(address) ? new URL(address).href : address;

/** Characters of a description at most. */
const MAX_DESCRIPTION = 150;

/** The description of an endpoint that this workflow makes. */
export function describeOwner(workflowId: string, workflowName: string, test: boolean): string {
	return `${ownerMark(workflowId, test)} ${workflowName}`.slice(0, MAX_DESCRIPTION).trim();
}

/** Statuses that mean "on" in plain words, should the one given at creation have been another. */
const ON = new Set(['enabled', 'active']);

/**
 * Whether the held endpoint needs nothing done: it is on the platform, alone at this address, enabled, with
 * exactly these events. Status values are not shown in the API document, so the one from creation counts.
 */
export function isHealthy(
	record: EndpointRecord,
	listed: readonly ListedEndpoint[],
	events: readonly string[],
): boolean {
	const held = record.endpoint;
	const here = listed.filter(({ url }) => isSameAddress(url, record.address));
	if (held === null || here.length !== 1 || here[0].id !== held.id) return false;
	const [{ status, events: subscribed }] = here;
	const enabled = status === null || status === held.status || ON.has(status.toLowerCase());
	const names = (list: readonly string[]) => [...new Set(list)].sort().join(' ');
	return enabled && names(subscribed) === names(events);
}

/**
 * Whether an endpoint stands in the way of a new one: it is at the new one's address, or is known to be this
 * workflow's own. n8n gives each address to one active workflow only.
 */
export const isInTheWay = (record: EndpointRecord, one: ListedEndpoint): boolean =>
	isSameAddress(one.url, record.address) || (isHeld(record, one) && isMarked(record, one));

/**
 * Whether an endpoint ends with this workflow's trigger. More careful than {@link isInTheWay}: n8n also calls
 * this where another workflow has the address, so the same address alone is not enough.
 */
export function isOwn(record: EndpointRecord, one: ListedEndpoint): boolean {
	const isHere = isSameAddress(one.url, record.address);
	const [held, marked] = [isHeld(record, one), isMarked(record, one)];
	return isHere ? held || marked : held && marked;
}

const isHeld = ({ endpoint }: EndpointRecord, { id }: ListedEndpoint): boolean =>
	endpoint?.id === id;

/** Whether its description says that this workflow made it. */
const isMarked = ({ workflowId }: EndpointRecord, { description }: ListedEndpoint): boolean =>
	[false, true].some((test) => description.startsWith(ownerMark(workflowId, test)));

/** Whether it is a stranded endpoint, at the address that it was made for. */
export function isStranded(stranded: readonly StrandedEndpoint[], one: ListedEndpoint): boolean {
	return stranded.some(({ id, address }) => id === one.id && isSameAddress(address, one.url));
}

/**
 * Whether an earlier "Listen for test event" of the same node may have left it behind, for example because n8n
 * was killed while it listened. Of this n8n only: a copy of its database elsewhere may be listening itself.
 */
export function isOwnTest(record: EndpointRecord, one: ListedEndpoint): boolean {
	return (
		one.description.startsWith(ownerMark(record.workflowId, true)) &&
		!isSameAddress(one.url, record.address) &&
		nodePart(one.url) === nodePart(record.address)
	);
}

/** What a node's test and production addresses have in common: the host, and the end of the path. */
function nodePart(address: string): string {
	const origin = URL.canParse(address) ? new URL(address).origin : address;
	return [origin, ...address.split('/').slice(-2)].join('/');
}

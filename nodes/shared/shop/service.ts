import type { IDataObject } from 'n8n-workflow';

import { createClient, type PlatformClient } from '../rest/client';
import type { Clock } from '../rest/clock';
import {
	CREDENTIAL,
	type PlatformContext,
	type PlatformRequest,
	type SendOptions,
	type Service,
} from '../rest/request';
import { saysNotDone } from './answers';
import { RESOURCES } from './resources';

/** Fields of a request that name its record, the surest first. */
const NAMING_FIELDS = ['sku', 'email', 'handle', 'title', 'name', 'url'];

function recordNamedBy({ body = {}, query = {} }: PlatformRequest): string | undefined {
	const sent: Record<string, unknown> = { ...query, ...body };
	const field = NAMING_FIELDS.find((name) => typeof sent[name] === 'string' && sent[name] !== '');
	return field && `${field} “${String(sent[field])}”`;
}

/**
 * What identifies a record in its list (API document, "Resources"): its ID, and a stock level its SKU and location. An
 * order may have the `event_id` of a concert, and a level the `id` of its article, so the others count as well.
 */
function identityOf({ event_id, id, sku, location_id }: IDataObject): string | undefined {
	const level = sku === undefined || location_id === undefined ? [] : [sku, location_id];
	const ids = [id, event_id].filter((part) => ['number', 'string'].includes(typeof part));
	const [only, ...others] = [...ids, ...level];
	if (only === undefined) return undefined;
	return others.length === 0 ? String(only) : JSON.stringify([only, ...others]);
}

/** The Partner REST API v1, as the general code is told of it. */
export const SERVICE: Service = {
	saysNotDone,
	identityOf,
	// The API document has `limit` for all lists, but does not name it for this one ("Endpoints").
	mayLackLimit: (path) => path === RESOURCES.inventory.path,
	about: (request) => ({ scope: scopeOf(request), record: recordNamedBy(request) }),
	// API document, "Price".
	mustBeMoney: (path) => /(?:^|\.)prices\[\d+\]$/.test(path),
	isKey: (parameter) => /^(?:sku|[a-z]+Id)$/.test(parameter),
};

/**
 * Reads the credential and makes a client of the shop.
 *
 * @throws CredentialError if the credential's address or key cannot be used
 */
export async function shopClient(
	context: PlatformContext,
	options?: Partial<SendOptions>,
	clock?: Clock,
): Promise<PlatformClient> {
	const credential = await context.getCredentials(CREDENTIAL);
	return createClient(SERVICE, context, credential, options, clock);
}

/** Writes whose scopes are not those of their resource (API document, "Endpoints"). */
const OWN_SCOPES: Array<{ path: RegExp; writes?: string }> = [
	{ path: /^\/orders\/[^/]+\/fulfillments$/, writes: 'fulfillments.write' },
	// The document says "Requires payment scopes", but does not show their names.
	{ path: /^\/orders\/[^/]+\/refunds$/ },
	{ path: /^\/jobs\/catalog-import$/, writes: RESOURCES.product.writes },
];

/**
 * The scope that a request probably needs. The API document names scopes by group, not by endpoint ("Endpoints").
 *
 * @returns undefined if the document names no group for it (account, categories, event stream, refunds)
 */
function scopeOf({ method, path }: { method: string; path: string }) {
	const ofResource = Object.values(RESOURCES).find((each) =>
		path.startsWith(`/${each.path.split('/')[1]}`),
	);
	if (method === 'GET') return ofResource?.reads;
	return (OWN_SCOPES.find((own) => own.path.test(path)) ?? ofResource)?.writes;
}

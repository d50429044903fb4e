import { randomBytes } from 'node:crypto';
import { DEFAULT_DIALECT, type By, type Dialect } from '../dialects/dialect';
import { invalid, notFound, Refusal } from '../shop/refusal';
import { create, update } from '../shop/writing';
import type { Shop } from '../shop/shop';

/** A webhook endpoint. Only the answer to its creation shows the secret as well. */
export interface Endpoint {
	id: string;
	url: string;
	events: string[];
	description: string;
	/** The API document does not show the values; here `enabled` and `disabled`. */
	status: string;
	created_at: string;
	updated_at: string;
}

export const ENDPOINT_STATUSES = ['enabled', 'disabled'];

export type EndpointFields = Pick<Endpoint, 'url' | 'events'> & { description?: string };

/** Manages the registered endpoints. Their secrets are stored apart, so that no answer shows one by accident. */
export class Endpoints {
	private readonly secrets = new Map<string, string>();

	constructor(private readonly shop: Shop) {}

	/**
	 * @throws Refusal INVALID_PARAMETER for an address to which deliveries may not go, and CONFLICT for an address that
	 *   is taken, if the dialect refuses a second endpoint
	 */
	create(
		{ url: address, events, description = '' }: EndpointFields,
		dialect: Dialect = DEFAULT_DIALECT,
	): Endpoint & { secret: string } {
		const url = receiverOf(address, dialect);
		if (dialect.uniqueUrls === 'refused' && this.all().some((endpoint) => endpoint.url === url)) {
			throw new Refusal('CONFLICT', 'There is an endpoint with this url');
		}
		const fields = { url, events: [...new Set(events)], description };
		const { record } = create(this.shop, 'webhooks', fields);
		return { ...record, secret: this.rotate(record.id, dialect) };
	}

	/** @throws Refusal NOT_FOUND or INVALID_PARAMETER. */
	update(
		id: string,
		fields: Partial<EndpointFields> & { status?: string },
		dialect: Dialect = DEFAULT_DIALECT,
	): Endpoint {
		if (fields.status !== undefined && !ENDPOINT_STATUSES.includes(fields.status)) {
			throw invalid(`status must be ${ENDPOINT_STATUSES.join(' or ')}`);
		}
		const url = fields.url === undefined ? {} : { url: receiverOf(fields.url, dialect) };
		return update(this.shop, 'webhooks', id, { ...fields, ...url });
	}

	/** Gives the endpoint a new secret. @throws Refusal NOT_FOUND */
	rotate(id: string, dialect: Dialect = DEFAULT_DIALECT): string {
		this.shop.find('webhooks', id);
		const secret = SECRETS[dialect.secretForm]();
		this.secrets.set(id, secret);
		return secret;
	}

	/**
	 * The secret of an endpoint. A deleted one still has it: its earlier deliveries are signed with it.
	 *
	 * @throws Refusal NOT_FOUND
	 */
	secretOf(id: string): string {
		const secret = this.secrets.get(id);
		if (secret === undefined) throw notFound(`webhook ${id}`);
		return secret;
	}

	all(): Endpoint[] {
		const range = { order: 'created', descending: false } as const;
		return [...this.shop.records.webhooks.entries(range)].map(({ value }) => value);
	}

	subscribers(event: string): Endpoint[] {
		return this.all().filter(
			({ status, events }) => status === 'enabled' && events.includes(event),
		);
	}
}

/** Makes a new secret (`secretForm`). */
const SECRETS: By<'secretForm', () => string> = {
	prefixed: () => `whsec_${randomBytes(24).toString('hex')}`,
	base64: () => `+/${randomBytes(30).toString('base64')}=`,
	long: () => randomBytes(64).toString('hex'),
};

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * Checks an endpoint's address and returns it as the dialect shows it. Receiver requirements: HTTPS only. Plain http
 * may go to this machine, for tests.
 */
function receiverOf(address: string, { webhookUrls }: Dialect): string {
	const url = URL.canParse(address) ? new URL(address) : undefined;
	const isAllowed =
		url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.test(url.hostname));
	if (!isAllowed) throw invalid('url must be an https address');
	return webhookUrls === 'normalised' ? url.href : address;
}

import { randomBytes } from 'node:crypto';
import { Collection, generated } from '../shop/collection';
import { DEFAULT_DIALECT, type By, type Dialect } from '../dialects/dialect';
import { iso } from '../shop/clock';
import { invalid, notFound, Refusal } from '../shop/refusal';

/** Webhook endpoint, as every answer but that of its creation shows it. */
export interface Endpoint {
	id: string;
	url: string;
	events: string[];
	description: string;
	/** Values are not shown; here `enabled` and `disabled`. */
	status: string;
	created_at: string;
	updated_at: string;
}

export const ENDPOINT_STATUSES = ['enabled', 'disabled'];

export type EndpointFields = Pick<Endpoint, 'url' | 'events'> & { description?: string };

/** The registered endpoints. Secrets lie apart, so that no answer can show one by accident. */
export class Endpoints {
	readonly collection: Collection<Endpoint>;
	private readonly indices = new Map<string, number>();
	private readonly secrets = new Map<string, string>();

	constructor(now: () => number) {
		this.collection = new Collection<Endpoint>(
			generated<Endpoint>(0, 0, () => undefined),
			now,
		);
	}

	/**
	 * @throws Refusal INVALID_PARAMETER for an address that deliveries may not go to, and CONFLICT for
	 * one that is taken where the dialect has it so.
	 */
	create(
		fields: EndpointFields,
		dialect: Dialect = DEFAULT_DIALECT,
	): Endpoint & { secret: string } {
		requireReceiver(fields.url);
		const url = URL_FORMS[dialect.webhookUrls](fields.url);
		if (dialect.uniqueUrls === 'refused' && this.all().some((known) => known.url === url)) {
			throw new Refusal('CONFLICT', 'There is an endpoint with this url');
		}
		const id = `wh_${randomBytes(8).toString('hex')}`;
		const endpoint = this.collection.add((index, at) => {
			this.indices.set(id, index);
			return {
				id,
				url,
				events: [...new Set(fields.events)],
				description: fields.description ?? '',
				status: 'enabled',
				created_at: iso(at),
				updated_at: iso(at),
			};
		});
		return { ...endpoint, secret: this.rotate(id, dialect) };
	}

	/** @throws Refusal NOT_FOUND. */
	get(id: string): Endpoint {
		return this.collection.get(this.indexOf(id))!;
	}

	/** @throws Refusal NOT_FOUND or INVALID_PARAMETER. */
	update(
		id: string,
		fields: Partial<EndpointFields> & { status?: string },
		dialect: Dialect = DEFAULT_DIALECT,
	): Endpoint {
		const { url } = fields;
		if (url !== undefined) requireReceiver(url);
		if (fields.status !== undefined && !ENDPOINT_STATUSES.includes(fields.status)) {
			throw invalid(`status must be ${ENDPOINT_STATUSES.join(' or ')}`);
		}
		return this.collection.replace(this.indexOf(id), (old, at) => ({
			...old,
			...fields,
			...(url === undefined ? {} : { url: URL_FORMS[dialect.webhookUrls](url) }),
			updated_at: iso(at),
		}));
	}

	/** Gives a new secret. @throws Refusal NOT_FOUND. */
	rotate(id: string, dialect: Dialect = DEFAULT_DIALECT): string {
		this.indexOf(id);
		const secret = SECRETS[dialect.secretForm]();
		this.secrets.set(id, secret);
		return secret;
	}

	/** Keeps the secret: retries of earlier deliveries are still signed with it. @throws Refusal NOT_FOUND. */
	remove(id: string): void {
		this.collection.remove(this.indexOf(id));
		this.indices.delete(id);
	}

	/** Secret of an endpoint, deleted ones included. @throws Refusal NOT_FOUND. */
	secretOf(id: string): string {
		const secret = this.secrets.get(id);
		if (secret === undefined) throw notFound(`webhook endpoint ${id}`);
		return secret;
	}

	all(): Endpoint[] {
		return [...this.indices.keys()].map((id) => this.get(id));
	}

	subscribers(event: string): Endpoint[] {
		return this.all().filter(
			({ status, events }) => status === 'enabled' && events.includes(event),
		);
	}

	private indexOf(id: string): number {
		const index = this.indices.get(id);
		if (index === undefined) throw notFound(`webhook endpoint ${id}`);
		return index;
	}
}

/** How an address is shown (`webhookUrls`). */
const URL_FORMS: By<'webhookUrls', (url: string) => string> = {
	asSent: (url) => url,
	normalised: (url) => new URL(url).href,
};

/** A new secret (`secretForm`). */
const SECRETS: By<'secretForm', () => string> = {
	prefixed: () => `whsec_${randomBytes(24).toString('hex')}`,
	base64: () => `+/${randomBytes(30).toString('base64')}=`,
	long: () => randomBytes(64).toString('hex'),
};

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** Receiver requirements: HTTPS only. Plain http is let through to this machine, for tests. */
function requireReceiver(address: string): void {
	const url = URL.canParse(address) ? new URL(address) : undefined;
	const isAllowed =
		url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.test(url.hostname));
	if (!isAllowed) throw invalid('url must be an https address');
}

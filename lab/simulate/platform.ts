import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { family, sign, timestampOf } from '../../platform/support/delivery';
import { EPOCH_MS, type ProcessTime, type Timeline } from './timeline';

/** How a platform may behave, within what the API document leaves open. */
export interface PlatformWays {
	/** Timestamps of events have whole seconds, so two events can have the same body. */
	wholeSeconds: boolean;
	/** The answer to a repeated Idempotency-Key. */
	repeatedKey: 'the same answer' | 'an answer without secret' | 'another endpoint';
	/** Retries continue after their endpoint was removed. */
	retriesRemoved: boolean;
	/** Older header names are sent beside the newer ones. */
	legacyHeaders: boolean;
	/** Deliveries have ids. */
	sendsIds: boolean;
}

export interface Endpoint extends IDataObject {
	id: string;
	url: string;
	events: string[];
	description: string;
	status: string;
}

/** An endpoint, and what the simulation knows about it. */
export interface EndpointTruth {
	secret: string;
	endpoint: Endpoint;
	/**
	 * When its trigger replaced it, in ms of the schedule, and until when its deliveries are accepted, by n8n's clock.
	 */
	replaced?: { atMs: number; untilClock: number };
	/** Until when its trigger must accept them, by n8n's clock. */
	keptUntilClock?: number;
	/** The secret as its trigger stored it. */
	sealed?: string;
	/** It was replaced, and then an import or a slower request brought its secret back. */
	isBack?: boolean;
}

/** An event for one endpoint. */
export interface Delivery {
	no: number;
	id?: string;
	event: string;
	body: string;
	to: EndpointTruth;
	failures: number;
}

export type Sender = 'platform' | 'duplicate' | 'attacker' | 'forger';

/** One sending of a delivery, as it is sent. */
export interface Sending {
	delivery: Delivery;
	by: Sender;
	/** The id in its signed headers. */
	id?: string;
	url: string;
	headers: Record<string, string>;
	/** Only a holder of the secret can have made it; false for forgeries. */
	isGenuine: boolean;
	/** How long its sender waits, ms. */
	patienceMs: number;
	/** The index of the process that gets it; any process, if absent. */
	process?: number;
}

/** An answer as n8n's helper returns it. */
export interface ApiAnswer {
	statusCode: number;
	headers: Record<string, string>;
	body: Buffer[];
}

export type ApiFault = 'down' | '503' | 'lost answers' | 'lists fail' | 'deletions fail' | 'slow';

/** API document, "Retry policy". ms. */
const RETRIES_MS = [60_000, 300_000, 1_800_000, 7_200_000, 86_400_000];

/** API document, "Receiver requirements". ms. */
const PATIENCE_MS = 10_000;

/** The platform: its API, and its deliveries. */
export class SimulatedPlatform {
	readonly endpoints = new Map<string, EndpointTruth>();
	/** All endpoints, removed ones too. */
	readonly known: EndpointTruth[] = [];
	readonly deliveries: Delivery[] = [];
	fault: { kind: ApiFault; untilMs: number } = { kind: 'down', untilMs: 0 };
	/** When a fault last prevented or delayed a request. */
	hinderedMs = -1;
	/** How long its senders wait, ms. */
	patience = { ms: PATIENCE_MS, untilMs: 0 };
	private readonly answers = new Map<string, EndpointTruth>();

	/** @param transmit brings a sending to n8n and returns the status that its sender heard */
	constructor(
		private readonly timeline: Timeline,
		readonly ways: PlatformWays,
		private readonly random: () => number,
		private readonly transmit: (sending: Sending) => Promise<number | undefined>,
	) {}

	/** One API request of a process, as n8n's helper sends it. */
	async request(time: ProcessTime, options: IHttpRequestOptions): Promise<object> {
		const { kind, untilMs } = this.fault;
		const fault = untilMs > this.timeline.nowMs ? kind : undefined;
		const wayMs = fault === 'slow' ? 3_000 + this.random() * 24_000 : 5 + this.random() * 60;
		return await new Promise((resolve, reject) => {
			const fail = (code: string) => reject(Object.assign(new Error(code), { code }));
			const isRefused = fault === '503' || failsFor(fault, options.method ?? 'GET');
			const isHindered = isRefused || fault === 'down' || fault === 'slow';
			const hinder = () => (this.hinderedMs = isHindered ? this.timeline.nowMs : this.hinderedMs);
			hinder();
			if (fault === 'down') return time.after(wayMs, () => fail('ECONNREFUSED'));
			this.timeline.after(wayMs / 2, () => {
				// A late request can meet the next hook.
				hinder();
				const answer = isRefused ? { statusCode: 503, headers: {} } : this.api(options);
				const isLost = fault === 'lost answers' && options.method !== 'GET' && this.random() < 0.7;
				time.after(wayMs / 2, () => (isLost ? fail('ECONNRESET') : resolve(answer)));
			});
		});
	}

	/** Answers a request. */
	api({ method, url, body, headers }: IHttpRequestOptions): ApiAnswer {
		const answer = (statusCode: number, data?: unknown): ApiAnswer => ({
			statusCode,
			headers: { 'content-type': 'application/json' },
			body: data === undefined ? [] : [Buffer.from(JSON.stringify({ data }))],
		});
		if (method === 'GET')
			return answer(
				200,
				[...this.endpoints.values()].map((one) => one.endpoint),
			);
		if (method === 'DELETE')
			return answer(this.endpoints.delete(String(url).split('/').at(-1)!) ? 204 : 404);
		const key = String(headers?.['Idempotency-Key']);
		const before = this.answers.get(key);
		const { repeatedKey } = this.ways;
		const { endpoint, secret } =
			before !== undefined && repeatedKey !== 'another endpoint'
				? before
				: this.register(
						JSON.parse(String(body)) as Pick<Endpoint, 'url' | 'events' | 'description'>,
					);
		this.answers.set(key, before ?? this.endpoints.get(endpoint.id)!);
		const showsSecret = before === undefined || repeatedKey !== 'an answer without secret';
		return answer(201, showsSecret ? { ...endpoint, secret } : endpoint);
	}

	/** Registers an endpoint, for the trigger or for anybody else. */
	register(wanted: Pick<Endpoint, 'url' | 'events' | 'description'>): EndpointTruth {
		const id = `wh_${this.known.length + 1}`;
		const truth = { secret: `secret of ${id}`, endpoint: { ...wanted, id, status: 'enabled' } };
		this.endpoints.set(id, truth);
		this.known.push(truth);
		return truth;
	}

	/** Something happens in the shop: sends the event to every endpoint that subscribes to it. */
	emit(event: string, isTwin = false, process?: number): void {
		const nowMs = EPOCH_MS + this.timeline.nowMs;
		const last = this.deliveries.at(-1);
		const timestamp = new Date(nowMs - (nowMs % 1000)).toISOString();
		const fraction = this.ways.wholeSeconds ? 'Z' : `.${1 + (nowMs % 999)}Z`;
		for (const to of this.endpoints.values()) {
			if (!to.endpoint.events.includes(event) || to.endpoint.status !== 'enabled') continue;
			const no = this.deliveries.length + 1;
			const content = { event, timestamp: timestamp.replace(/\.000Z$/, fraction), payload: { no } };
			const isSame = isTwin && this.ways.wholeSeconds && last?.to === to && last.event === event;
			const body = isSame ? last.body : JSON.stringify(content);
			const id = this.ways.sendsIds ? `del_${no}` : undefined;
			const delivery = { no, id, event, body, to, failures: 0 };
			this.deliveries.push(delivery);
			void this.send(delivery, 'platform', process);
		}
	}

	/** Sends a delivery now, and again after each failure. */
	async send(
		delivery: Delivery,
		by: Sender = 'platform',
		process?: number,
	): Promise<number | undefined> {
		const headers = this.headersOf(delivery);
		const isHasty = this.patience.untilMs > this.timeline.nowMs;
		const patienceMs = isHasty ? this.patience.ms : PATIENCE_MS;
		const { id } = delivery;
		const url = delivery.to.endpoint.url;
		const sending = { delivery, by, id, url, headers, isGenuine: true, patienceMs, process };
		const status = await this.transmit(sending);
		if (by !== 'platform' || (status !== undefined && status >= 200 && status < 300)) return status;
		const afterMs = RETRIES_MS[delivery.failures++];
		if (afterMs === undefined) return status;
		this.timeline.after(afterMs, () => {
			const isThere = this.endpoints.has(delivery.to.endpoint.id);
			if (isThere || this.ways.retriesRemoved) void this.send(delivery);
		});
		return status;
	}

	/** The headers of a delivery that is sent now. */
	headersOf({ body, id, to, event }: Delivery): Record<string, string> {
		const timestamp = timestampOf(EPOCH_MS + this.timeline.nowMs);
		const prefixes = this.ways.legacyHeaders ? ['x-ecom', 'x-shop'] : ['x-shop'];
		const families = prefixes.map((prefix) => family(prefix, sign(body, to.secret), timestamp, id));
		return Object.assign(
			{ 'content-type': 'application/json', 'x-shop-event': event },
			...families,
		);
	}
}

const failsFor = (fault: ApiFault | undefined, method: string): boolean =>
	(fault === 'lists fail' && method === 'GET') ||
	(fault === 'deletions fail' && method === 'DELETE');

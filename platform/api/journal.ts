import type { IncomingMessage, Server } from 'node:http';
import { iso } from '../shop/clock';

const MAX_ENTRIES = 10_000;
const MAX_BODY_CHARACTERS = 32 * 1024 * 1024;
const MAX_REASONS = 50;
const MAX_REASON_CHARACTERS = 500;

export type Counters = ReturnType<Journal['counters']>;

export interface RecordedRequest {
	/** ISO 8601. */
	at: string;
	method: string;
	/** The request target exactly as it was sent, query included. */
	target: string;
	/** Names in lower case, without `authorization`. */
	headers: Record<string, string | string[]>;
	/** Raw text of the body. */
	body?: string;
	/** 0 = the connection ended without an answer. */
	status: number;
	/** The path in openapi.yaml, e.g. `/orders/{id}`. */
	route: string;
}

export const UNMATCHED = '(unmatched)';

/** Counts and remembers every request as it arrived, before any code reads it. */
export class Journal {
	private entries: RecordedRequest[] = [];
	private readonly byRequest = new WeakMap<IncomingMessage, RecordedRequest>();
	private characters = 0;
	/** By method, status and path of openapi.yaml. */
	private routes = new Map<string, number>();
	private writes = new Map<string, number>();
	private counted = {
		/** Requests to the API since the start or the last `resetCounters`. */
		total: 0,
		inFlight: 0,
		maxInFlight: 0,
		/** Writes that were answered with the answer of an earlier one. */
		replays: 0,
		/** The platform's own responses that broke openapi.yaml, since the start: a reset keeps them. */
		contractViolations: 0,
		/** The last fifty of these, each with its reason. */
		violations: [] as string[],
		/**
		 * The last fifty requests, since the start, that were answered 400 or that name no endpoint, each with its reason.
		 * Injected faults do not count.
		 */
		refusedRequests: [] as string[],
	};

	/** Records every request that the server receives. */
	watch(server: Server): void {
		server.prependListener('request', (request, response) => {
			const entry = this.begin(request);
			response.once('close', () => {
				this.counted.inFlight--;
				entry.status = response.writableFinished ? response.statusCode : 0;
				addOne(this.routes, `${entry.method} ${entry.status} ${entry.route}`);
			});
		});
	}

	/** Adds the path in openapi.yaml, and the body, to the record of a request. */
	note(request: IncomingMessage, route: string, body?: string): void {
		const entry = this.byRequest.get(request);
		if (!entry) return;
		entry.route = route;
		if (body === undefined) return;
		entry.body = body;
		this.characters += body.length;
		this.trim();
	}

	noteWrite(idempotencyKey: string): void {
		addOne(this.writes, idempotencyKey);
	}

	noteReplay(): void {
		this.counted.replays++;
	}

	noteViolation(violation: string): void {
		this.counted.contractViolations++;
		addReason(this.counted.violations, violation);
	}

	/** Notes a request that the API document does not allow. */
	noteRefusedRequest(request: IncomingMessage, reason: string): void {
		const line = `${request.method} ${request.url?.split('?')[0]}: ${reason}`;
		addReason(this.counted.refusedRequests, line.slice(0, MAX_REASON_CHARACTERS));
	}

	counters() {
		/** `route` is the path in openapi.yaml, or `(unmatched)`; status 0 = the connection ended without an answer. */
		const byRoute = [...this.routes].map(([key, count]) => {
			const [method, status, ...route] = key.split(' ');
			return { method, route: route.join(' '), status: Number(status), count };
		});
		/** How often a write was applied under each key: once, unless something is broken. */
		const writesByIdempotencyKey: Record<string, number> = Object.fromEntries(this.writes);
		return { ...this.counted, byRoute, writesByIdempotencyKey };
	}

	/** The last `limit` requests, oldest first, with at most `maxBodyCharacters` of each body. */
	requests(limit = MAX_ENTRIES, maxBodyCharacters?: number): RecordedRequest[] {
		return this.entries.slice(-limit).map((request) => ({
			...request,
			...(request.body !== undefined && { body: request.body.slice(0, maxBodyCharacters) }),
		}));
	}

	/**
	 * Resets everything except what is in flight and the violations: the check at the end of a test run must see all of
	 * them.
	 */
	reset(): void {
		this.entries = [];
		this.characters = 0;
		this.routes = new Map();
		this.writes = new Map();
		const maxInFlight = this.counted.inFlight;
		this.counted = { ...this.counted, total: 0, maxInFlight, replays: 0 };
	}

	private begin(request: IncomingMessage): RecordedRequest {
		const { counted } = this;
		counted.total++;
		counted.inFlight++;
		counted.maxInFlight = Math.max(counted.maxInFlight, counted.inFlight);
		const headers = { ...request.headers };
		delete headers.authorization;
		const entry: RecordedRequest = {
			at: iso(Date.now()),
			method: request.method ?? '',
			target: request.url ?? '',
			headers: headers as RecordedRequest['headers'],
			status: 0,
			route: UNMATCHED,
		};
		this.byRequest.set(request, entry);
		this.entries.push(entry);
		this.trim();
		return entry;
	}

	/** Drops the oldest half at once, so that dropping is cheap. */
	private trim(): void {
		const isFull = this.entries.length >= 2 * MAX_ENTRIES;
		if (!isFull && this.characters <= MAX_BODY_CHARACTERS) return;
		const half = this.entries.length >> 1;
		for (const { body } of this.entries.slice(0, half)) this.characters -= body?.length ?? 0;
		this.entries = this.entries.slice(half);
	}
}

function addOne(counts: Map<string, number>, name: string): void {
	counts.set(name, (counts.get(name) ?? 0) + 1);
}

/** Adds to a list that keeps its last entries. */
function addReason(reasons: string[], text: string): void {
	reasons.push(text);
	if (reasons.length > MAX_REASONS) reasons.shift();
}

import type { IncomingMessage, Server } from 'node:http';
import { iso } from '../shop/clock';

const MAX_ENTRIES = 10_000;
const MAX_BODY_CHARACTERS = 32 * 1024 * 1024;
const MAX_TOLD = 50;
const MAX_TOLD_CHARACTERS = 500;

export type Counters = ReturnType<Journal['counters']>;

export interface RecordedRequest {
	/** ISO 8601. */
	at: string;
	method: string;
	/** The request target exactly as it stood on the wire, query included. */
	target: string;
	/** Names in lower case, without `authorization`. */
	headers: Record<string, string | string[]>;
	/** Raw text of the body. */
	body?: string;
	/** 0 = the connection ended without an answer. */
	status: number;
	/** Its path as openapi.yaml has it, e.g. `/orders/{id}`. */
	route: string;
}

export const UNMATCHED = '(unmatched)';

/** Counts and remembers every request as it came over the wire, before anything looks at it. */
export class Journal {
	private entries: RecordedRequest[] = [];
	private readonly open = new WeakMap<IncomingMessage, RecordedRequest>();
	private characters = 0;
	/** By method, status and path of openapi.yaml. */
	private routes = new Map<string, number>();
	private writes = new Map<string, number>();
	private counted = {
		/** Requests that arrived at the API since the start or the last `resetCounters`. */
		total: 0,
		inFlight: 0,
		maxInFlight: 0,
		/** Writes answered from the memory of an earlier one. */
		replays: 0,
		/** Responses of the platform itself that strayed from openapi.yaml, since the start: no reset forgets them. */
		contractViolations: 0,
		/** What strayed, the last fifty. */
		violations: [] as string[],
		/** Requests that were answered 400 or that no endpoint is for, with the reason: the last fifty since the start. Faults do not count. */
		refusedRequests: [] as string[],
	};

	/** Listens to a server. */
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

	/** Tells which path of openapi.yaml a request is for, and its body. */
	note(request: IncomingMessage, route: string, body?: string): void {
		const entry = this.open.get(request);
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
		tell(this.counted.violations, violation);
	}

	/** A request that the API document does not allow. */
	noteRefusedRequest(request: IncomingMessage, reason: string): void {
		const told = `${request.method} ${request.url?.split('?')[0]}: ${reason}`;
		tell(this.counted.refusedRequests, told.slice(0, MAX_TOLD_CHARACTERS));
	}

	counters() {
		/** Route: the path of openapi.yaml, or `(unmatched)`; status 0 = the connection ended without an answer. */
		const byRoute = [...this.routes].map(([key, count]) => {
			const [method, status, ...route] = key.split(' ');
			return { method, route: route.join(' '), status: Number(status), count };
		});
		/** How often a write under this key was applied (1 unless something is broken). */
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

	/** Sets everything back but what is in flight, and what strayed: a look at the end must see all of it. */
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
		this.open.set(request, entry);
		this.entries.push(entry);
		this.trim();
		return entry;
	}

	/** Drops the oldest in blocks, so that dropping is cheap. */
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

/** Adds to a list of the last. */
function tell(told: string[], text: string): void {
	told.push(text);
	if (told.length > MAX_TOLD) told.shift();
}

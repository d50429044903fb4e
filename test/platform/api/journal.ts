import type { IncomingMessage, Server } from 'node:http';
import { iso } from '../shop/clock';
import type { Counters, RecordedRequest } from '../control/types';

const MAX_ENTRIES = 10_000;
const MAX_BODY_CHARACTERS = 32 * 1024 * 1024;
const MAX_TOLD = 50;
const MAX_TOLD_CHARACTERS = 500;

interface Entry extends RecordedRequest {
	route: string;
}

export const UNMATCHED = '(unmatched)';

/** Counts and remembers every request as it came over the wire, before anything looks at it. */
export class Journal {
	private entries: Entry[] = [];
	private readonly open = new WeakMap<IncomingMessage, Entry>();
	private characters = 0;
	private counts = new Map<string, number>();
	private total = 0;
	private inFlight = 0;
	private maxInFlight = 0;
	private replays = 0;
	private contractViolations = 0;
	private violations: string[] = [];
	private refusedRequests: string[] = [];
	private writes = new Map<string, number>();

	/** Listens to a server. */
	watch(server: Server): void {
		server.prependListener('request', (request, response) => {
			const entry = this.begin(request);
			response.once('close', () => {
				this.inFlight--;
				entry.status = response.writableFinished ? response.statusCode : 0;
				const key = `${entry.method} ${entry.status} ${entry.route}`;
				this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
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
		this.writes.set(idempotencyKey, (this.writes.get(idempotencyKey) ?? 0) + 1);
	}

	noteReplay(): void {
		this.replays++;
	}

	noteViolation(violation: string): void {
		this.contractViolations++;
		this.violations = [...this.violations, violation].slice(-MAX_TOLD);
	}

	/** A request that the API document does not allow. */
	noteRefusedRequest(request: IncomingMessage, reason: string): void {
		const told = `${request.method} ${request.url?.split('?')[0]}: ${reason}`;
		this.refusedRequests = [...this.refusedRequests, told.slice(0, MAX_TOLD_CHARACTERS)].slice(
			-MAX_TOLD,
		);
	}

	counters(): Counters {
		const byRoute = [...this.counts].map(([key, count]) => {
			const [method, status, ...route] = key.split(' ');
			return { method, route: route.join(' '), status: Number(status), count };
		});
		return {
			total: this.total,
			byRoute,
			inFlight: this.inFlight,
			maxInFlight: this.maxInFlight,
			writesByIdempotencyKey: Object.fromEntries(this.writes),
			replays: this.replays,
			contractViolations: this.contractViolations,
			violations: this.violations,
			refusedRequests: this.refusedRequests,
		};
	}

	/** The last `limit` requests, oldest first, with at most `maxBodyCharacters` of each body. */
	requests(limit = MAX_ENTRIES, maxBodyCharacters?: number): RecordedRequest[] {
		return this.entries.slice(-limit).map(({ route: _route, ...request }) => ({
			...request,
			...(request.body !== undefined && { body: request.body.slice(0, maxBodyCharacters) }),
		}));
	}

	/** Sets everything back but what is in flight, and what strayed: a look at the end must see all of it. */
	reset(): void {
		this.entries = [];
		this.characters = 0;
		this.counts = new Map();
		this.total = 0;
		this.maxInFlight = this.inFlight;
		this.replays = 0;
		this.writes = new Map();
	}

	private begin(request: IncomingMessage): Entry {
		this.total++;
		this.inFlight++;
		this.maxInFlight = Math.max(this.maxInFlight, this.inFlight);
		const headers = { ...request.headers };
		delete headers.authorization;
		const entry: Entry = {
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

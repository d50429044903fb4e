import type { IDataObject } from 'n8n-workflow';

import { asData, type EndpointRecord } from '../endpoint/record';
import type { Seal } from '../endpoint/seal';
import { listOf, type Fingerprints } from './fingerprint';
import { SaveRota, type Answering } from './saveRota';
import { RETENTION_MS, Seen } from './seen';
import { UnderwayMarks, type Underway } from './underway';

/** What a new arrival meets. */
export type Admission =
	/** Accepted before. */
	| { kind: 'repeat' }
	/** Its twin is being answered right now. */
	| { kind: 'busy'; twin: Underway }
	/** Nobody has seen it; whoever gets this must see to it that the mark is settled. */
	| { kind: 'new'; mark: Underway };

/** Everything that this process knows of one webhook address, shared by all its requests and hooks. */
export class Resident {
	readonly seen = new Seen();
	/** The newest state of the endpoint that this process has met. */
	record?: EndpointRecord;
	/** Opens this address's secrets, for the workflow and instance it was made for. */
	seal?: { workflowId: string; instanceId: string; seal: Seal };
	lastUsedMs = 0;
	private readonly underway = new UnderwayMarks();
	/** Deliveries that n8n has executions for, though their answers are still out. */
	private readonly executed = new Set<Underway>();
	private readonly rota = new SaveRota({
		settle: (mark, accepted) => this.settle(mark, accepted, Date.now()),
		noteExecution: (mark) => this.executed.add(mark),
		snapshot: () => this.write(Date.now()),
	});

	/**
	 * Tells a repeat from a first arrival, and marks a first arrival as in progress.
	 *
	 * @param nowMs Unix ms
	 */
	admit(fingerprints: Fingerprints, nowMs: number): Admission {
		const list = listOf(fingerprints);
		if (list.some((fingerprint) => this.seen.has(fingerprint, nowMs))) return { kind: 'repeat' };
		const twin = this.underway.find(list, nowMs);
		if (twin !== undefined) return { kind: 'busy', twin };
		this.underway.sweep(nowMs);
		return { kind: 'new', mark: this.underway.begin(list, nowMs) };
	}

	/** Sees an admitted delivery through to its answer, which decides whether it is remembered. */
	async awaitAnswer(answering: Answering): Promise<void> {
		await this.rota.watch(answering);
	}

	/**
	 * What is to be kept beyond this process: the endpoint, everything accepted, and what is about to be.
	 *
	 * @param nowMs Unix ms
	 */
	write(nowMs: number): IDataObject {
		for (const mark of this.executed) if (mark.untilMs <= nowMs) this.executed.delete(mark);
		const more = [...this.executed].flatMap(({ fingerprints }) => fingerprints);
		const seen = this.seen.write(nowMs, more);
		return this.record === undefined ? { seen } : { record: asData(this.record), seen };
	}

	/** Only an accepted delivery is remembered. */
	private settle(mark: Underway, accepted: boolean, nowMs: number): void {
		this.executed.delete(mark);
		if (accepted) for (const fingerprint of mark.fingerprints) this.seen.add(fingerprint, nowMs);
		mark.settle(accepted);
	}
}

/** Addresses known at once at most. The one that rested longest goes first. */
const MAX_RESIDENTS = 500;

const residents = new Map<string, Resident>();

/**
 * This process's memory of a webhook address.
 *
 * @param address the webhook URL, test and production being two
 * @param nowMs Unix ms
 */
export function residentAt(address: string, nowMs: number): Resident {
	const known = residents.get(address);
	const resident = known ?? new Resident();
	// Taken out and put back, an entry moves to the end: the first is the one that rested longest.
	residents.delete(address);
	residents.set(address, resident);
	resident.lastUsedMs = nowMs;
	if (known === undefined) forgetOld(nowMs);
	return resident;
}

/** This process's memory of an address, if it has one. */
export function peekResident(address: string): Resident | undefined {
	return residents.get(address);
}

/** Forgets an address. */
export function forgetResident(address: string): void {
	residents.delete(address);
}

function forgetOld(nowMs: number): void {
	for (const [address, resident] of residents) {
		const rested = nowMs - resident.lastUsedMs > RETENTION_MS;
		if (!rested && residents.size <= MAX_RESIDENTS) return;
		residents.delete(address);
	}
}

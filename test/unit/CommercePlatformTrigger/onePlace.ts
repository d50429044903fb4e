import { ObservableObject, type IDataObject } from 'n8n-workflow';

import { EndpointMemory } from '../../../nodes/CommercePlatformTrigger/memory';
import { WebhookHandling } from '../../../nodes/shared/n8n';
import { Answer } from '../../../lab/simulate/context';
import { FakeClock } from '../fakeClock';

export const PLACE = {
	workflowId: 'w1',
	address: 'https://n8n.example/webhook/1/webhook',
};
export const RETENTION_MS = 27 * 3_600_000;

/** When a delivery without an answer is given up, ms. */
export const PENDING_MS = 27 * 3_600_000;

/** Static data as n8n loads it, which notes changes; it has a record unless told otherwise. */
export const loaded = (stored: IDataObject = { record: {} }) =>
	ObservableObject.create(stored) as IDataObject & { __dataChanged: boolean };

/** One webhook address in one process. Fingerprints have eight characters. */
export class Endpoint {
	readonly clock = new FakeClock();
	readonly memory = new EndpointMemory(PLACE, this.clock);

	/** @param isRegistered whether this process knows an endpoint there */
	constructor(isRegistered = true) {
		this.memory.seals.useKeys(['key of the credential']);
		if (isRegistered) this.register('');
	}

	register = (secret: string, revision = 1) => {
		const { record, seals } = this.memory;
		const endpoint = { id: 'wh_1', secret: seals.seal(secret), events: [], status: null };
		this.memory.record = { ...record, revision, endpoint };
	};

	isPending = (fingerprint: string) => this.memory.pending.has([fingerprint]);

	remembers = (fingerprint: string) => this.memory.seen.has(fingerprint);

	/** A delivery arrives; n8n is about to answer it. */
	arrive = (fingerprints: string | string[], staticData = loaded()) => {
		const { pending } = this.memory;
		const answer = new Answer();
		const handling = new WebhookHandling(answer, staticData);
		const one = pending.add([fingerprints].flat(), handling, staticData.record !== undefined);
		const done = pending.handOver(one);
		const isChanged = () => staticData.__dataChanged;
		const reset = () => void (staticData.__dataChanged = false);
		reset();
		/** n8n saves before it answers, if something changed. @returns the fingerprints that it saves */
		const save = () => {
			if (!isChanged()) return undefined;
			reset();
			const { seen } = JSON.parse(JSON.stringify(staticData)) as { seen: string };
			return seen.match(/.{8}/g)?.sort() ?? [];
		};
		return { answer, done, staticData, isChanged, reset, save };
	};

	/** The same, after one look at its answer. */
	waiting = async (fingerprint: string) => {
		const one = this.arrive(fingerprint);
		await this.clock.advance(0);
		return one;
	};
}

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { SimulatedProcess } from './process';
import type { Received } from './received';

/** What one save of static data wrote. */
export interface Saved {
	text: string;
	/** Which deliveries it remembers, for whoever loads it under the node's name of then. */
	holds: ReadonlySet<Received>;
	/** The name under which n8n keeps it. */
	nodeName?: string;
	by?: SimulatedProcess;
	/** The sending that it was saved for. */
	own?: Received;
	/** It is what publishing learned. */
	isPublishing?: boolean;
	/** What the clock showed when it was saved. Unix ms. */
	atClock?: number;
	/** n8n has sent it to the database, where it will arrive. */
	isUnderWay?: true;
	landedMs?: number;
	/** It came later than what it did not know of the endpoint, or is an import that has yet to be published. */
	isOlder?: boolean;
}

/** What the trigger stores of its endpoint, as far as it is looked at. */
export interface StoredRecord {
	/** Secrets are sealed. */
	endpoint: { id: string; secret: string } | null;
	previous: Array<{ secret: string; untilMs: number }>;
}

/** What its user chose. */
export interface TriggerParameters extends INodeParameters {
	events: string[];
	options: INodeParameters;
}

/** A workflow with the trigger. */
export class SimulatedWorkflow {
	nodeName = 'Trigger';
	isRouted = false;
	/** What the database holds. */
	row: Saved = { text: '{}', holds: new Set() };
	/** Everything that it has held. */
	readonly rows: Saved[] = [this.row];
	/** What n8n does to it happens one after the other. */
	work: Promise<unknown> = Promise.resolve();
	/** The last publishing went well, and nothing has come between. */
	isPublished = false;
	/** What it learned then was saved. */
	isSaved = false;
	/** A slower request has saved an older endpoint. */
	isOverwritten = false;
	/** The process that published it, or took it back, the last time. */
	last?: SimulatedProcess;
	/** The name under which the database holds what publishing or taking back learned the last time. */
	savedName = this.nodeName;
	/** Its state was lost: it was imported over, or renamed and published by a main that had not known it. */
	isBroken = false;
	/** When the removal of its endpoint was saved, or it was imported over, before it was published the last time. */
	removedMs = 0;

	constructor(
		readonly id: string,
		public parameters: TriggerParameters,
		readonly address = `https://n8n.example/webhook/hook-${id}/webhook`,
	) {}

	/** The record that somebody finds who loads this. */
	recordIn(text: string, nodeName = this.nodeName): StoredRecord | undefined {
		const data = JSON.parse(text) as Record<string, { record?: IDataObject } | undefined>;
		const record = data[`node:${nodeName}`]?.record;
		const isOwn = record?.address === this.address && record.workflowId === this.id;
		return isOwn ? (record as never) : undefined;
	}
}

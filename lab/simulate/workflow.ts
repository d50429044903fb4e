import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { SimulatedProcess } from './process';
import type { Received } from './received';

/** One save of static data. */
export interface Saved {
	text: string;
	/** The deliveries that it remembers, for a process that loads it under the node's name at the time. */
	holds: ReadonlySet<Received>;
	/** The node's name under which n8n stores it. */
	nodeName?: string;
	by?: SimulatedProcess;
	/** The sending that caused the save. */
	own?: Received;
	/** Publishing saved it. */
	isPublishing?: boolean;
	/** The clock at the time of the save, Unix ms. */
	atClock?: number;
	/** n8n has sent it to the database, where it will arrive. */
	isUnderWay?: true;
	landedMs?: number;
	/** It arrived after a newer state of the endpoint, or it is an import that is not published yet. */
	isOlder?: boolean;
}

/** The part of the trigger's record of its endpoint that the simulation reads. */
export interface StoredRecord {
	/** Secrets are sealed. */
	endpoint: { id: string; secret: string } | null;
	previous: Array<{ secret: string; untilMs: number }>;
}

/** The parameters that the user chose. */
export interface TriggerParameters extends INodeParameters {
	events: string[];
	options: INodeParameters;
}

/** A workflow with the trigger. */
export class SimulatedWorkflow {
	nodeName = 'Trigger';
	isRouted = false;
	/** The present row of the database. */
	row: Saved = { text: '{}', holds: new Set() };
	/** All rows that the database had, in order. */
	readonly rows: Saved[] = [this.row];
	/** n8n's work on this workflow runs one after the other. */
	work: Promise<unknown> = Promise.resolve();
	/** The last publishing succeeded, and nothing has happened since. */
	isPublished = false;
	/** The result of the last publishing was saved. */
	isSaved = false;
	/** A slower request has saved an older endpoint. */
	isOverwritten = false;
	/** The process that last published or unpublished it. */
	last?: SimulatedProcess;
	/** The node's name under which the database has the result of the last publishing or unpublishing. */
	savedName = this.nodeName;
	/** Its state was lost: an import replaced it, or a main that had not known it published it under a new name. */
	isBroken = false;
	/** When the removal of its endpoint was saved, or an import replaced it, before the last publishing. */
	removedMs = 0;

	constructor(
		readonly id: string,
		public parameters: TriggerParameters,
		readonly address = `https://n8n.example/webhook/hook-${id}/webhook`,
	) {}

	/** The record that a process finds in this static data. */
	recordIn(text: string, nodeName = this.nodeName): StoredRecord | undefined {
		const data = JSON.parse(text) as Record<string, { record?: IDataObject } | undefined>;
		const record = data[`node:${nodeName}`]?.record;
		const isOwn = record?.address === this.address && record.workflowId === this.id;
		return isOwn ? (record as never) : undefined;
	}
}

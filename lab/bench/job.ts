import type { InUse } from './liveMemory';

/** The job of a candidate's process. */
export interface Job {
	/** e.g. `list/ours` */
	candidate: string;
	baseUrl: string;
	apiKey: string;
	/** Folder with `node_modules/n8n-nodes-base`. */
	n8nFolder: string;
	/** Whether to run a little first, so that all code is loaded and compiled. */
	warmUp: boolean;
	/** Single reads or writes, if the candidate does them. */
	count: number;
	ids: string[];
	/** The node's own options. */
	options?: Record<string, string | number | boolean>;
	/** When the measured run begins, for processes that begin together; at once, if absent. Unix ms. */
	startAtMs?: number;
	/** How often to look at the memory in use, which spoils all times; never, if absent. ms. */
	lookEveryMs?: number;
}

/** The measurements that a candidate's process prints. */
export interface Figures {
	/** Unix ms. */
	startedAtMs: number;
	wallMs: number;
	/** User and system time of the process. */
	cpuMs: number;
	/** Peak of resident memory, MiB. */
	peakMb: number;
	/** Output items. */
	items: number;
	/** How many of them are linked to their input item. */
	linked: number;
	/** Present if the job sets `lookEveryMs`. */
	inUse?: InUse;
	/** The candidate's own summary, if it returns one instead of output items. */
	summary?: unknown;
}

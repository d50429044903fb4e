import type { InUse } from './liveMemory';

/** What a candidate's process is told. */
export interface Job {
	/** e.g. `list/ours` */
	candidate: string;
	baseUrl: string;
	apiKey: string;
	/** Folder with `node_modules/n8n-nodes-base`. */
	n8nFolder: string;
	/** Whether to run a little beforehand, so that all code is loaded and compiled. */
	warmUp: boolean;
	/** Single reads or writes, where the candidate does them. */
	count: number;
	ids: string[];
	/** The node's own options. */
	options?: Record<string, string | number | boolean>;
	/** When the measured run begins, for processes that begin together; at once where it is left out. Unix ms. */
	startAtMs?: number;
	/** How often to look at the memory in use, which spoils all times; never where it is left out. ms. */
	lookEveryMs?: number;
}

/** What it measured of itself. */
export interface Figures {
	/** Unix ms. */
	startedAtMs: number;
	wallMs: number;
	/** User and system time of the process. */
	cpuMs: number;
	/** Resident memory at its highest, MiB. */
	peakMb: number;
	/** Output items. */
	items: number;
	/** Those that are linked to their input item. */
	linked: number;
	/** Where the job looks at it. */
	inUse?: InUse;
	/** What a candidate tells of itself in the place of output items. */
	summary?: unknown;
}

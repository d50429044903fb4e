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
	/** Whether n8n evaluates expressions without its sandbox, which takes a fifth of the time. */
	quickExpressions?: boolean;
	/** Single reads or writes, if the candidate does them. */
	count: number;
	ids: string[];
	/** The node's own options. */
	options?: Record<string, string | number | boolean>;
	/** When the measured run begins, for processes that begin together; at once, if absent. Unix ms. */
	startAtMs?: number;
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
	/** The longest time that nothing else could run, ms; in `grow`, while the node itself ran. */
	blockedMs: number;
	/** How many expressions n8n evaluated. */
	evaluations: number;
}

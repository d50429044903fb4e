/** In what n8n's interface for its editor differs between versions. Looked up in 1.88, 1.123, 2.0, 2.7, 2.8, 2.20 and 2.41. */
export type RestDialect = typeof NEWEST;

/** Of the n8n that the tests are made for. */
export const NEWEST = {
	/** What `POST /workflows` wants beside the workflow. */
	newWorkflow: {},
	/** `POST /workflows/:id/run` runs the workflow in its body, not the stored one. */
	runsWhatIsSent: false,
	/** A workflow is published by `PATCH /workflows/:id`, as a field of it. */
	publishesByUpdate: false,
	/** Publishing may end before its answer: there may be no `publication-status` to wait for. */
	mayPublishAtOnce: false,
	/**
	 * A read may be answered by a 5xx while n8n is at work. It says nothing of what is waited for, so it is counted and
	 * asked again; in the n8n that the tests are made for it is an error.
	 */
	mayFailReads: false,
};

/** Of another version. */
export const restDialectOf = (version: string): RestDialect => ({
	newWorkflow: { active: false },
	runsWhatIsSent: isOlder(version, '2.20.0'),
	publishesByUpdate: isOlder(version, '1.123.0'),
	mayPublishAtOnce: true,
	mayFailReads: true,
});

/**
 * Environment variables that an older n8n needs to run as the newest does: former names, and no names of modules
 * that it does not know, with which it does not start.
 */
export const environmentOf = (version: string, url: string): Record<string, string> => ({
	...(isOlder(version, '2.30.0') && { WEBHOOK_URL: url }),
	...(isOlder(version, '2.41.0') && { N8N_DISABLED_MODULES: 'insights' }),
});

/** Whether a version such as `2.7.5` is older than another. */
export function isOlder(version: string, other: string): boolean {
	const [one, two] = [version, other].map((text) => text.split('.').map(Number));
	const place = one.findIndex((part, index) => part !== two[index]);
	return place >= 0 && one[place] < two[place];
}

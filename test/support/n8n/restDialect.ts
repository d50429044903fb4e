/** Differences between versions of n8n's editor interface, looked up in 1.88, 1.123, 2.0, 2.7, 2.8, 2.20 and 2.41. */
export type RestDialect = typeof NEWEST;

/** The dialect of the n8n that the tests are made for. */
export const NEWEST = {
	/** Further fields that `POST /workflows` needs. */
	newWorkflow: {},
	/** `POST /workflows/:id/run` runs the workflow in its body instead of the stored one. */
	runsWhatIsSent: false,
	/** `PATCH /workflows/:id` publishes a workflow, by a field. */
	publishesByUpdate: false,
	/** Publishing may end before its answer, so there may be no `publication-status` to wait for. */
	mayPublishAtOnce: false,
	/**
	 * n8n may answer a read with a 5xx while it is busy. That says nothing about the result, so the read is counted and
	 * repeated; in the n8n that the tests are made for it is an error.
	 */
	mayFailReads: false,
};

/** The dialect of another version. */
export const restDialectOf = (version: string): RestDialect => ({
	newWorkflow: { active: false },
	runsWhatIsSent: isOlder(version, '2.20.0'),
	publishesByUpdate: isOlder(version, '1.123.0'),
	mayPublishAtOnce: true,
	mayFailReads: true,
});

/**
 * Environment variables that make an older n8n run like the newest: former names, and no names of modules that it does
 * not know, since with those it does not start.
 */
export const environmentOf = (version: string, url: string): Record<string, string> => ({
	...(isOlder(version, '2.30.0') && { WEBHOOK_URL: url }),
	...(isOlder(version, '2.41.0') && { N8N_DISABLED_MODULES: 'insights' }),
});

/** Whether a version such as `2.7.5` is older than another. */
export function isOlder(version: string, than: string): boolean {
	const [one, two] = [version, than].map((text) => text.split('.').map(Number));
	const place = one.findIndex((part, index) => part !== two[index]);
	return place >= 0 && one[place] < two[place];
}

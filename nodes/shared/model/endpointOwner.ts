/**
 * How the description of a webhook endpoint begins that a workflow's trigger made: people in the back office, and
 * the nodes, see by it whose the endpoint is.
 *
 * @param test whether it is there only while somebody listens for a test event
 */
export const ownerMark = (workflowId: string, test: boolean): string =>
	`n8n workflow ${workflowId}${test ? ' (test)' : ''}:`;

const OWNER_MARK = /^n8n workflow (\S*?)(?: \(test\))?:/;

/** The id of the workflow whose trigger made an endpoint, by its description; undefined where no trigger made it. */
export const ownerOf = (description: unknown): string | undefined =>
	typeof description === 'string' ? OWNER_MARK.exec(description)?.[1] : undefined;

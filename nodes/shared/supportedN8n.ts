import * as n8nWorkflow from 'n8n-workflow';

/** The first n8n that brings all that these nodes use; what came last is `NodeConnectionTypes`. */
const OLDEST_N8N = '1.85';

/**
 * Says plainly that n8n is too old. Without it, n8n before 1.85 would say “Class could not be found”: it takes every
 * TypeError of a node's file for that. It shows any other error where the package is installed, and in its log.
 *
 * @param workflowPackage n8n's own `n8n-workflow`
 * @throws Error where it lacks what these nodes use
 */
export function requireSupportedN8n(workflowPackage: object): void {
	if ('NodeConnectionTypes' in workflowPackage) return;
	throw new Error(
		`The Commerce Platform nodes need n8n ${OLDEST_N8N} or newer, and this n8n is older. Update n8n, then install the package again.`,
	);
}

requireSupportedN8n(n8nWorkflow);

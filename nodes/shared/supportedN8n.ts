import { type INodeProperties, NodeHelpers } from 'n8n-workflow';

/** The first n8n that brings all that these nodes use; what came last is `@tool` in display options. */
const OLDEST_N8N = '1.87';

/** Shown on a node, hidden on the AI tool that n8n makes of it, as Limit is. */
const NOT_ON_TOOLS: INodeProperties = {
	displayName: 'Not on Tools',
	name: 'notOnTools',
	type: 'string',
	default: '',
	displayOptions: { show: { '@tool': [false] } },
};

// Says plainly that n8n is too old, where it lacks what these nodes use. n8n before 1.87 shows no field that asks for
// `@tool`, and leaves what a workflow holds for it out in silence: a list would stop at 50 whatever its Limit. n8n before
// 1.85 lacks `NodeConnectionTypes` and would say “Class could not be found”: it takes every TypeError of a node's file
// for that. It shows any other error where the package is installed, and in its log.
if (!NodeHelpers.displayParameter({}, NOT_ON_TOOLS, { typeVersion: 1 }, null))
	throw new Error(
		`The Commerce Platform nodes need n8n ${OLDEST_N8N} or newer, and this n8n is older. Update n8n, then install the package again.`,
	);

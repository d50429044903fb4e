import { type INodeProperties, NodeHelpers } from 'n8n-workflow';

/** The first n8n with everything that these nodes use. The latest addition is `@tool` in display options. */
const OLDEST_N8N = '1.87';

/** A field that is shown on a node and hidden on the AI tool that n8n makes of it, like Limit. */
const NOT_ON_TOOLS: INodeProperties = {
	displayName: 'Not on Tools',
	name: 'notOnTools',
	type: 'string',
	default: '',
	displayOptions: { show: { '@tool': [false] } },
};

// Says plainly that n8n is too old if it lacks something that these nodes use. n8n before 1.87 shows no field that asks
// for `@tool`, and silently ignores what a workflow holds for it: a list would stop at 50 whatever its Limit. n8n
// before 1.85 lacks `NodeConnectionTypes` and would say “Class could not be found”, as it does for every TypeError in a
// node's file. n8n shows any other error where the package is installed, and in its log.
if (!NodeHelpers.displayParameter({}, NOT_ON_TOOLS, { typeVersion: 1 }, null))
	throw new Error(
		`The Commerce Platform nodes need n8n ${OLDEST_N8N} or newer, and this n8n is older. Update n8n, then install the package again.`,
	);

import { NodeHelpers, type INode, type INodeParameters } from 'n8n-workflow';

import { propertiesOf } from '../../../nodes/CommercePlatform/resources/properties';
import { api, resources } from '../../../nodes/CommercePlatform/CommercePlatform.node.ts';
import { CASES } from '../../engine/operations/cases';
import type { Fixtures } from '../../engine/operations/shop';
import type { Credential, WorkflowFile } from '../../support/n8n/types';
import { chain, manualTrigger, shopNode } from '../../support/n8n/workflows';

const COLUMNS = 10;
const SPACING = { x: 220, y: 200 };

/** Names of records. They need not exist, since nothing runs. */
const RECORDS: Fixtures = {
	category: 'cat_1',
	customer: 'cus_1',
	event: 'evt_1',
	handle: 'blue-shirt',
	lineItem: 'li_1',
	order: 'ord_1',
	product: 'prod_1',
	sku: 'SHIRT-BLUE',
	webhook: 'wh_1',
};

/** The node's properties. The node itself cannot be imported here: a file `….node` is taken for a compiled addon. */
const properties = propertiesOf(api);

/** Nodes in the state after an operation was chosen, one for each operation. */
const untouched = (): Array<Partial<INode>> =>
	resources.flatMap(({ name, value: resource, operations }) =>
		operations.map(({ option }) =>
			shopNode(`${name} ${option.name}`, { resource, operation: option.value }),
		),
	);

/** How many operations there are. */
export const OPERATIONS = untouched().length;

/** Nodes as a user sets them up, at least one for each operation. */
const setUp = (): Array<Partial<INode>> =>
	CASES.map(({ operation: name, parameters }, number) => {
		const [resource, operation] = name.split('.');
		const chosen = parameters(RECORDS) as INodeParameters;
		return shopNode(`${number + 1} ${name}`, { resource, operation, ...chosen });
	});

/** One workflow with all of them, not connected, in rows. */
export function everyOperation(credential: Credential): WorkflowFile {
	const parts = [manualTrigger('Start'), ...untouched(), ...setUp()];
	const { name, nodes } = chain('Every Operation', credential, parts);
	const inRows = nodes.map((node, place): INode => ({
		...node,
		position: [(place % COLUMNS) * SPACING.x, Math.floor(place / COLUMNS) * SPACING.y],
	}));
	return { name, nodes: inRows, connections: {} };
}

/** Names of this package's nodes in a workflow. */
export const ownNodes = ({ nodes }: WorkflowFile): string[] =>
	nodes.filter(({ type }) => type.endsWith('.commercePlatform')).map(({ name }) => name);

/** Parameters by node's name, exactly as the workflow stores them. */
export const storedParameters = (workflow: WorkflowFile): Record<string, INodeParameters> =>
	parametersOf(workflow, ({ parameters }) => parameters);

/** Parameters by node's name with all defaults: those that the node would run with. */
export const effectiveParameters = (workflow: WorkflowFile): Record<string, INodeParameters> =>
	parametersOf(
		workflow,
		(node) =>
			NodeHelpers.getNodeParameters(properties, node.parameters, true, false, node, null) ?? {},
	);

function parametersOf(
	workflow: WorkflowFile,
	read: (node: INode) => INodeParameters,
): Record<string, INodeParameters> {
	const own = new Set(ownNodes(workflow));
	const nodes = workflow.nodes.filter(({ name }) => own.has(name));
	// As JSON, which is what a file and the browser hold.
	return JSON.parse(
		JSON.stringify(Object.fromEntries(nodes.map((node) => [node.name, read(node)]))),
	) as Record<string, INodeParameters>;
}

import type { IDataObject, INode, INodeType } from 'n8n-workflow';

import { n8nWorkflow } from './n8nCore';

export type Workflow = InstanceType<typeof n8nWorkflow.Workflow>;

/**
 * An active workflow of one trigger, as n8n loads it from its database.
 *
 * @param staticData as the database holds it, JSON
 */
export function oneNodeWorkflow(
	workflow: { id?: string; name: string },
	node: INode,
	type: INodeType,
	staticData: string,
): Workflow {
	return new n8nWorkflow.Workflow({
		id: workflow.id ?? 'workflow-1',
		name: workflow.name,
		nodes: [node],
		connections: {},
		active: true,
		nodeTypes: {
			getByName: () => type,
			getByNameAndVersion: () => type,
			getKnownTypes: () => ({}),
		},
		staticData: JSON.parse(staticData) as IDataObject,
	});
}

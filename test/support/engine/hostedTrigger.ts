import type { IDataObject, INode, INodeType, IWorkflowExecuteAdditionalData } from 'n8n-workflow';

import { credentialsHelper, type ShopAccess } from './credentialsHelper';
import { n8nWorkflow } from './n8nCore';
import { nodeTypesOf, WORKFLOW_ID } from './workflow';

type Workflow = InstanceType<typeof n8nWorkflow.Workflow>;

/** One trigger in one workflow, as n8n stores it. */
export interface HostedSetup {
	credentials: ShopAccess;
	credentialId?: string;
	parameters?: IDataObject;
	workflowId?: string;
	workflowName?: string;
	nodeId?: string;
	nodeName?: string;
	webhookId?: string;
	/** The static data in the database; it survives with this object. */
	database?: { staticData: string };
}

/** An active workflow with one trigger, on n8n-core: its database, and the contexts that it passes to the trigger. */
export abstract class HostedTrigger<Setup extends HostedSetup> {
	readonly database: { staticData: string };
	/** The node's log messages of level warn. */
	readonly warnings: string[] = [];

	constructor(
		protected readonly setup: Setup,
		protected trigger: INodeType,
	) {
		this.database = setup.database ?? { staticData: '{}' };
	}

	protected get node(): INode {
		const { credentialId = 'credential-1', nodeName = 'Trigger', nodeId = 'node-1' } = this.setup;
		return {
			id: nodeId,
			name: nodeName,
			type: 'test.trigger',
			typeVersion: this.trigger.description.version as number,
			position: [0, 0],
			webhookId: this.setup.webhookId,
			parameters: this.setup.parameters as INode['parameters'],
			credentials: { commercePlatformApi: { id: credentialId, name: 'Shop' } },
		};
	}

	/** The workflow as n8n loads it from its database. @param staticData JSON */
	protected load(staticData = this.database.staticData): Workflow {
		return new n8nWorkflow.Workflow({
			id: this.setup.workflowId ?? WORKFLOW_ID,
			name: this.setup.workflowName ?? 'Orders',
			nodes: [this.node],
			connections: {},
			active: true,
			nodeTypes: nodeTypesOf(() => this.trigger),
			staticData: JSON.parse(staticData) as IDataObject,
		});
	}

	/** n8n writes the whole static data, if it was changed. */
	protected save({ staticData }: Workflow): void {
		if (!(staticData as { __dataChanged?: boolean }).__dataChanged) return;
		this.database.staticData = JSON.stringify(staticData);
	}

	protected additionalData(more: object = {}): IWorkflowExecuteAdditionalData {
		const data = { credentialsHelper: credentialsHelper(this.setup), variables: {}, ...more };
		return data as unknown as IWorkflowExecuteAdditionalData;
	}

	/** The context with a log that stores warnings only. */
	protected logged<Context extends object>(context: Context): Context {
		const warn = (message: string, details?: object) =>
			void this.warnings.push(`${message} ${JSON.stringify(details ?? {})}`);
		const quiet = () => undefined;
		const value = { warn, debug: quiet, info: quiet, error: quiet };
		return Object.defineProperty(context, 'logger', { value });
	}
}

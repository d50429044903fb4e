import type { IWorkflowExecuteAdditionalData } from 'n8n-workflow';

import { credentialsHelper } from './credentialsHelper';
import { n8nCore } from './n8nCore';
import type { NodeRun } from './runNode';

const { ExecutionLifecycleHooks } = n8nCore;

/** What n8n hands to an execution: its hooks, addresses and credentials. */
export function additionalData(
	options: NodeRun,
	workflowId: string,
): IWorkflowExecuteAdditionalData {
	const executionId = options.executionId ?? 'execution-1';
	const hooks = new ExecutionLifecycleHooks('manual', executionId, {
		id: workflowId,
		name: 'Test',
		active: false,
		activeVersionId: null,
		isArchived: false,
		createdAt: new Date(),
		updatedAt: new Date(),
		nodes: [],
		connections: {},
	});
	const data: Partial<IWorkflowExecuteAdditionalData> & { hooks: typeof hooks } = {
		hooks,
		executionId,
		workflowId,
		currentNodeExecutionIndex: 0,
		restApiUrl: 'http://127.0.0.1/rest',
		instanceBaseUrl: 'http://127.0.0.1/',
		formBaseUrl: 'http://127.0.0.1/form',
		formWaitingBaseUrl: 'http://127.0.0.1/form-waiting',
		formTestBaseUrl: 'http://127.0.0.1/form-test',
		webhookBaseUrl: 'http://127.0.0.1/webhook',
		webhookWaitingBaseUrl: 'http://127.0.0.1/webhook-waiting',
		webhookTestBaseUrl: 'http://127.0.0.1/webhook-test',
		variables: {},
		credentialsHelper: credentialsHelper(
			options,
		) as unknown as IWorkflowExecuteAdditionalData['credentialsHelper'],
	};
	return data as IWorkflowExecuteAdditionalData;
}

import type { IWorkflowExecuteAdditionalData } from 'n8n-workflow';

import { credentialsHelper } from './credentialsHelper';
import { n8nCore } from './n8nCore';
import type { NodeRun } from './runNode';
import { WORKFLOW_ID } from './workflow';

const { ExecutionLifecycleHooks } = n8nCore;

/** What n8n passes to an execution: hooks, addresses and credentials. */
export function additionalData(options: NodeRun): IWorkflowExecuteAdditionalData {
	const { executionId = 'execution-1' } = options;
	const workflowId = WORKFLOW_ID;
	const workflow = { id: workflowId, name: 'Test', nodes: [], connections: {} };
	const hooks = new ExecutionLifecycleHooks('manual', executionId, workflow as never);
	const data = {
		hooks,
		executionId,
		workflowId,
		currentNodeExecutionIndex: 0,
		formWaitingBaseUrl: 'http://127.0.0.1/form-waiting',
		webhookWaitingBaseUrl: 'http://127.0.0.1/webhook-waiting',
		variables: {},
		credentialsHelper: credentialsHelper(options),
	};
	return data as unknown as IWorkflowExecuteAdditionalData;
}

import type { TestEnvironment } from '../support/environment/testEnvironment';
import type { ExecutionCounts } from '../support/n8n/executionCounts';
import type { Workflow } from '../support/n8n/types';

/** Published once, for all trials that need it. */
export interface TrialContext {
	environment: TestEnvironment;
	counts: ExecutionCounts;
	paid?: Workflow;
}

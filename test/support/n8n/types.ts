import type {
	IConnections,
	INode,
	IPinData,
	IRunExecutionData,
	IWorkflowSettings,
} from 'n8n-workflow';

export interface Owner {
	email: string;
	password: string;
}

export interface Credential {
	id: string;
	name: string;
	type: string;
}

/** The message of the credential dialog after its test. */
export interface CredentialTest {
	status: 'OK' | 'Error';
	message: string;
}

/** A workflow as it is exported and imported. */
export interface WorkflowFile {
	name: string;
	nodes: INode[];
	connections: IConnections;
	settings?: IWorkflowSettings;
	/** Output that nodes give instead of running, by their names. */
	pinData?: IPinData;
}

export interface Workflow extends WorkflowFile {
	id: string;
	versionId: string;
	active: boolean;
	staticData?: object | null;
}

export interface PublicationStatus {
	status: 'in_progress' | 'not_published' | 'published' | 'partial' | 'failed';
	triggers: Array<{ nodeId: string; status: string; errorMessage: string | null }>;
}

export interface ExecutionSummary {
	id: string;
	workflowId: string;
	status: string;
	mode: string;
	startedAt: string;
	stoppedAt: string | null;
	/** The failed execution that it retries. */
	retryOf?: string | null;
}

export interface Execution extends ExecutionSummary {
	/** The runs of the nodes and their output. */
	data: IRunExecutionData;
	/** The same as text, as n8n stores it, for searching. */
	raw: string;
}

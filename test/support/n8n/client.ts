import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';

import { parse } from 'flatted';
import type { IDataObject, INode, IRunExecutionData } from 'n8n-workflow';

import type { ApiAccess } from '../../../platform/support/apiClient';
import { until } from '../../../platform/support/until';
import { NEWEST, type RestDialect } from './restDialect';
import { N8nRefusal, RestConnection } from './rest';
import type {
	Credential,
	CredentialTest,
	Execution,
	ExecutionSummary,
	Owner,
	PublicationStatus,
	Workflow,
	WorkflowFile,
} from './types';

/** Longer than n8n's claim on a publication (2 min), which survives if n8n is killed. */
const PUBLICATION_TIMEOUT_MS = 180_000;
const EXECUTION_TIMEOUT_MS = 180_000;
/** After this time it is worth a look at the list whether a retry has ended. */
const ANSWERS_WITHIN_MS = 30_000;
const PAGE = 100;

const FINISHED = new Set(['success', 'error', 'crashed', 'canceled']);

/** A user's actions in n8n's editor, as calls. */
export class N8nClient {
	readonly rest: RestConnection;
	/** Answers to reads that had to be repeated ({@link RestDialect.mayFailReads}). */
	readonly failedReads: string[] = [];

	constructor(
		url: string,
		private readonly dialect: RestDialect = NEWEST,
	) {
		this.rest = new RestConnection(url);
	}

	/** Creates the first user of a fresh n8n and logs in. */
	async setUpOwner(owner: Owner): Promise<void> {
		await this.rest.send('POST', '/owner/setup', { ...owner, firstName: 'Demo', lastName: 'Shop' });
		await this.logIn(owner);
	}

	async logIn(owner: Owner): Promise<void> {
		await this.rest.send('POST', '/login', {
			emailOrLdapLoginId: owner.email,
			password: owner.password,
		});
	}

	async createCredential(name: string, type: string, data: object): Promise<Credential> {
		return await this.rest.send('POST', '/credentials', { name, type, data });
	}

	/** Creates a credential of this package. */
	async createShopCredential(name: string, { baseUrl, apiKey }: ApiAccess): Promise<Credential> {
		return await this.createCredential(name, 'commercePlatformApi', { baseUrl, apiKey });
	}

	/** The result of the credential dialog's test, e.g. `{ status: 'OK', message: … }`. */
	async testCredential(credential: Credential, data: object): Promise<CredentialTest> {
		const { id, name, type } = credential;
		return await this.rest.send('POST', '/credentials/test', {
			credentials: { id, name, type, data },
		});
	}

	async createWorkflow(file: WorkflowFile): Promise<Workflow> {
		const { name, nodes, connections, pinData, settings = { executionOrder: 'v1' } } = file;
		return await this.rest.send('POST', '/workflows', {
			...this.dialect.newWorkflow,
			name,
			nodes,
			connections,
			settings,
			pinData,
		});
	}

	async getWorkflow(id: string): Promise<Workflow> {
		return await this.rest.send('GET', `/workflows/${id}`);
	}

	/** Changes a node, maybe also its name, and saves the workflow; the published version stays. */
	async changeNode(id: string, name: string, change: (node: INode) => void): Promise<void> {
		const { nodes, connections, versionId } = await this.getWorkflow(id);
		const node = nodes.find((candidate) => candidate.name === name)!;
		const { [name]: links, ...others } = connections;
		change(node);
		await this.rest.send('PATCH', `/workflows/${id}`, {
			nodes,
			connections: { ...others, [node.name]: links },
			versionId,
		});
	}

	/** Duplicates a workflow with everything that a copy can inherit, static data included. */
	async duplicate(id: string): Promise<Workflow> {
		const { name, nodes, connections, settings, staticData } = await this.getWorkflow(id);
		for (const node of nodes) if (node.webhookId) node.webhookId = randomUUID();
		return await this.rest.send<Workflow>('POST', '/workflows', {
			name: `${name} copy`,
			nodes,
			connections,
			settings,
			staticData,
		});
	}

	/** The newest hundred published workflows. */
	async publishedWorkflows(): Promise<Workflow[]> {
		const filter = encodeURIComponent(JSON.stringify({ active: true }));
		return await this.rest.send('GET', `/workflows?filter=${filter}&take=${PAGE}`);
	}

	async deleteWorkflow(id: string): Promise<void> {
		await this.rest.send('POST', `/workflows/${id}/archive`, {});
		await this.rest.send('DELETE', `/workflows/${id}`);
	}

	/**
	 * Publishes the workflow's newest version and waits until its triggers are active: n8n answers earlier.
	 *
	 * @throws Error with the trigger's message if a trigger cannot be activated
	 */
	async activate(id: string): Promise<void> {
		const { versionId } = await this.getWorkflow(id);
		await this.publish(id, true, { versionId });
		const { status, triggers } = await this.publication(id, ['published', 'partial', 'failed']);
		if (status === 'published') return;
		const reasons = triggers.flatMap(({ errorMessage }) => (errorMessage ? [errorMessage] : []));
		throw new Error(`Workflow ${id} is ${status}: ${reasons.join('; ')}`);
	}

	/** Unpublishes the workflow and waits until its triggers are gone. */
	async deactivate(id: string): Promise<void> {
		await this.publish(id, false, {});
		await this.publication(id, ['not_published']);
	}

	private async publish(id: string, active: boolean, version: object): Promise<void> {
		if (this.dialect.publishesByUpdate) {
			const { versionId } = await this.getWorkflow(id);
			await this.rest.send('PATCH', `/workflows/${id}`, { active, versionId });
			return;
		}
		const path = `/workflows/${id}/${active ? 'activate' : 'deactivate'}`;
		await this.rest.send('POST', path, version);
	}

	async publicationStatus(id: string): Promise<PublicationStatus> {
		try {
			return await this.rest.send('GET', `/workflows/${id}/publication-status`);
		} catch (error) {
			if (!this.dialect.mayPublishAtOnce || !(error instanceof N8nRefusal)) throw error;
			const { active } = await this.getWorkflow(id);
			return { status: active ? 'published' : 'not_published', triggers: [] };
		}
	}

	/**
	 * Starts the workflow from the named trigger. Does not wait for its end.
	 *
	 * @param given the trigger's item, if a user enters one (a chat)
	 * @returns the execution's id
	 */
	async run(id: string, trigger: string, given?: IDataObject): Promise<string> {
		const data = given && {
			startTime: Date.now(),
			executionTime: 0,
			executionIndex: 0,
			executionStatus: 'success',
			source: [null],
			data: { main: [[{ json: given }]] },
		};
		return (await this.start<{ executionId: string }>(id, { name: trigger, data })).executionId;
	}

	/** Presses “Listen for test event” of the named trigger. */
	async listen(id: string, trigger: string): Promise<void> {
		await this.start(id, { name: trigger });
	}

	private async start<T>(id: string, triggerToStartFrom: object): Promise<T> {
		const workflowData = this.dialect.runsWhatIsSent ? await this.getWorkflow(id) : undefined;
		return await this.rest.send('POST', `/workflows/${id}/run`, {
			...(workflowData && { workflowData }),
			triggerToStartFrom,
		});
	}

	/** All executions, or those of one workflow; the newest first. */
	async executions(workflowId?: string): Promise<ExecutionSummary[]> {
		const filter = encodeURIComponent(JSON.stringify({ workflowId }));
		const all: ExecutionSummary[] = [];
		let from = '';
		for (;;) {
			const { results, nextCursor } = await this.rest.send<{
				results: ExecutionSummary[];
				nextCursor?: string | null;
			}>('GET', `/executions?limit=${PAGE}&filter=${filter}${from}`);
			// Two that began in the same millisecond may stand on both sides of a page's end.
			all.push(...results.filter(({ id }) => all.every((listed) => listed.id !== id)));
			if (results.length < PAGE || nextCursor === null) return all;
			// Older versions have no cursors.
			from =
				nextCursor === undefined
					? `&lastId=${all.at(-1)!.id}`
					: `&cursor=${encodeURIComponent(nextCursor)}`;
		}
	}

	async execution(id: string): Promise<Execution> {
		const stored = await this.rest.send<ExecutionSummary & { data: string }>(
			'GET',
			`/executions/${id}`,
		);
		return { ...stored, raw: stored.data, data: parse(stored.data) as IRunExecutionData };
	}

	/**
	 * Retries a failed execution from the node that failed, and waits until that has ended. In queue mode n8n never answers
	 * if the retry ends before n8n listens for its end; its list of executions has it all the same.
	 *
	 * @param workflow the one that failed, or the workflow as it is saved now
	 */
	async retry(
		{ id, workflowId }: ExecutionSummary,
		workflow: 'original' | 'saved',
	): Promise<ExecutionSummary> {
		const options = { loadWorkflow: workflow === 'saved' };
		const answer = this.rest.send<ExecutionSummary>('POST', `/executions/${id}/retry`, options);
		const answered = new AbortController();
		void answer.catch(() => undefined).finally(() => answered.abort());
		const listed = async () => {
			await wait(ANSWERS_WITHIN_MS, undefined, { signal: answered.signal });
			return await this.poll(`the retry of ${id} to end`, EXECUTION_TIMEOUT_MS, async () =>
				(await this.executions(workflowId)).find(
					({ retryOf, status }) => retryOf === id && FINISHED.has(status),
				),
			);
		};
		return await Promise.race([answer, listed()]);
	}

	/**
	 * Waits until the execution has ended.
	 *
	 * @throws Error if it has not ended after `timeoutMs`
	 */
	async finishedExecution(id: string, timeoutMs = EXECUTION_TIMEOUT_MS): Promise<Execution> {
		return await this.poll(`execution ${id} to end`, timeoutMs, async () => {
			const execution = await this.execution(id);
			return FINISHED.has(execution.status) ? execution : undefined;
		});
	}

	/**
	 * Waits until the workflow has `count` executions and all of them have ended.
	 *
	 * @returns the executions, oldest first
	 * @throws Error if this is not so after `timeoutMs`
	 */
	async finishedExecutions(
		workflowId: string,
		count: number,
		timeoutMs = EXECUTION_TIMEOUT_MS,
	): Promise<Execution[]> {
		const summaries = await this.poll(
			`${count} executions of ${workflowId}`,
			timeoutMs,
			async () => {
				const all = await this.executions(workflowId);
				const ended = all.filter(({ status }) => FINISHED.has(status));
				return ended.length >= count && ended.length === all.length ? ended : undefined;
			},
		);
		return await Promise.all(summaries.reverse().map(async ({ id }) => await this.execution(id)));
	}

	/**
	 * Reads from n8n until there is an answer.
	 *
	 * @throws Error if there is none after `timeoutMs`
	 */
	async poll<T>(what: string, timeoutMs: number, read: Parameters<typeof until<T>>[2]): Promise<T> {
		return await until(what, timeoutMs, async () => {
			try {
				return await read();
			} catch (error) {
				if (!this.dialect.mayFailReads || !isFailedRead(error)) throw error;
				this.failedReads.push(error.message);
				return undefined;
			}
		});
	}

	private async publication(
		id: string,
		wanted: Array<PublicationStatus['status']>,
	): Promise<PublicationStatus> {
		return await this.poll(
			`workflow ${id} to be ${wanted[0]}`,
			PUBLICATION_TIMEOUT_MS,
			async () => {
				const status = await this.publicationStatus(id);
				return wanted.includes(status.status) ? status : undefined;
			},
		);
	}
}

const isFailedRead = (error: unknown): error is N8nRefusal =>
	error instanceof N8nRefusal && error.isRead && error.status >= 500;

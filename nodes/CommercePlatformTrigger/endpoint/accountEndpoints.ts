import { randomUUID } from 'node:crypto';
import type { IDataObject, IHookFunctions } from 'n8n-workflow';

import { createClient, type PlatformClient } from '../../shared/api/client';
import type { Clock } from '../../shared/api/clock';
import { isLoopbackHost } from '../../shared/api/credential';
import type { SendOptions } from '../../shared/api/request';
import { isNotFound } from '../../shared/errors/errors';
import { withNodeErrors } from '../../shared/errors/nodeErrors';
import type { StrandedEndpoint } from '../memory/endpointRecord';
import { idOf, readEndpoint, type ListedEndpoint } from './ownership';

const ERROR_CONTEXT = { noun: 'webhook endpoint' };

/** Publishing may wait for the next minute's budget. Attempts and ms. */
export const PUBLISHING = { maxAttempts: 5, maxWaitMs: 65_000, timeoutMs: 20_000 };

/** Unpublishing should not keep the user waiting. Attempts and ms. */
export const UNPUBLISHING = { maxAttempts: 3, maxWaitMs: 10_000, timeoutMs: 10_000 };

/** The webhook endpoints of the credential's account (API document, "Webhooks"). */
export class AccountEndpoints {
	/** @param options how long to wait and how often to try again when the platform does not answer well */
	constructor(
		private readonly context: IHookFunctions,
		private readonly options: Partial<SendOptions>,
		private readonly clock: Clock,
	) {}

	/** @throws NodeApiError */
	async list(): Promise<ListedEndpoint[]> {
		return await this.withClient(async (client) => {
			const found: ListedEndpoint[] = [];
			// The API document gives this list no query.
			const records = client.records({ method: 'GET', path: '/webhooks' }, { takesQuery: false });
			for await (const record of records) {
				const endpoint = readEndpoint(record);
				if (endpoint !== undefined) found.push(endpoint);
			}
			return found;
		});
	}

	/**
	 * Removes one endpoint. One that is not there counts as removed.
	 *
	 * @throws NodeApiError
	 */
	async remove(id: string): Promise<void> {
		const path = '/webhooks/{webhookId}';
		const pathParams = { webhookId: id };
		await this.withClient(async (client) => {
			await client.request({ method: 'DELETE', path, pathParams }).catch((error: unknown) => {
				if (!isNotFound(error)) throw error;
			});
		});
	}

	/** Removes one after the other. @returns those that could not be removed, which is logged */
	async removeAll(
		endpoints: ReadonlyArray<Pick<ListedEndpoint, 'id' | 'url'>>,
	): Promise<StrandedEndpoint[]> {
		const stranded: StrandedEndpoint[] = [];
		for (const { id, url } of endpoints) {
			const problem = `could not remove webhook endpoint ${id}; the next activation will`;
			const removed = this.remove(id).then(() => true);
			if (!(await orWarn(this.context, problem, removed, false)))
				stranded.push({ id, address: url });
		}
		return stranded;
	}

	/**
	 * Creates an endpoint. All attempts of this creation have one Idempotency-Key, the next creation has
	 * another: for a key that it knows, a platform may return an endpoint that has been removed since.
	 *
	 * @returns without `id` or `secret` if the answer has none
	 * @throws NodeApiError
	 */
	async create(body: IDataObject) {
		const idempotencyKey = randomUUID();
		const request = { method: 'POST', path: '/webhooks', body, idempotencyKey } as const;
		const { record = {} } = await this.withClient(async (client) => await client.request(request));
		const { status, secret } = record;
		return {
			id: idOf(record),
			status: typeof status === 'string' ? status : null,
			secret: typeof secret === 'string' && secret !== '' ? secret : undefined,
		};
	}

	private async withClient<T>(work: (client: PlatformClient) => Promise<T>): Promise<T> {
		const open = async () => await createClient(this.context, this.options, this.clock);
		return await withNodeErrors(this.context, ERROR_CONTEXT, async () => await work(await open()));
	}
}

/** Waits for work that may fail: then n8n's log says what went wrong, and the other value counts. */
export async function orWarn<T>(
	context: IHookFunctions,
	problem: string,
	work: Promise<T>,
	otherwise: T,
): Promise<T> {
	return await work.catch((error: unknown) => {
		const reason = error instanceof Error ? error.message : String(error);
		const who = `Commerce Platform Trigger "${context.getNode().name}"`;
		context.logger.warn(`${who} ${problem}: ${reason}`, { workflowId: context.getWorkflow().id });
		return otherwise;
	});
}

/**
 * Why the platform cannot send deliveries to a webhook address (API document, "Receiver requirements":
 * HTTPS only). An address on this machine is allowed only towards a platform on this machine.
 *
 * @param address the webhook URL of n8n
 * @param platform base URL of the API
 * @returns undefined where it can
 */
export function addressProblem(address: string, platform: string): string | undefined {
	const url = parse(address);
	if (url === undefined) return `n8n's webhook address “${address}” is not a web address`;
	if (isThisMachine(url.hostname)) {
		if (isLoopbackHost(parse(platform)?.hostname ?? '')) return undefined;
		return `The platform cannot reach n8n at ${url.origin}, an address of this machine only`;
	}
	if (url.protocol === 'https:') return undefined;
	return `The platform delivers to https addresses only, and n8n's is ${url.origin}`;
}

function isThisMachine(hostname: string): boolean {
	const bare = hostname.replace(/\.$/, '');
	return isLoopbackHost(bare) || /\.localhost$|^0\.0\.0\.0$|^\[::(ffff:7f.*)?\]$/.test(bare);
}

function parse(text: string): URL | undefined {
	const url = URL.canParse(text) ? new URL(text) : undefined;
	return url?.protocol === 'http:' || url?.protocol === 'https:' ? url : undefined;
}

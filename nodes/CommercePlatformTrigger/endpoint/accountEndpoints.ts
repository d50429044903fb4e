import { randomUUID } from 'node:crypto';
import type { IDataObject, IHookFunctions } from 'n8n-workflow';

import { createClient, type PlatformClient } from '../../shared/api/client';
import type { Clock } from '../../shared/api/clock';
import { withNodeErrors } from '../../shared/errors/nodeErrors';
import { isNotFound } from '../../shared/errors/errors';
import type { SendOptions } from '../../shared/api/request';
import { readEndpoint, type ListedEndpoint } from './ownership';

/** Scope that registering, listing and removing endpoints needs (API document, "Webhooks"). */
export const ENDPOINT_SCOPE = 'webhooks.manage';

const ERROR_CONTEXT = { noun: 'webhook endpoint', scope: ENDPOINT_SCOPE };

/** Publishing may wait for the next minute's budget. Attempts and ms. */
export const PUBLISHING = { maxAttempts: 5, maxWaitMs: 65_000, timeoutMs: 20_000 };

/** Unpublishing should not keep the user waiting. Attempts and ms. */
export const UNPUBLISHING = { maxAttempts: 3, maxWaitMs: 10_000, timeoutMs: 10_000 };

/** What the platform answers to a creation. */
export interface CreatedEndpoint {
	id: string;
	status: string | null;
	/** undefined if the answer has none. */
	secret: string | undefined;
}

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
		const request = {
			method: 'DELETE',
			path: '/webhooks/{webhookId}',
			pathParams: { webhookId: id },
		} as const;
		await this.withClient(async (client) => {
			await client.request(request).catch((error: unknown) => {
				if (!isNotFound(error)) throw error;
			});
		});
	}

	/**
	 * Creates an endpoint. All attempts of this creation have one Idempotency-Key, the next creation has
	 * another: for a key that it knows, a platform may return an endpoint that has been removed since.
	 *
	 * @throws NodeApiError
	 */
	async create(body: IDataObject): Promise<CreatedEndpoint> {
		const idempotencyKey = randomUUID();
		const { record } = await this.withClient(
			async (client) =>
				await client.request({ method: 'POST', path: '/webhooks', body, idempotencyKey }),
		);
		const { id, status, secret } = record ?? {};
		return {
			id: typeof id === 'string' ? id : '',
			status: typeof status === 'string' ? status : null,
			secret: typeof secret === 'string' && secret !== '' ? secret : undefined,
		};
	}

	private async withClient<T>(work: (client: PlatformClient) => Promise<T>): Promise<T> {
		return await withNodeErrors(
			this.context,
			ERROR_CONTEXT,
			async () => await work(await createClient(this.context, this.options, this.clock)),
		);
	}
}

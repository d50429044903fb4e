import { randomUUID } from 'node:crypto';
import type { IDataObject, IHookFunctions } from 'n8n-workflow';

import { callPlatform } from '../../shared/api/call';
import { connect } from '../../shared/api/connection';
import { toNodeError } from '../../shared/api/nodeErrors';
import { walkPages } from '../../shared/api/walk';
import { readEndpoint, type ListedEndpoint } from './ownership';

const FACTS = { noun: 'webhook endpoint', scope: 'webhooks.manage' };

/** Publishing may wait for the next minute's budget. Attempts and ms. */
const PATIENT = { maxAttempts: 5, maxWaitMs: 65_000, timeoutMs: 20_000 };

/** Unpublishing should not keep the user waiting. Attempts and ms. */
const BRIEF = { maxAttempts: 3, maxWaitMs: 10_000, timeoutMs: 10_000 };

/** What the platform tells once, at creation. */
export interface CreatedEndpoint {
	id: string;
	status: string | null;
	/** undefined where the answer has none. */
	secret: string | undefined;
}

/** The endpoints of the account (API document, "Webhooks"), as patient or brief as asked. */
export class AccountEndpoints {
	private readonly options;

	constructor(
		private readonly context: IHookFunctions,
		pace: 'patient' | 'brief',
	) {
		this.options = pace === 'patient' ? PATIENT : BRIEF;
	}

	/** @throws NodeApiError */
	async list(): Promise<ListedEndpoint[]> {
		const found: IDataObject[] = [];
		try {
			const connection = await connect(this.context, this.options);
			// The API document gives this list no query.
			const list = { method: 'GET', path: '/webhooks' } as const;
			const pages = walkPages(connection, list, { sendLimit: false });
			for await (const { page } of pages) found.push(...page.records);
		} catch (error) {
			throw toNodeError(this.context.getNode(), error, FACTS);
		}
		return found.map(readEndpoint).filter((endpoint) => endpoint !== undefined);
	}

	/**
	 * One endpoint is removed; one that is not there counts as removed.
	 *
	 * @throws NodeApiError
	 */
	async remove(id: string): Promise<void> {
		try {
			await callPlatform(
				this.context,
				{ method: 'DELETE', path: '/webhooks/{webhookId}', pathParams: { webhookId: id } },
				FACTS,
				this.options,
			);
		} catch (error) {
			if (!isNotFound(error)) throw toNodeError(this.context.getNode(), error, FACTS);
		}
	}

	/**
	 * One Idempotency-Key for all attempts of this creation, another for the next: under the same key a
	 * platform may hand back an endpoint that has been removed since.
	 *
	 * @throws NodeApiError
	 */
	async create(body: IDataObject): Promise<CreatedEndpoint> {
		const answer = await callPlatform(
			this.context,
			{ method: 'POST', path: '/webhooks', body, idempotencyKey: randomUUID() },
			FACTS,
			this.options,
		);
		const { data } = (answer.body ?? {}) as { data?: IDataObject };
		const { id, status, secret } = data ?? (answer.body as IDataObject | undefined) ?? {};
		return {
			id: typeof id === 'string' ? id : '',
			status: typeof status === 'string' ? status : null,
			secret: typeof secret === 'string' && secret !== '' ? secret : undefined,
		};
	}
}

function isNotFound(error: unknown): boolean {
	return (error as { httpCode?: string | null } | null)?.httpCode === '404';
}

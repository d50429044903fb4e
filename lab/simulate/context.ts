import { EventEmitter } from 'node:events';

import {
	ObservableObject,
	type IDataObject,
	type IHookFunctions,
	type IHttpRequestOptions,
} from 'n8n-workflow';

import type { WebhookAnswer } from '../../nodes/shared/n8n';
import type { SimulatedN8n } from './n8n';
import type { SimulatedProcess } from './process';
import type { SimulatedWorkflow } from './workflow';

export interface StaticData extends IDataObject {
	__dataChanged: boolean;
}

/** The context that n8n passes to the trigger. */
export function contextOf(
	{ platform, judge }: Pick<SimulatedN8n, 'platform' | 'judge'>,
	process: SimulatedProcess,
	{ id, address, parameters }: SimulatedWorkflow,
	nodeName: string,
	staticData: StaticData,
): Partial<IHookFunctions> {
	const key = `node:${nodeName}`;
	const send = async (_: string, options: IHttpRequestOptions) =>
		await platform.request(process.time, options);
	const warn = (text: string) => judge.note(`${process.name} logs: ${text}`);
	return {
		getNode: () => ({ name: nodeName, type: 'trigger', parameters: {} }) as never,
		getWorkflow: () => ({ id, name: 'Orders', active: true }),
		getMode: () => 'webhook',
		getTimezone: () => 'UTC',
		getNodeWebhookUrl: () => address,
		getWorkflowStaticData: () =>
			(staticData[key] ??= ObservableObject.create({}, staticData as never)) as IDataObject,
		getNodeParameter: (name: string, otherwise?: unknown) =>
			((parameters as Record<string, unknown>)[name] ?? otherwise) as never,
		getCredentials: async () =>
			({ baseUrl: 'https://api.shop.example/v1', apiKey: 'key' }) as never,
		logger: { warn, debug: () => {}, info: () => {}, error: warn } as never,
		helpers: { httpRequestWithAuthentication: send } as never,
	};
}

/** The part of an Express response that n8n and the trigger use. */
export class Answer extends EventEmitter implements WebhookAnswer {
	statusCode = 200;
	writableEnded = false;
	/** n8n's connection is closed. */
	destroyed = false;
	/** The sender no longer waits. */
	isAbandoned = false;

	constructor(private readonly onAnswer?: (status: number, reason?: string) => void) {
		super();
	}

	status(code: number): this {
		this.statusCode = code;
		return this;
	}

	json(body: { reason?: string }): void {
		this.send(this.statusCode, body.reason);
	}

	/** n8n answers. If the connection is closed, there is no `finish`. */
	send(status: number, reason?: string): void {
		if (this.writableEnded) return;
		this.writableEnded = true;
		this.statusCode = status;
		this.onAnswer?.(status, reason);
		if (!this.destroyed) this.emit('finish');
	}

	/** The connection closes, because the sender no longer waits. */
	hangUp(): void {
		this.destroyed = true;
	}
}

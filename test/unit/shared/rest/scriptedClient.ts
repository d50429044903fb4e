import { randomUUID } from 'node:crypto';

import type { IHttpRequestOptions, INode } from 'n8n-workflow';

import type {
	PlatformContext,
	PlatformRequest,
	SendOptions,
} from '../../../../nodes/shared/rest/request';
import type { PlatformError } from '../../../../nodes/shared/rest/errors';
import { shopClient } from '../../../../nodes/shared/shop/service';
import { FakeClock } from '../../fakeClock';

export interface Scripted {
	status?: number;
	body?: unknown;
	headers?: Record<string, unknown>;
	/** A body in pieces, each after this many ms. */
	pieces?: Array<[afterMs: number, text: string]>;
	/** The body as bytes. */
	bytes?: Buffer;
}
/** `nothing` never answers, but ends when it is given up; `deaf` does not end even then. */
export type Answer = Scripted | Error | 'nothing' | 'deaf';

export const failure = (code: string) => Object.assign(new Error(code), { code });

export const GET: PlatformRequest = {
	method: 'GET',
	path: '/orders/{id}',
	pathParams: { id: 'ord_1' },
};
export const POST: PlatformRequest = { method: 'POST', path: '/orders', body: { a: 1 } };

/** A client with its own key. It gets these answers in turn, on a clock that the test moves. */
export async function scriptedClient(
	answers: Answer[],
	options: Partial<SendOptions> = {},
	credential = { baseUrl: 'https://api.shop.example/v1/', apiKey: `cpk_${randomUUID()}` },
	clock = new FakeClock(),
) {
	const controller = new AbortController();
	const { signal } = controller;
	const sent: IHttpRequestOptions[] = [];
	const getCredentials = jest.fn(async () => await Promise.resolve(credential));
	const context = {
		getNode: () => ({}) as INode,
		getCredentials,
		getExecutionCancelSignal: () => signal,
		helpers: {
			async httpRequestWithAuthentication(
				this: PlatformContext,
				type: string,
				request: IHttpRequestOptions,
			) {
				// As in n8n's helper.
				await this.getCredentials(type);
				const answer = answers[sent.length];
				sent.push(request);
				if (answer === undefined) throw new Error('asked for too much');
				if (answer instanceof Error) throw answer;
				if (answer === 'deaf') return await new Promise(() => undefined);
				if (answer === 'nothing') return await aborted(request.abortSignal as AbortSignal);
				const { status = 200, headers = {}, body, pieces, bytes } = answer;
				if (bytes !== undefined) return { statusCode: status, headers, body: [bytes] };
				const text = typeof body === 'string' ? body : (JSON.stringify(body) ?? '');
				return { statusCode: status, headers, body: inPieces(clock, pieces ?? [[0, text]]) };
			},
		},
	};
	const client = await shopClient(context as unknown as PlatformContext, options, clock);
	const request = async (toSend = GET) => await outcomeOf(client.request(toSend));
	/** The outcome of a request, after this many ms. */
	const after = async (ms: number, toSend = GET) => {
		const waiting = request(toSend);
		await clock.advance(ms);
		return await waiting;
	};
	return {
		client,
		clock,
		sent,
		request,
		after,
		getCredentials,
		signal,
		cancel: () => controller.abort(),
	};
}

async function* inPieces(clock: FakeClock, pieces: Array<[number, string]>) {
	for (const [afterMs, text] of pieces) {
		if (afterMs > 0) await clock.sleep(afterMs);
		yield Buffer.from(text);
	}
}

/** As in axios. */
const aborted = async (signal: AbortSignal): Promise<never> =>
	await new Promise((_resolve, reject) => {
		signal.addEventListener('abort', () => reject(failure('ERR_CANCELED')), { once: true });
	});

const outcomeOf = async (work: Promise<unknown>) =>
	await work.then(
		(value) => ({ value, error: undefined }),
		(error: unknown) => ({ value: undefined, error: error as PlatformError }),
	);

import type { IExecuteFunctions, IExecuteSingleFunctions } from 'n8n-workflow';

import {
	idempotencyKeyOf,
	requestDigest,
	type WriteIdentity,
} from '../../shared/api/idempotencyKey';
import type { PlatformRequest } from '../../shared/api/request';
import { InputError } from '../../shared/input/inputError';
import { ItemMemory } from './itemMemory';

/** What tells a run's writes apart from any other run's. */
export type RunIdentity = Omit<WriteIdentity, 'itemIndex' | 'step'>;

/** The writes of items whose result is not known yet, by the step of their operation. */
const open = new ItemMemory<Map<string, PlatformRequest>>();

/** Gives the writes of a run their Idempotency-Keys. */
export class Writes {
	/** What each of the user's own keys stands for in this run. */
	private readonly ownKeys = new Map<string, string>();
	private readonly mayRunAgain: boolean;

	constructor(
		private readonly context: IExecuteFunctions | IExecuteSingleFunctions,
		private readonly identity: RunIdentity,
	) {
		this.mayRunAgain = context.getNode().retryOnFail === true;
	}

	/**
	 * A write with its key. Where n8n runs the node again (Retry On Fail), it is the same write as the first time,
	 * with the same key and body, whatever the item's expressions give now: what was sent may have been applied.
	 *
	 * @param step tells the writes of an operation apart where it sends several
	 */
	keyed(itemIndex: number, request: PlatformRequest, step = ''): PlatformRequest {
		if (request.method === 'GET') return request;
		const memory = this.mayRunAgain ? open.of(this.context, itemIndex) : undefined;
		const known = memory?.get() ?? new Map<string, PlatformRequest>();
		const first = known.get(step);
		if (first !== undefined) return first;
		const { idempotencyKey = this.keyOf(itemIndex, request, step) } = request;
		const keyed = { ...request, idempotencyKey };
		known.set(step, keyed);
		memory?.set(known);
		return keyed;
	}

	/** An item's result is known, so its writes are not needed any more. */
	forget(itemIndex: number): void {
		if (this.mayRunAgain) open.of(this.context, itemIndex).delete();
	}

	/**
	 * Checks that a key of the user's stands for one write only.
	 *
	 * @param moment requests are compared with others of the same moment: planned, or about to be sent
	 * @throws InputError
	 */
	checkOwnKey(key: string, request: PlatformRequest, moment: 'planned' | 'sent'): void {
		const digest = requestDigest(request);
		const place = `${moment} ${key}`;
		const known = this.ownKeys.get(place) ?? digest;
		this.ownKeys.set(place, known);
		if (known === digest) return;
		throw new InputError(
			'Idempotency Key',
			`“${key}” stands for two different writes of this run`,
			'The second was not sent. Use an expression that gives each item a key of its own.',
		);
	}

	private keyOf(itemIndex: number, request: PlatformRequest, step: string): string {
		return idempotencyKeyOf({ ...this.identity, itemIndex, step }, request);
	}
}

import { newSeed } from './keys';

/**
 * What a node has written in one execution, over all runs and tries. It lives as long as this process holds the
 * execution; nothing of it is stored.
 */
export class NodeWrites {
	readonly seed = newSeed();
	/** By each of the user's own keys: the request that it was used for, and the run that used it. */
	readonly ownKeys = new Map<string, { by: object; itemIndex: number; digest: string }>();
	/**
	 * Writes whose answers were lost: by what they ask for, their keys and runs. If the workflow leads the item into the
	 * node again, or n8n calls a tool again, the same write gets the same key.
	 */
	private readonly lost = new Map<string, Map<string, object>>();

	/** Notes that the answer to a write was lost. When the same is asked for again, it gets the same key. */
	rememberLost(wish: string, key: string, run: object): void {
		this.lost.set(wish, (this.lost.get(wish) ?? new Map<string, object>()).set(key, run));
	}

	/** Takes the key of the same write, if its answer was lost in another run. */
	takeLost(wish: string, run: object): string | undefined {
		const lost = this.lost.get(wish);
		for (const [key, by] of lost ?? []) if (by !== run && lost?.delete(key)) return key;
		return undefined;
	}

	/** Forgets a lost write, because its result is known now. */
	forgetLost(wish: string, key: string): void {
		this.lost.get(wish)?.delete(key);
	}
}

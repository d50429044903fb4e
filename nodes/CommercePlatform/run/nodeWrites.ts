import { newSeed } from './keys';

/**
 * What one execution has written by one node, over its runs and tries. It is kept as long as the execution is in this
 * process, and nothing of it is stored.
 */
export class NodeWrites {
	readonly seed = newSeed();
	/** What each of the user's own keys stands for, and the run that it was given in. */
	readonly ownKeys = new Map<string, { by: object; itemIndex: number; digest: string }>();
	/**
	 * Writes whose answer was lost, by what they ask for, with their keys and runs. Where the workflow leads the item back into
	 * the node, or n8n calls a tool again, the same wish has the same key.
	 */
	private readonly lost = new Map<string, Map<string, object>>();

	/** The answer to a write was lost: when the same is asked for again, it is to have the same key. */
	rememberLost(wish: string, key: string, run: object): void {
		this.lost.set(wish, (this.lost.get(wish) ?? new Map<string, object>()).set(key, run));
	}

	/** Takes the key of a write that was lost in another run, so that this one is the same write again. */
	takeLost(wish: string, run: object): string | undefined {
		const lost = this.lost.get(wish);
		for (const [key, by] of lost ?? []) if (by !== run && lost?.delete(key)) return key;
		return undefined;
	}

	/** The end of a write is known. */
	forgetLost(wish: string, key: string): void {
		this.lost.get(wish)?.delete(key);
	}
}

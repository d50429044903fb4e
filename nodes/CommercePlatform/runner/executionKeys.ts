import { newSeed } from './keys';

/**
 * The keys of what a node writes in one execution, over all runs and tries. They live as long as this process holds the
 * execution; nothing of them is stored.
 */
export class ExecutionKeys {
	readonly seed = newSeed();
	/** By each of the user's own keys: the request that it was used for, and the run that used it. */
	readonly ownKeys = new Map<string, { by: object; itemIndex: number; digest: string }>();
	/**
	 * Writes that may have been applied although no answer says so: by what they ask for, their keys and runs. If the
	 * workflow leads the item into the node again, or n8n calls a tool again, the same write gets the same key.
	 */
	private readonly keysToRepeat = new Map<string, Map<string, object>>();

	/** Notes the key of a write that may have been applied. When the same is asked for again, it gets the same key. */
	rememberKey(wish: string, key: string, run: object): void {
		this.keysToRepeat.set(
			wish,
			(this.keysToRepeat.get(wish) ?? new Map<string, object>()).set(key, run),
		);
	}

	/** Takes the key of the same write, if it may have been applied in another run. */
	takeKey(wish: string, run: object): string | undefined {
		const keys = this.keysToRepeat.get(wish);
		for (const [key, by] of keys ?? []) if (by !== run && keys?.delete(key)) return key;
		return undefined;
	}

	/** Forgets the key of a write whose result is known now. */
	forgetKey(wish: string, key: string): void {
		this.keysToRepeat.get(wish)?.delete(key);
	}
}

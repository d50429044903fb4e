import type { Answer } from './call';

const MAX_CHARACTERS = 32 * 1024 * 1024;

/** The last pages that were made, so that walking the same shop again costs nothing. Bounded. */
export class PageCache {
	private readonly pages = new Map<string, Answer>();
	private characters = 0;

	get(key: string): Answer | undefined {
		return this.pages.get(key);
	}

	set(key: string, page: Answer): void {
		this.pages.set(key, page);
		this.characters += page.text?.length ?? 0;
		while (this.characters > MAX_CHARACTERS) {
			const [oldest, dropped] = this.pages.entries().next().value!;
			this.pages.delete(oldest);
			this.characters -= dropped.text?.length ?? 0;
		}
	}

	clear(): void {
		this.pages.clear();
		this.characters = 0;
	}
}

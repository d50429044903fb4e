/**
 * Lets a record hold the input's own texts where it says the same in the same place, as a record does that was just
 * written: memory then holds them once. Nothing changes that anyone could see.
 *
 * @param record as the platform gave it
 * @param input what it may repeat
 */
export function shareTexts(record: object, input: object): void {
	const texts = input as Record<string, unknown>;
	for (const [name, value] of Object.entries(record)) {
		const given = texts[name];
		if (typeof value === 'string') {
			if (given === value) (record as Record<string, unknown>)[name] = given;
		} else if (isContainer(value) && isContainer(given)) shareTexts(value, given);
	}
}

const isContainer = (value: unknown): value is object =>
	typeof value === 'object' && value !== null;

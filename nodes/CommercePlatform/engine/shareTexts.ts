/**
 * Lets a record hold the input's own texts where it says the same in the same place, as a record does that was just
 * written: memory then holds them once. Nothing changes that anyone could see.
 *
 * @param record as the platform gave it
 * @param input what it may repeat
 */
export function shareTexts(record: object, input: object): void {
	// A list of what is left, since a record that is nested deeply must not overflow the stack after it was written.
	const open = [{ record: record as Container, input: input as Container }];
	for (let at = open.pop(); at !== undefined; at = open.pop()) {
		for (const [name, value] of Object.entries(at.record)) {
			const given = at.input[name];
			if (typeof value === 'string') {
				if (given === value) at.record[name] = given;
			} else if (isContainer(value) && isContainer(given))
				open.push({ record: value, input: given });
		}
	}
}

type Container = Record<string, unknown>;

const isContainer = (value: unknown): value is Container =>
	typeof value === 'object' && value !== null;

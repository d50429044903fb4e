/** Whether one of the texts holds the searched one, in any case of letters. */
export function mentions(q: string | undefined, ...texts: unknown[]): boolean {
	if (q === undefined) return true;
	const wanted = q.toLowerCase();
	return texts.some((text) =>
		String(text ?? '')
			.toLowerCase()
			.includes(wanted),
	);
}

/** Whether a filter is absent or equal. */
export const isOrAny = (filter: string | undefined, value: string): boolean =>
	filter === undefined || filter === value;

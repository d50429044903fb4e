/** A resource locator's value that names a record by its ID. */
export const byId = (value: unknown) => ({ __rl: true, mode: 'id', value: value as string });

/** A resource locator's value that names a record by another mode, e.g. by its number. */
export const byMode = (mode: string, value: unknown) => ({
	__rl: true,
	mode,
	value: value as string,
});

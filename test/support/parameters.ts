/** The value of a resource locator: a record named by its ID, whatever that is. */
export const byId = (value: unknown) => ({ __rl: true, mode: 'id', value: value as string });

/** A record named in another way than by its ID, e.g. by its number. */
export const byMode = (mode: string, value: unknown) => ({
	__rl: true,
	mode,
	value: value as string,
});

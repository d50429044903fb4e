/** The value of a resource locator: a record named by its ID, whatever that is. */
export const byId = (value: unknown) => ({ __rl: true, mode: 'id', value: value as string });

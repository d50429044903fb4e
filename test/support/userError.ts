/** A problem that the user can solve. It is shown as its message and remedy, never with a stack trace. */
export class UserError extends Error {
	/**
	 * @param message what is wrong
	 * @param remedy what to do about it
	 */
	constructor(
		message: string,
		readonly remedy: string,
	) {
		super(message);
		this.name = 'UserError';
	}
}

/**
 * The text for the terminal: a {@link UserError} with its remedy, npm's own message, or any other error with its stack.
 */
export function describeFailure(error: unknown): string {
	if (error instanceof UserError) return `${error.message}\n  → ${error.remedy}`;
	if (error instanceof Error && error.name === 'NpmFailure') return error.message;
	return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/**
 * Something in the way that whoever runs this can remove: shown as its message and a remedy, never
 * with a stack trace.
 */
export class Obstacle extends Error {
	/**
	 * @param message what is in the way
	 * @param remedy what to do about it
	 */
	constructor(
		message: string,
		readonly remedy: string,
	) {
		super(message);
		this.name = 'Obstacle';
	}
}

/** The text for the terminal: an obstacle with its remedy, npm's own words, anything else with its stack. */
export function describeFailure(error: unknown): string {
	if (error instanceof Obstacle) return `${error.message}\n  → ${error.remedy}`;
	if (error instanceof Error && error.name === 'NpmFailure') return error.message;
	return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

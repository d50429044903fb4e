/** The user entered something that cannot work. Nothing was sent. */
export class InputError extends Error {
	override readonly name = 'InputError';

	/**
	 * @param field the field's name as the user sees it, e.g. `Limit`
	 * @param problem the rest of the sentence, e.g. `must be a whole number of at least 1`
	 * @param remedy what to do, where the problem does not say it already
	 */
	constructor(
		readonly field: string,
		problem: string,
		readonly remedy = '',
	) {
		super(`“${field}” ${problem}`);
	}

	/** Under this name n8n's own engine, which runs AI tools, looks for what it shows beside the message. */
	get description(): string {
		return this.remedy;
	}
}

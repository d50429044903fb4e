/** Keeps what a node logs with level warn, one text a warning; all else that it logs goes nowhere. */
export function keepWarnings(context: object, warnings: string[]): void {
	const note = (message: string, details?: object) =>
		void warnings.push(`${message} ${JSON.stringify(details ?? {})}`);
	const quiet = () => undefined;
	Object.defineProperty(context, 'logger', {
		value: { warn: note, debug: quiet, info: quiet, error: quiet },
	});
}

/** The result of the work; or, if it is refused, the message, with the remedy on the next line. */
export function told(work: () => unknown): unknown {
	try {
		return work();
	} catch (error) {
		const { message, description } = error as Error & { description?: string };
		return description ? `${message}\n${description}` : message;
	}
}

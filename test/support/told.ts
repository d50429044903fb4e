/** What is given; or, where it is refused, its message, with what to do on the next line. */
export function told(work: () => unknown): unknown {
	try {
		return work();
	} catch (error) {
		const { message, description } = error as Error & { description?: string };
		return description ? `${message}\n${description}` : message;
	}
}

/**
 * Calls one operation of the control API, which serves this page.
 *
 * @param {string} operation its name, as in platform/README.md
 * @param {object} [args]
 * @returns {Promise<any>} its result
 * @throws {Error} with the platform's reason, or a hint that the platform has ended
 */
export async function call(operation, args = {}) {
	const response = await send(operation, args);
	const { result, error } = await response.json();
	if (!response.ok) throw new Error(error);
	return result;
}

async function send(operation, args) {
	try {
		return await fetch(`/${operation}`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(args),
		});
	} catch {
		throw new Error('The local platform does not answer. Is it still running?');
	}
}

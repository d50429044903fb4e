export interface Outcome {
	/** Status of the receiver's answer, if there was one. */
	status?: number;
	/** The reason if there was none: `timeout`, `ECONNREFUSED`, … */
	error?: string;
	durationMs: number;
}

export const isDelivered = ({ status = 0 }: Outcome): boolean => status >= 200 && status < 300;

/**
 * Sends one POST. Never rejects, follows no redirect.
 *
 * @param timeoutMs how long the receiver may take to send its status line
 * @param ended aborts the POST
 */
export async function post(
	url: string,
	{ body, headers }: { body: string; headers: Record<string, string> },
	timeoutMs: number,
	ended: AbortSignal,
): Promise<Outcome> {
	const started = performance.now();
	const signal = AbortSignal.any([ended, AbortSignal.timeout(timeoutMs)]);
	const answer = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal })
		.then((response) => {
			response.arrayBuffer().catch(() => undefined);
			return { status: response.status };
		})
		.catch(({ name, message, cause }: Error & { cause?: NodeJS.ErrnoException }) => ({
			error: name === 'TimeoutError' ? 'timeout' : (cause?.code ?? message),
		}));
	return { ...answer, durationMs: Math.round(performance.now() - started) };
}

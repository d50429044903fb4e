import http from 'node:http';
import https from 'node:https';

export interface Outcome {
	status?: number;
	error?: string;
	durationMs: number;
}

export const isDelivered = ({ status }: { status?: number }): boolean =>
	status !== undefined && status >= 200 && status < 300;

/** Sends bodies to receivers over connections that are kept alive. */
export class Transport {
	private readonly agents = {
		'http:': new http.Agent({ keepAlive: true }),
		'https:': new https.Agent({ keepAlive: true }),
	};

	/**
	 * One POST. Never rejects; redirects are not followed.
	 *
	 * @param timeoutMs how long the receiver may take until its status line has come.
	 */
	async post(
		address: string,
		body: string,
		headers: Record<string, string>,
		timeoutMs: number,
	): Promise<Outcome> {
		const url = new URL(address);
		const isPlain = url.protocol === 'http:';
		const started = performance.now();
		const bytes = Buffer.from(body, 'utf8');
		return await new Promise((resolve) => {
			const finish = (outcome: Omit<Outcome, 'durationMs'>) => {
				clearTimeout(timer);
				resolve({ ...outcome, durationMs: Math.round(performance.now() - started) });
			};
			const request = (isPlain ? http : https).request(url, {
				method: 'POST',
				agent: this.agents[isPlain ? 'http:' : 'https:'],
				headers: { ...headers, 'content-length': String(bytes.length) },
			});
			const timer = setTimeout(() => {
				finish({ error: 'timeout' });
				request.destroy();
			}, timeoutMs);
			request.on('response', (response) => {
				response.resume();
				finish({ status: response.statusCode });
			});
			request.on('error', (error: NodeJS.ErrnoException) => {
				finish({ error: error.code ?? error.message });
			});
			request.end(bytes);
		});
	}

	close(): void {
		for (const agent of Object.values(this.agents)) agent.destroy();
	}
}

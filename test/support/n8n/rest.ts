/** n8n answered a request with an error; `status` and `body` are its answer. */
export class N8nRefusal extends Error {
	constructor(
		private readonly request: string,
		readonly status: number,
		readonly body: string,
	) {
		super(`n8n answered ${request} with ${status}: ${body.slice(0, 500)}`);
		this.name = 'N8nRefusal';
	}

	/** Whether the request was a read. */
	get isRead(): boolean {
		return this.request.startsWith('GET ');
	}
}

/** The editor's own interface to n8n: JSON under `/rest`, a cookie after login. */
export class RestConnection {
	private cookie = '';

	constructor(readonly url: string) {}

	/**
	 * Sends one request.
	 *
	 * @returns what n8n wraps in `data`
	 * @throws N8nRefusal for every answer other than 2xx
	 */
	async send<T>(method: string, path: string, body?: object): Promise<T> {
		const response = await fetch(`${this.url}/rest${path}`, {
			method,
			headers: {
				// n8n ends an idle connection after some seconds, maybe just as it is used again.
				connection: 'close',
				...(body && { 'content-type': 'application/json' }),
				...(this.cookie && { cookie: this.cookie }),
			},
			body: body && JSON.stringify(body),
		});
		const text = await response.text();
		if (!response.ok) throw new N8nRefusal(`${method} ${path}`, response.status, text);
		this.keepCookie(response);
		return (JSON.parse(text) as { data: T }).data;
	}

	private keepCookie(response: Response): void {
		const login = response.headers.getSetCookie().find((cookie) => cookie.startsWith('n8n-auth='));
		if (login !== undefined) this.cookie = login.split(';')[0];
	}
}

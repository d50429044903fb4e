/** The API's address, and the key to use. */
export interface ApiAccess {
	baseUrl: string;
	apiKey: string;
}

export type ApiAnswer = Awaited<ReturnType<ApiClient['send']>>;

export interface ApiRequest {
	method?: string;
	body?: unknown;
	headers?: Record<string, string>;
	/** The platform's own key if absent; `null` sends none. */
	apiKey?: string | null;
}

export type Page = {
	data: Array<Record<string, unknown>>;
	pagination: { limit: number; next_cursor: string | null; has_more: boolean };
};

/** Sends requests to a platform as a partner's system does, without a node in between. */
export function apiClient(platform: ApiAccess) {
	const send = async (path: string, request: ApiRequest = {}) => {
		const { method = 'GET', body, headers = {}, apiKey = platform.apiKey } = request;
		const response = await fetch(platform.baseUrl + path, {
			method,
			redirect: 'manual',
			body: body === undefined ? undefined : JSON.stringify(body),
			headers: {
				...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }),
				...(body === undefined ? {} : { 'content-type': 'application/json' }),
				...headers,
			},
		});
		const text = await response.text();
		const received: Record<string, string> = {};
		response.headers.forEach((value, name) => {
			received[name] = value;
		});
		return {
			status: response.status,
			/** Names in lower case. */
			headers: received,
			text,
			/** Parsed JSON; `undefined` if the text is not JSON. */
			json: parsed(text),
		};
	};
	return {
		send,
		/**
		 * `data` of the answer.
		 *
		 * @throws Error if the answer is not a success
		 */
		async data<T = Record<string, unknown>>(path: string, request?: ApiRequest): Promise<T> {
			const answer = await send(path, request);
			if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${answer.text}`);
			return (answer.json as { data: T }).data;
		},
		/** Status and error code of the answer, e.g. `404 NOT_FOUND`. */
		async refusal(path: string, request?: ApiRequest): Promise<string> {
			const { status, json } = await send(path, request);
			return `${status} ${(json as { error: { code: string } }).error.code}`;
		},
		/** All pages of a walk. */
		async walk(path: string, limit: number): Promise<Page[]> {
			const pages: Page[] = [];
			let cursor: string | null = null;
			do {
				const cursorPart: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
				const separator = path.includes('?') ? '&' : '?';
				const { json, status, text } = await send(`${path}${separator}limit=${limit}${cursorPart}`);
				if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
				pages.push(json as Page);
				cursor = (json as Page).pagination.next_cursor;
			} while (cursor !== null);
			return pages;
		},
	};
}

export type ApiClient = ReturnType<typeof apiClient>;

/** Parses JSON; `undefined` if the text is not JSON. */
export function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** Ids of all records of a walk, in order. */
export const idsOf = (pages: readonly Page[]): string[] =>
	pages.flatMap(({ data }) => data.map(({ id }) => String(id)));

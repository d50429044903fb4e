import { setTimeout as wait } from 'node:timers/promises';

import pLimit from 'p-limit';

import { apiClient } from '../../support/apiClient';
import type { Job } from '../job';

const PAGE = 250;
const PAUSE_MS = 500;

const headersFor = ({ apiKey }: Job) => ({
	authorization: `Bearer ${apiKey}`,
	accept: 'application/json',
});

/** The least that anyone must do: fetch, parse, next. */
export async function bareLoop(job: Job): Promise<unknown[]> {
	const pages = await apiClient(job).walk('/products', PAGE);
	return pages.flatMap(({ data }) => data);
}

/** What a script does that has read the word 429, but not the headers: four at once, half a second's pause. */
export async function naiveReads(job: Job, wanted: string[]): Promise<unknown[]> {
	const limit = pLimit(4);
	const read = async (id: string) =>
		await fetch(`${job.baseUrl}/products/${id}`, { headers: headersFor(job) });
	const readUntilAnswered = async (id: string): Promise<unknown> => {
		let answer = await read(id);
		while (answer.status === 429) {
			await answer.arrayBuffer();
			await wait(PAUSE_MS);
			answer = await read(id);
		}
		return await answer.json();
	};
	return await Promise.all(wanted.map(async (id) => await limit(readUntilAnswered, id)));
}

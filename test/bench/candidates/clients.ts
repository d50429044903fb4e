import { setTimeout as wait } from 'node:timers/promises';

import pLimit from 'p-limit';

import type { Job } from '../job';

const PAUSE_MS = 500;

const headersFor = ({ apiKey }: Job) => ({
	authorization: `Bearer ${apiKey}`,
	accept: 'application/json',
});

interface ListPage {
	data: unknown[];
	pagination: { next_cursor: string | null };
}

/** The least that anyone must do: fetch, parse, next. */
async function fetchPage(job: Job, path: string): Promise<ListPage> {
	const answer = await fetch(`${job.baseUrl}${path}`, { headers: headersFor(job) });
	return (await answer.json()) as ListPage;
}

export async function bareLoop(job: Job, maxPages: number): Promise<unknown[]> {
	const records: unknown[] = [];
	let cursor: string | null = '';
	for (let pages = 0; cursor !== null && pages < maxPages; pages++) {
		const more: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
		const page: ListPage = await fetchPage(job, `/products?limit=250${more}`);
		for (const record of page.data) records.push(record);
		cursor = page.pagination.next_cursor;
	}
	return records;
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

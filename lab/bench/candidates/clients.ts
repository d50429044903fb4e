import { setTimeout as wait } from 'node:timers/promises';

import pLimit from 'p-limit';

import { apiClient } from '../../../platform/support/apiClient';
import type { Job } from '../job';

const PAUSE_MS = 500;

/** A script that knows the status 429 but not the headers: four requests at once, a pause of half a second. */
export async function naiveReads(job: Job, wanted: string[]): Promise<unknown[]> {
	const limit = pLimit(4);
	const { send } = apiClient(job);
	const read = async (id: string): Promise<unknown> => {
		const { status, json } = await send(`/products/${id}`);
		if (status !== 429) return json;
		await wait(PAUSE_MS);
		return await read(id);
	};
	return await Promise.all(wanted.map(async (id) => await limit(read, id)));
}

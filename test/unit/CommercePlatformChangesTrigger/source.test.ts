import { WATCHES } from '../../../nodes/CommercePlatformChangesTrigger/parameters';
import { PlatformSource } from '../../../nodes/CommercePlatformChangesTrigger/poll';
import type { PlatformClient } from '../../../nodes/shared/rest/client';
import type { PlatformRequest } from '../../../nodes/shared/rest/request';
import { PlatformError } from '../../../nodes/shared/rest/errors';
import { ListFetcher, type PaginateOptions } from '../../../nodes/shared/rest/pages';
import { SERVICE } from '../../../nodes/shared/shop/service';
import { FakeClock } from '../fakeClock';

/** A platform whose pages cannot be read if they have more records than this. */
function sourceOf(watch: keyof typeof WATCHES, largest: number) {
	const limits: unknown[] = [];
	const request = async ({ method, path, query = {} }: PlatformRequest) => {
		limits.push(query.limit);
		const about = { method, path, host: 'shop.example' };
		if (Number(query.limit) > largest) throw new PlatformError('too-large', about);
		return await Promise.resolve({ status: 200, headers: {}, body: { data: [] } });
	};
	const shop = { request, host: 'shop.example', service: SERVICE };
	const page = async (list: PlatformRequest, options: PaginateOptions) =>
		await new ListFetcher(shop, list, options).fetch();
	const client = { ...shop, page, clock: new FakeClock() };
	const watched = { watch: WATCHES[watch], filters: {} };
	const source = new PlatformSource(client as unknown as PlatformClient, watched);
	return { source, limits };
}

describe.each(Object.keys(WATCHES) as Array<keyof typeof WATCHES>)(
	'a page of %s that is too large',
	(watch) => {
		it('is asked for with half as many records, until it fits', async () => {
			const { source, limits } = sourceOf(watch, 100);
			await source.fetch({});
			expect(limits).toEqual([250, 125, 63]);
		});

		it('is an error if one record is too large', async () => {
			const { source, limits } = sourceOf(watch, 0);
			await expect(source.fetch({})).rejects.toMatchObject({ problem: 'too-large' });
			expect(limits.at(-1)).toBe(1);
		});
	},
);

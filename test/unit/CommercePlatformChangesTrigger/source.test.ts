import { WATCHES } from '../../../nodes/CommercePlatformChangesTrigger/parameters';
import { PlatformSource } from '../../../nodes/CommercePlatformChangesTrigger/source';
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

it('a page was asked for as long before the platform’s time as its answer took, however slow that was', async () => {
	const clock = new FakeClock();
	const serverTimeMs = Date.UTC(2026, 0, 31);
	const page = async () => {
		await clock.advance(40_000);
		return { records: [], hasMore: false, response: { serverTimeMs } };
	};
	const client = { page, clock } as unknown as PlatformClient;
	const source = new PlatformSource(client, { watch: WATCHES.order, filters: {} });
	expect((await source.fetch({})).askedMs).toBe(serverTimeMs - 40_000);
});

describe('the hint of a refused event stream', () => {
	const ENTERPRISE = expect.stringContaining('on the Enterprise plan only') as string;
	const LOST = expect.stringContaining('no longer holds the event “evt_7”') as string;

	/** What the platform's refusal of the stream is told with. @param named the event in the filter After Event ID */
	async function shownAfter(status: number, eventId?: string, named?: string) {
		const about = { method: 'GET', path: '/events', host: 'shop.example' };
		const page = async () => await Promise.reject(new PlatformError('refused', about, { status }));
		const client = { page, clock: new FakeClock() } as unknown as PlatformClient;
		const filters = named === undefined ? {} : { after_event_id: named };
		const source = new PlatformSource(client, { watch: WATCHES.event, filters });
		const error = await source
			.fetch({ after_event_id: eventId })
			.catch((reason: unknown) => reason);
		expect(error).toMatchObject({ details: { status } });
		return (error as PlatformError).details.hint;
	}

	test.each<[number, string | undefined, unknown]>([
		...[403, 404, 405, 410, 501].map((status): [number, undefined, unknown] => [
			status,
			undefined,
			ENTERPRISE,
		]),
		...[400, 404, 410, 422].map((status): [number, string, unknown] => [status, 'evt_7', LOST]),
		...[403, 405, 501].map((status): [number, string, unknown] => [status, 'evt_7', ENTERPRISE]),
		[400, undefined, undefined],
		[429, 'evt_7', undefined],
		[503, 'evt_7', undefined],
	])('is one: after a %d to the events after %s', async (status, eventId, hint) => {
		const isOneSentencePair = expect.not.stringMatching(/Enterprise.*holds|holds.*Enterprise/s);
		const shown = await shownAfter(status, eventId);
		expect(shown).toEqual(hint);
		if (hint !== undefined) expect(shown).toEqual(isOneSentencePair);
	});

	it('tells of a named event that it may be lost, and that the plan may have no stream', async () => {
		expect(await shownAfter(404, 'evt_7', 'evt_7')).toEqual(LOST);
		expect(await shownAfter(404, 'evt_7', 'evt_7')).toEqual(ENTERPRISE);
		expect(await shownAfter(422, 'evt_7', 'evt_7')).not.toEqual(ENTERPRISE);
	});

	it('says nothing of the plan once an event was read after the named one', async () => {
		expect(await shownAfter(404, 'evt_8', 'evt_7')).not.toEqual(ENTERPRISE);
	});
});

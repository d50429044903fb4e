import type { IDataObject } from 'n8n-workflow';

import { recordsNamed } from '../../../../nodes/CommercePlatform/run/find';
import type { PlatformClient } from '../../../../nodes/shared/api/client';
import { paginate, type PaginateOptions } from '../../../../nodes/shared/api/pages';
import { PlatformError } from '../../../../nodes/shared/errors/errors';
import type { PlatformRequest, PlatformResponse } from '../../../../nodes/shared/api/request';
import { CUSTOMERS } from '../../../../nodes/CommercePlatform/resources/records';
import { seeded } from '../../../../platform/support/random';

/** What a platform may do with `q` and `sort`, of which the document does not say what they look in. */
const SEARCHES = ['finds', 'findsParts', 'ignored', 'refused', 'findsNothing'] as const;

const KEY = CUSTOMERS.key;

function platform(records: IDataObject[], search: (typeof SEARCHES)[number], sorts: boolean) {
	const hints: string[] = [];
	let requests = 0;
	const host = 'shop.example';
	const refuse = (request: PlatformRequest) =>
		new PlatformError('refused', { ...request, host }, { status: 400 });
	const listed = (q: unknown): IDataObject[] => {
		if (q === undefined || search === 'ignored') return records;
		const emails = records.map(({ email }) => String(email).toLowerCase());
		if (search === 'finds') return records.filter((_, at) => emails[at] === q);
		const hasPart = (_: unknown, at: number) => emails[at].includes(String(q));
		return search === 'findsNothing' ? [] : records.filter(hasPart);
	};
	const request = async (one: PlatformRequest): Promise<PlatformResponse> => {
		requests++;
		const { q, sort, limit, cursor = 0 } = one.query ?? {};
		if ((q !== undefined && search === 'refused') || (sort !== undefined && !sorts))
			throw refuse(one);
		const found = listed(q);
		const end = Number(cursor) + Number(limit);
		const data = found.slice(Number(cursor), end);
		const has_more = end < found.length;
		const body = { data, pagination: { has_more, next_cursor: has_more ? String(end) : null } };
		return await Promise.resolve({ status: 200, headers: {}, body });
	};
	const pages = (first: PlatformRequest, options?: PaginateOptions) =>
		paginate({ request, host }, first, options);
	const client = { request, pages, host } as unknown as PlatformClient;
	return {
		call: { client, hint: (text: string) => void hints.push(text) },
		hints,
		sent: () => requests,
	};
}

const customers = (count: number): IDataObject[] =>
	Array.from({ length: count }, (_, n) => ({ id: `cust_${n}`, email: `Person.${n}@shop.example` }));

it.each(SEARCHES)('finds exactly those with the address where the search %s', async (search) => {
	const random = seeded(SEARCHES.indexOf(search));
	for (let round = 0; round < 40; round++) {
		const count = Math.floor(random() * 900);
		const records = customers(count);
		const twice = random() < 0.3 && count > 0;
		if (twice) records.push({ id: 'cust_twice', email: String(records[0].email).toUpperCase() });
		const { call } = platform(records, search, random() < 0.5);
		for (const n of [0, Math.floor(random() * count), count + 5]) {
			const entered = ` PERSON.${n}@shop.example`;
			const wanted = records.filter(({ email }) => KEY.plain(String(email)) === KEY.plain(entered));
			const found = await recordsNamed(call, KEY, entered);
			expect(found.records.map(({ id }) => id).sort()).toEqual(wanted.map(({ id }) => id).sort());
		}
	}
});

it('reads 20,000 customers once for all items of a run, and says what it costs', async () => {
	const { call, hints, sent } = platform(customers(20_000), 'refused', true);
	const found = await recordsNamed(call, KEY, 'person.19999@shop.example');
	expect(found.records).toMatchObject([{ id: 'cust_19999' }]);
	const cost = sent();
	expect(cost).toBeLessThanOrEqual(82);
	expect(await recordsNamed(call, KEY, 'nobody@shop.example')).toEqual({
		records: [],
		looked: 'None of the 20,000 customers has it.',
	});
	expect(sent()).toBe(cost);
	expect(hints).toEqual([
		'The platform’s search did not answer for e-mail addresses, so all 20,000 customers were read: 80 requests, once for this run.',
	]);
});

it('believes a search that finds nothing once it has found an address that exists', async () => {
	const { call, hints, sent } = platform(customers(20_000), 'finds', true);
	expect(await recordsNamed(call, KEY, 'nobody@shop.example')).toEqual({ records: [], looked: '' });
	expect(await recordsNamed(call, KEY, 'noone@shop.example')).toEqual({ records: [], looked: '' });
	expect([sent(), hints]).toEqual([4, []]);
});

it('says how far it has looked', async () => {
	const { call } = platform(customers(700), 'refused', true);
	const found = await recordsNamed(call, { ...KEY, maxPages: 2 }, 'person.600@shop.example');
	expect(found).toEqual({ records: [], looked: 'It is not among the newest 500 customers.' });
});

import type { DialectChange } from '../../platform';
import { idsOf, poll, usePollingShop } from './pollingShop';

const shop = usePollingShop();

it.each<[string, DialectChange]>([
	['whole seconds', { recordTimes: 'seconds' }],
	['microseconds', { recordTimes: 'microseconds' }],
	['times with a zone', { recordTimes: 'offset' }],
	['times as Unix seconds', { recordTimes: 'unixSeconds' }],
	['times as Unix milliseconds', { recordTimes: 'unixMilliseconds' }],
	['cursors that count records', { cursorWalk: 'position' }],
	['cursors that count records, unsorted', { cursorWalk: 'position', sort: 'ignored' }],
	['cursors that a change ends', { cursorWalk: 'untilChange' }],
	['cursors that a change ends, unsorted', { cursorWalk: 'untilChange', sort: 'ignored' }],
	['updatedAt in place of updated_at', { updatedAt: 'camel' }],
	['times in an object of their own', { updatedAt: 'nested' }],
	['no times in the records', { updatedAt: 'absent' }],
	['a clock that is an hour ahead', { dateHeader: 'hourAhead' }],
	['a clock that is an hour behind', { dateHeader: 'hourBehind' }],
	['no sort', { sort: 'refused' }],
	['a sort without effect', { sort: 'ignored' }],
	['every open sentence read the other way', 'contrary'],
])('the changes trigger loses nothing and repeats nothing with %s', async (_name, dialect) => {
	const { control } = shop;
	await control.reset({ orders: 520 });
	await control.configure({ dialect });
	const options = { startFrom: '2000-01-01T00:00:00Z', maxPages: 1 };
	const n8n = await shop.published({ simplify: false, options });
	const id = await shop.newOrder();
	await poll(n8n, 12);
	const updatedAt = new Date(Date.now() - 20_000).toISOString();
	const late = await control.writeRecord('orders', { updatedAt });
	const ids = idsOf(await poll(n8n, 12));
	expect(ids).toEqual(expect.arrayContaining([id, late.id]));
	expect(new Set(ids).size).toBe(522);
	expect(ids).toHaveLength(522);
});

it('the changes trigger asks for Start From at publishing where the answers carry no time', async () => {
	await shop.control.configure({ dialect: { dateHeader: 'missing' } });
	await expect(shop.published()).rejects.toThrow('“Start From” must be set');
});

import type { IDataObject } from 'n8n-workflow';

import { HeldEntries } from '../../../../nodes/CommercePlatform/engine/heldEntries';
import { parseForSending, stringifyExactly } from '../../../../nodes/shared/values/json';

function holding(items: Record<number, IDataObject>) {
	const held = new HeldEntries();
	for (const [index, fields] of Object.entries(items)) held.add(Number(index), fields);
	return held;
}

it('gives the fields back as they are sent, digits and all', () => {
	const text =
		'{"sku":"Ä-1","title":"12345678901234567890","weight":12345678901234567890,"x":[1.5,null]}';
	const [entry] = holding({ 0: parseForSending(text) as IDataObject });
	expect(stringifyExactly(entry.fields)).toBe(text);
	expect(entry.bytes).toBe(Buffer.byteLength(text));
});

it('makes the fields anew each time, so that nobody changes what is sent', () => {
	const [entry] = holding({ 0: { sku: 'a', tags: ['x'] } });
	(entry.fields.tags as string[]).push('y');
	expect(entry.fields).toEqual({ sku: 'a', tags: ['x'] });
});

it('gives the items in their order, without those that could not be read', () => {
	const held = holding({ 1: { sku: 'a' }, 4: { sku: 'b' } });
	expect([...held].map(({ itemIndex, fields }) => [itemIndex, fields.sku])).toEqual([
		[1, 'a'],
		[4, 'b'],
	]);
	expect(held).toHaveLength(2);
	expect([0, 1, 2, 4, 5].map((index) => held.isOpen(index))).toEqual([
		false,
		true,
		false,
		true,
		false,
	]);
});

it('keeps an item’s fields when an earlier run has done it, and lets them go with its own result', () => {
	const held = holding({ 3: { sku: 'a' }, 4: { sku: 'b' } });
	const [entry, other] = held;
	held.close(3);
	expect(held.isOpen(3)).toBe(false);
	expect(entry.fields).toEqual({ sku: 'a' });
	held.release(3);
	expect(held.isOpen(3)).toBe(false);
	expect(() => entry.fields).toThrow('item 3');
	expect(other.fields).toEqual({ sku: 'b' });
	expect([...held].map(({ itemIndex }) => itemIndex)).toEqual([3, 4]);
});

import type { IDataObject } from 'n8n-workflow';

import { HeldItem } from '../../../../nodes/CommercePlatform/run/heldItem';

it('reads the fields again when they are asked for, and tells their length', () => {
	const text = '{"sku":"Ä-1","title":"12345678901234567890","x":[1.5,null]}';
	const item = new HeldItem(3, JSON.parse(text) as IDataObject, (itemIndex) => ({
		...(JSON.parse(text) as IDataObject),
		itemIndex,
	}));
	expect(item.bytes).toBe(Buffer.byteLength(text));
	expect(item.sku).toBe('Ä-1');
	expect(item.fields).toMatchObject({ title: '12345678901234567890', itemIndex: 3 });
});

it('gives no fields that name another product than at first', () => {
	const item = new HeldItem(3, { sku: 'a' }, () => ({ sku: 'b' }));
	expect(() => item.fields).toThrow('“SKU” of row 4 was “a” when the run began, and is “b” now');
});

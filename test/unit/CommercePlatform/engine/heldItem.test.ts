import type { IDataObject } from 'n8n-workflow';

import { HeldItem } from '../../../../nodes/CommercePlatform/run/heldItem';

it('gives the fields back as they are sent, digits and all', () => {
	const text = '{"sku":"Ä-1","title":"12345678901234567890","x":[1.5,null]}';
	const item = new HeldItem(0, JSON.parse(text) as IDataObject);
	expect(JSON.stringify(item.fields)).toBe(text);
	expect(item.bytes).toBe(Buffer.byteLength(text));
	expect(item.sku).toBe('Ä-1');
});

it('makes the fields anew each time, so that nobody changes what is sent', () => {
	const item = new HeldItem(0, { sku: 'a', tags: ['x'] });
	(item.fields.tags as string[]).push('y');
	expect(item.fields).toEqual({ sku: 'a', tags: ['x'] });
});

it('keeps its fields where an earlier run has done it, and lets them go with its own result', () => {
	const item = new HeldItem(3, { sku: 'a' });
	item.isDone = true;
	expect(item.fields).toEqual({ sku: 'a' });
	item.release();
	expect(item.isDone).toBe(true);
	expect(() => item.fields).toThrow('item 3');
});

import { HeldEntry } from '../../../../nodes/CommercePlatform/engine/heldEntry';
import { parseForSending, stringifyExactly } from '../../../../nodes/shared/exactJson';

it('gives the fields back as they are sent, digits and all', () => {
	const text =
		'{"sku":"Ä-1","title":"12345678901234567890","weight":12345678901234567890,"x":[1.5,null]}';
	const entry = new HeldEntry(0, parseForSending(text) as never);
	expect(stringifyExactly(entry.fields)).toBe(text);
	expect(entry.bytes).toBe(Buffer.byteLength(text));
});

it('makes the fields anew each time, so that nobody changes what is sent', () => {
	const entry = new HeldEntry(0, { sku: 'a', tags: ['x'] });
	(entry.fields.tags as string[]).push('y');
	expect(entry.fields).toEqual({ sku: 'a', tags: ['x'] });
});

it('keeps its fields when an earlier run has done it, and lets them go with its own result', () => {
	const entry = new HeldEntry(3, { sku: 'a' });
	expect(entry.isOpen).toBe(true);
	entry.close();
	expect(entry.isOpen).toBe(false);
	expect(entry.fields).toEqual({ sku: 'a' });
	entry.release();
	expect(entry.isOpen).toBe(false);
	expect(() => entry.fields).toThrow('item 3');
});

import { shareTexts } from '../../../../nodes/CommercePlatform/run/results';

/** Whether both hold one text can only be seen by what is read: a getter tells who is asked for. */
function watched(fields: Record<string, unknown>) {
	const set: string[] = [];
	const record = new Proxy(fields, {
		set(target, name, value) {
			set.push(`${String(name)}=${String(value)}`);
			return Reflect.set(target, name, value);
		},
	});
	return { record, set };
}

it('takes the input’s text where both say the same in the same place, and nothing else', () => {
	const { record, set } = watched({ title: 'Shirt', status: 'draft', id: 'p-1', stock: 4 });
	shareTexts(record, { title: 'Shirt', status: 'published', sku: 'p-1', stock: 4 });
	expect(set).toEqual(['title=Shirt']);
});

it('looks into lists and objects', () => {
	const variant = watched({ sku: 'A', title: 'M' });
	shareTexts({ variants: [variant.record] }, { variants: [{ sku: 'A', title: 'L' }] });
	expect(variant.set).toEqual(['sku=A']);
});

it.each<[object, object]>([
	[{ a: { b: 'x' } }, { a: 'x' }],
	[{ a: 'x' }, { a: { b: 'x' } }],
	[
		{ a: null, b: ['x'] },
		{ a: 'x', b: null },
	],
	[JSON.parse('{"__proto__":{"a":"x"},"constructor":"y"}') as object, {}],
	[
		['x', ['y']],
		['z', []],
	],
])('leaves a record as it is: %j with %j', (record, input) => {
	const before = JSON.stringify(record);
	shareTexts(record, input);
	expect(JSON.stringify(record)).toBe(before);
	expect(({} as { a?: unknown }).a).toBeUndefined();
});

it('goes as deep as a record is nested', () => {
	const nested = () => {
		const top: Record<string, unknown> = {};
		let at = top;
		for (let level = 0; level < 20_000; level++) {
			const inner = {};
			at.inner = inner;
			at = inner;
		}
		at.title = 'Linen';
		return top;
	};
	const record = nested();
	expect(() => shareTexts(record, nested())).not.toThrow();
});

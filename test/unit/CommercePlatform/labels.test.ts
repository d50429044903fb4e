import { amountOf, join, nameOf } from '../../../nodes/CommercePlatform/listSearch/labels';

it.each([
	[{ title: 'Lamp', name: 'x' }, 'Lamp'],
	[{ name: ' Lamps ' }, 'Lamps'],
	[{ first_name: 'Ada', last_name: 'Berg' }, 'Ada Berg'],
	[{ first_name: '', last_name: 'Berg' }, 'Berg'],
	[{ title: { en: 'Lamp' } }, undefined],
	[{}, undefined],
])('calls %j %s', (record, name) => {
	expect(nameOf(record)).toBe(name);
});

it.each([
	[{ amount: 1999, currency: 'EUR' }, '19.99 EUR'],
	[{ amount: 500, currency: 'JPY' }, '500 JPY'],
	[{ amount: 7, currency: 'XYZ' }, '7 XYZ'],
	[{ amount: '***', currency: 'EUR' }, '*** EUR'],
	[null, ''],
])('writes %j as “%s”', (money, text) => {
	expect(amountOf(money)).toBe(text);
});

it('joins what is there', () => {
	expect(join('a', '', undefined, null, {}, 5)).toBe('a · 5');
});

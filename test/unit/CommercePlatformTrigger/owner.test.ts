import { ownerMark, ownerOf } from '../../../nodes/shared/shop/events';

it('a description names the owner', () => {
	expect(ownerOf(`${ownerMark('w1', false)} Orders`)).toBe('w1');
	expect(ownerOf(`${ownerMark('w1', true)} a: (test): b`)).toBe('w1');
	for (const description of [undefined, 7, '', 'ERP', 'my n8n workflow w1: Orders'])
		expect(ownerOf(description)).toBeUndefined();
});

import fc from 'fast-check';

import { Ahead } from '../../../../nodes/CommercePlatform/run/pool';

describe('what is made ahead', () => {
	it('plans the first items before any is used, and never more than that far ahead', () => {
		fc.assert(
			fc.property(
				fc.integer({ min: 0, max: 60 }),
				fc.integer({ min: 1, max: 20 }),
				(total, ahead) => {
					const made: number[] = [];
					const plans = new Ahead(
						total,
						(item) => {
							made.push(item);
							return `plan ${item}`;
						},
						ahead,
					);
					plans.begin();
					expect(made).toHaveLength(Math.min(ahead, total));
					for (let item = 0; item < total; item++) {
						expect(plans.take(item)).toBe(`plan ${item}`);
						expect(made.length).toBeLessThanOrEqual(item + 1 + ahead);
					}
					expect(made).toEqual(Array.from({ length: total }, (_, item) => item));
				},
			),
		);
	});

	it('lets a plan go once it was taken', () => {
		const plans = new Ahead(1, () => 'plan');
		plans.begin();
		expect(plans.take(0)).toBe('plan');
		expect(plans.take(0)).toBeUndefined();
	});
});

import fc from 'fast-check';

import { LookAhead } from '../../../../nodes/CommercePlatform/engine/plan';

describe('LookAhead', () => {
	it('plans the first items before any is used, and never more than that far ahead', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.integer({ min: 0, max: 60 }),
				fc.integer({ min: 1, max: 20 }),
				async (total, ahead) => {
					const made: number[] = [];
					const plans = new LookAhead(
						total,
						async (item) => {
							made.push(item);
							return `plan ${item}`;
						},
						ahead,
					);
					await plans.begin();
					expect(made).toHaveLength(Math.min(ahead, total));
					for (let item = 0; item < total; item++) {
						expect(await plans.take(item)).toBe(`plan ${item}`);
						expect(made.length).toBeLessThanOrEqual(item + 1 + ahead);
					}
					expect(made).toEqual(Array.from({ length: total }, (_, item) => item));
				},
			),
		);
	});

	it('lets a plan go once it was taken', async () => {
		const plans = new LookAhead(1, async () => 'plan');
		await plans.begin();
		expect(await plans.take(0)).toBe('plan');
		expect(await plans.take(0)).toBeUndefined();
	});
});

import fc from 'fast-check';

import { madeAhead } from '../../../../nodes/CommercePlatform/run/pool';

it('makes the first entries before any is used, and never more than that far ahead', () => {
	fc.assert(
		fc.property(
			fc.integer({ min: 0, max: 60 }),
			fc.integer({ min: 1, max: 20 }),
			(total, ahead) => {
				let made = 0;
				const entries = function* () {
					while (made < total) yield made++;
				};
				let used = 0;
				for (const entry of madeAhead(entries(), ahead)) {
					expect(entry).toBe(used++);
					expect(made).toBe(Math.min(used + ahead, total));
				}
				expect([made, used]).toEqual([total, total]);
			},
		),
	);
});

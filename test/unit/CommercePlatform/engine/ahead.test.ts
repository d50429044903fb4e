import { runSchedule } from '../../../../nodes/CommercePlatform/runner/schedule';
import type { PlatformClient } from '../../../../nodes/shared/rest/client';

it.each([1, 10_000, 10_003])(
	'reads %d items in order before it sends any, except those more than 10,000 ahead',
	async (total) => {
		let made = 0;
		const plans = async function* () {
			while (made < total) yield { at: made++, targets: [] };
		};
		let used = 0;
		const client = { options: { maxInFlight: 1 } } as PlatformClient;
		const faults: object[] = [];
		const work = async ({ at }: { at: number }) => {
			const [least, most] = [10_000, 10_003].map((ahead) => Math.min(at + ahead, total));
			if (at !== used++ || made < least || made > most) faults.push({ at, used, made });
			await Promise.resolve();
		};
		const run = { client, batching: { size: 1, intervalMs: 0 } };
		await runSchedule(run, plans(), work, () => false);
		expect(faults).toEqual([]);
		expect([made, used]).toEqual([total, total]);
	},
);

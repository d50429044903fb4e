import { seeded } from '../../support/random';
import type { DeliveryFaultRule } from './types';

/** When one delivery is sent: once for each entry, that many ms from now. */
export type SendingTimes = number[];

const DEFAULT_HOLD_MS = 250;

/** Duplicates deliveries and holds some back, so that later ones overtake them. */
export class DeliveryFaults {
	private rules: Array<{ rule: DeliveryFaultRule; random: () => number; left: number }> = [];

	set(rules: readonly DeliveryFaultRule[]): void {
		this.rules = rules.map((rule) => ({
			rule,
			random: seeded(rule.seed ?? 1),
			left: rule.times ?? Infinity,
		}));
	}

	sendingTimes(event: string): SendingTimes {
		const times = [0];
		for (const candidate of this.rules) {
			const { rule, random } = candidate;
			if (candidate.left <= 0 || (rule.event !== undefined && rule.event !== event)) continue;
			if (random() >= (rule.probability ?? 1)) continue;
			candidate.left--;
			if (rule.fault === 'duplicateDelivery') times.push(Math.round(random() * (rule.ms ?? 0)));
			else times[0] = Math.max(1, Math.round(random() * (rule.ms ?? DEFAULT_HOLD_MS)));
		}
		return times;
	}
}

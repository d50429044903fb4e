import { PLANS } from '../plans';
import { Refusal } from '../shop/refusal';
import type { ApiKey } from './keys';
import type { Settings } from '../settings';

const DAY_MS = 86_400_000;

export type Budgets = ReturnType<RateLimiter['look']>;

/** Two fixed windows per key, the minute and the UTC day (Limits 2), aligned to their own length. */
export class RateLimiter {
	/** Requests counted in the present window, by the key's id and the name of the window. */
	private readonly windows = new Map<string, { start: number; count: number }>();

	/** Counts one request. If a window is spent, it counts nothing and `spent` names that window. */
	take(key: ApiKey, settings: Settings, now: number): Budgets & { spent?: keyof Budgets } {
		const { minute, day } = this.look(key, settings, now);
		const spent = day.remaining === 0 ? 'day' : minute.remaining === 0 ? 'minute' : undefined;
		if (spent !== undefined) return { minute, day, spent };
		for (const name of ['minute', 'day']) this.windows.get(`${key.id} ${name}`)!.count++;
		return this.look(key, settings, now);
	}

	/** What remains of a key's windows; looking does not count as a request. */
	look(key: ApiKey, settings: Settings, now: number) {
		const plan = PLANS[key.plan ?? settings.plan];
		const { minuteBudget, dayBudget } = key.plan === undefined ? settings : plan;
		const window = (name: string, limit: number, length: number) => {
			const start = Math.floor(now / length) * length;
			const stored = this.windows.get(`${key.id} ${name}`);
			const current = stored?.start === start ? stored : { start, count: 0 };
			this.windows.set(`${key.id} ${name}`, current);
			/** End of the window, ms since 1970. */
			const resetAt = start + length;
			return { limit, remaining: Math.max(0, limit - current.count), resetAt };
		};
		return {
			minute: window('minute', minuteBudget ?? plan.minuteBudget, settings.minuteWindowMs),
			day: window('day', dayBudget ?? plan.dayBudget, DAY_MS),
		};
	}

	reset(): void {
		this.windows.clear();
	}
}

/** Response headers (Limits), times in Unix seconds. */
export const budgetHeaders = ({ minute, day }: Budgets): Record<string, string> => ({
	'x-ratelimit-limit': String(minute.limit),
	'x-ratelimit-remaining': String(minute.remaining),
	'x-ratelimit-reset': String(Math.ceil(minute.resetAt / 1_000)),
	'x-ratelimit-limit-day': String(day.limit),
	'x-ratelimit-remaining-day': String(day.remaining),
});

/** The 429 of a spent window; Retry-After in whole seconds until its end (Limits 3). */
export function spentRefusal(budgets: Budgets, spent: keyof Budgets, now: number): Refusal {
	const seconds = Math.max(1, Math.ceil((budgets[spent].resetAt - now) / 1_000));
	return new Refusal('RATE_LIMITED', `The budget of the ${spent} is spent`, {
		'retry-after': String(seconds),
	});
}

import { PLANS } from '../plans';
import { Refusal } from '../shop/refusal';
import type { ApiKey } from './keys';
import type { Settings } from '../settings';

/** State of one fixed window. */
export interface Budget {
	limit: number;
	remaining: number;
	/** End of the window, ms since 1970. */
	resetAt: number;
}

export interface Budgets {
	minute: Budget;
	day: Budget;
}

interface Window {
	start: number;
	used: number;
	length: number;
}

/** Fixed windows a key for the minute and the UTC day (Limits 2), aligned to their own length. */
export class RateLimiter {
	private readonly windows = new Map<string, Window>();

	/** Counts one request, unless a window is spent. `spent` names that window. */
	take(key: ApiKey, settings: Settings, now: number): Budgets & { spent?: keyof Budgets } {
		const { minute, day } = this.look(key, settings, now);
		const spent = day.remaining === 0 ? 'day' : minute.remaining === 0 ? 'minute' : undefined;
		if (spent !== undefined) return { minute, day, spent };
		for (const window of Object.values(this.windowsOf(key, settings, now))) window.used++;
		return this.look(key, settings, now);
	}

	/** What is left of a key's windows; counts nothing. */
	look(key: ApiKey, settings: Settings, now: number): Budgets {
		const plan = PLANS[key.plan ?? settings.plan];
		const { minuteBudget, dayBudget } = key.plan === undefined ? settings : plan;
		const { minute, day } = this.windowsOf(key, settings, now);
		return {
			minute: budget(minuteBudget ?? plan.minuteBudget, minute),
			day: budget(dayBudget ?? plan.dayBudget, day),
		};
	}

	reset(): void {
		this.windows.clear();
	}

	private windowsOf(key: ApiKey, { minuteWindowMs, dayWindowMs }: Settings, now: number) {
		const window = (name: string, length: number): Window => {
			const start = Math.floor(now / length) * length;
			const known = this.windows.get(name);
			if (known?.start === start) return known;
			const fresh = { start, used: 0, length };
			this.windows.set(name, fresh);
			return fresh;
		};
		return {
			minute: window(`${key.id} minute ${minuteWindowMs}`, minuteWindowMs),
			day: window(`${key.id} day ${dayWindowMs}`, dayWindowMs),
		};
	}
}

const budget = (limit: number, { start, used, length }: Window): Budget => ({
	limit,
	remaining: Math.max(0, limit - used),
	resetAt: start + length,
});

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

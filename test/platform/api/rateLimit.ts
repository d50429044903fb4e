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
}

type Kind = keyof Budgets;

/** Fixed windows a key for the minute and the UTC day (Limits 2), aligned to their own length. */
export class RateLimiter {
	private readonly windows = new Map<string, Window>();

	/** Counts one request, unless a window is spent. `spent` names that window. */
	take(key: ApiKey, settings: Settings, now: number): Budgets & { spent?: Kind } {
		const minute = this.window(key, 'minute', settings.minuteWindowMs, now);
		const day = this.window(key, 'day', settings.dayWindowMs, now);
		const limits = budgetsOf(key, settings);
		const spent =
			day.used >= limits.day ? 'day' : minute.used >= limits.minute ? 'minute' : undefined;
		if (spent === undefined) {
			minute.used++;
			day.used++;
		}
		return { ...this.look(key, settings, now), spent };
	}

	/** What is left of a key's windows; counts nothing. */
	look(key: ApiKey, settings: Settings, now: number): Budgets {
		const limits = budgetsOf(key, settings);
		const { minuteWindowMs, dayWindowMs } = settings;
		return {
			minute: budget(
				limits.minute,
				this.window(key, 'minute', minuteWindowMs, now),
				minuteWindowMs,
			),
			day: budget(limits.day, this.window(key, 'day', dayWindowMs, now), dayWindowMs),
		};
	}

	reset(): void {
		this.windows.clear();
	}

	private window(key: ApiKey, kind: Kind, lengthMs: number, now: number): Window {
		const name = `${key.id} ${kind} ${lengthMs}`;
		const start = Math.floor(now / lengthMs) * lengthMs;
		const known = this.windows.get(name);
		if (known?.start === start) return known;
		const fresh = { start, used: 0 };
		this.windows.set(name, fresh);
		return fresh;
	}
}

function budgetsOf(key: ApiKey, settings: Settings): Record<Kind, number> {
	const plan = PLANS[key.plan ?? settings.plan];
	const isOverridden = key.plan === undefined;
	return {
		minute: (isOverridden ? settings.minuteBudget : null) ?? plan.minuteBudget,
		day: (isOverridden ? settings.dayBudget : null) ?? plan.dayBudget,
	};
}

const budget = (limit: number, { start, used }: Window, lengthMs: number): Budget => ({
	limit,
	remaining: Math.max(0, limit - used),
	resetAt: start + lengthMs,
});

/** Response headers (Limits), times in Unix seconds. */
export function budgetHeaders({ minute, day }: Budgets): Record<string, string> {
	return {
		'x-ratelimit-limit': String(minute.limit),
		'x-ratelimit-remaining': String(minute.remaining),
		'x-ratelimit-reset': String(Math.ceil(minute.resetAt / 1_000)),
		'x-ratelimit-limit-day': String(day.limit),
		'x-ratelimit-remaining-day': String(day.remaining),
	};
}

/** The 429 of a spent window; Retry-After in whole seconds until its end (Limits 3). */
export function spentRefusal(budgets: Budgets, spent: Kind, now: number): Refusal {
	const seconds = Math.max(1, Math.ceil((budgets[spent].resetAt - now) / 1_000));
	return new Refusal('RATE_LIMITED', `The budget of the ${spent} is spent`, {
		'retry-after': String(seconds),
	});
}

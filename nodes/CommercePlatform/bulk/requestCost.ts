/** The smallest plan's budgets, which are also the sandbox's (API document, "Limits"). */
const STARTER = { limit: 100, dayLimit: 20_000 };

/** What is known of the key's budget, from the headers of earlier answers. */
interface KnownBudget {
	/** Requests a minute. */
	limit?: number;
	/** Requests left in this minute. */
	remaining?: number;
	/** Requests a UTC day. */
	dayLimit?: number;
	/** Requests left of this day. */
	dayRemaining?: number;
}

/** What a number of requests costs. Also what a dry run shows, so the names are plain. */
interface RequestCost {
	requests: number;
	/** How long the rate limit makes them last at least, rounded up; 0 where they fit into this minute. */
	minutes: number;
	/** Percent of a day's budget, with two decimals. */
	percentOfDay: number;
	/** False where they are more than what is left of the day. */
	fitsToday: boolean;
	/** True where no answer has told the budgets yet, and those of the smallest plan were taken. */
	assumesStarterPlan: boolean;
}

/**
 * Reckons what requests cost in time and in share of the day. The windows are fixed (API document, "Limits", 2):
 * what is left of this minute goes out at once, and every further minute takes its whole budget.
 */
export function requestCost(requests: number, known: KnownBudget): RequestCost {
	const limit = positive(known.limit) ?? STARTER.limit;
	const dayLimit = positive(known.dayLimit) ?? STARTER.dayLimit;
	const beyondThisMinute = Math.max(0, requests - (known.remaining ?? limit));
	return {
		requests,
		minutes: Math.ceil(beyondThisMinute / limit),
		percentOfDay: Math.round((10_000 * requests) / dayLimit) / 100,
		fitsToday: requests <= (known.dayRemaining ?? dayLimit),
		assumesStarterPlan: known.limit === undefined || known.dayLimit === undefined,
	};
}

/** The same in a sentence. */
export function costText(cost: RequestCost): string {
	const { requests, minutes, percentOfDay, fitsToday, assumesStarterPlan } = cost;
	const time = minutes === 0 ? 'less than a minute' : `about ${count(minutes, 'minute')}`;
	const plan = assumesStarterPlan
		? ' (with the limits of the Starter plan, as this key’s own are not known yet)'
		: '';
	const day = fitsToday ? '' : ' That is more than what is left of today.';
	return `${count(requests, 'request')}, ${time} at the present limits and ${percentOfDay} % of a day’s requests${plan}.${day}`;
}

const count = (number: number, noun: string) =>
	`${counted(number)} ${noun}${number === 1 ? '' : 's'}`;

/** A number as it stands in a sentence. */
export const counted = (number: number): string => number.toLocaleString('en-US');

const positive = (value: number | undefined) =>
	value !== undefined && value > 0 ? value : undefined;

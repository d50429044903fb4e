/** An amount as the API writes it: an integer in minor units beside its currency (Conventions). */
export interface Money {
	amount: number;
	currency: string;
}

/** Minor units of one euro: none for the yen, thousandths for the dinar. */
const MINOR_UNITS_PER_EURO: Readonly<Record<string, number>> = {
	EUR: 100,
	USD: 108,
	GBP: 86,
	JPY: 163,
	KWD: 332,
};

/** Which currencies a product is priced in; most in euro, some elsewhere too. */
export const PRICE_LISTS: ReadonlyArray<readonly string[]> = [
	['EUR'],
	['EUR'],
	['EUR', 'USD'],
	['EUR', 'USD', 'GBP'],
	['JPY'],
	['EUR', 'KWD'],
	['EUR'],
];

/** @param cents euro cents. */
export function convert(cents: number, currency: string): Money {
	return { amount: Math.round((cents * (MINOR_UNITS_PER_EURO[currency] ?? 100)) / 100), currency };
}

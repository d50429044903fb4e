import { changeDialect, DEFAULT_DIALECT, parseDialect, type Dialect } from './dialects/dialect';
import { PLANS, type Plan } from './plans';

/** Settings at the start. All of them can change while the platform runs (`control.configure`). */
export const DEFAULT_SETTINGS = {
	/** The plan of keys that were created without one. */
	plan: 'enterprise' as Plan,
	/** Requests per minute window. `null` = the plan's. */
	minuteBudget: null as number | null,
	/** Requests per day window. `null` = the plan's. */
	dayBudget: null as number | null,
	/** Length of the "minute" window in ms; whole seconds. */
	minuteWindowMs: 60_000,
	/** Added to the handling of every request, in ms. */
	latencyMs: 0,
	/** Added to this machine's clock, in ms. Records, headers and deliveries show the time so. */
	clockOffsetMs: 0,
	/** How the open sentences of the API document are read. */
	dialect: DEFAULT_DIALECT,
	/** Scales the five delays between delivery attempts: 1 = 1 min, 5 min, 30 min, 2 h, 24 h. */
	retryDelayFactor: 1,
	/** How long a receiver may take to answer, in ms. */
	deliveryTimeoutMs: 10_000,
	/** How many deliveries may be under way at the same time. */
	deliveryConcurrency: 50,
	/** Whether the shop has a payment provider; without one, refunds are refused. */
	paymentProviderLinked: true,
	/** Endpoints that the API document marks "in development"; `true` means released. */
	inDevelopment: { webhookUpdate: false, rotateSecret: false, webhookTest: false, batch: false },
};

export type Settings = Readonly<typeof DEFAULT_SETTINGS>;
export type InDevelopment = Settings['inDevelopment'];

/** A dialect as text (see `parseDialect`), or values that change the present one. */
export type DialectChange = string | Partial<Dialect>;

export type SettingsChange = Partial<Omit<Settings, 'inDevelopment' | 'dialect'>> & {
	inDevelopment?: Partial<InDevelopment>;
	dialect?: DialectChange;
};

/**
 * Settings with some values changed.
 *
 * @throws RangeError for an unknown setting, plan or dialect, or for a minute window that is not a positive number of
 *   whole seconds
 */
export function changeSettings(current: Settings, change: SettingsChange): Settings {
	requireKnown(change, DEFAULT_SETTINGS);
	requireKnown(change.inDevelopment ?? {}, DEFAULT_SETTINGS.inDevelopment);
	const next: Settings = {
		...current,
		...withoutUndefined(change),
		inDevelopment: { ...current.inDevelopment, ...withoutUndefined(change.inDevelopment ?? {}) },
		dialect: dialectAfter(current.dialect, change.dialect),
	};
	if (!Object.hasOwn(PLANS, next.plan)) throw new RangeError(`There is no plan ${next.plan}`);
	if (!(next.minuteWindowMs > 0) || next.minuteWindowMs % 1_000 !== 0) {
		throw new RangeError('minuteWindowMs must be a positive number of whole seconds in ms');
	}
	return next;
}

function dialectAfter(current: Dialect, change?: DialectChange): Dialect {
	if (change === undefined) return current;
	return typeof change === 'string' ? parseDialect(change) : changeDialect(current, change);
}

function requireKnown(change: object, settings: object): void {
	const unknown = Object.keys(change).find((name) => !Object.hasOwn(settings, name));
	if (unknown !== undefined) throw new RangeError(`There is no setting ${unknown}`);
}

/** An object without the properties that are `undefined`. */
export function withoutUndefined<T extends object>(value: T): T {
	return Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== undefined)) as T;
}

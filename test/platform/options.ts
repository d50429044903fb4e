import type { ControlClient } from './control/client';
import type { Plan } from './plans';
import type { DialectChange, InDevelopment } from './settings';

/** How large the generated shop is, and which one it is. */
export interface ShopSize {
	/** Up to a million and more: records are generated when they are read. */
	products?: number;
	orders?: number;
	customers?: number;
	categories?: number;
	/** The same seed always gives the same shop. */
	seed?: number;
}

export interface PlatformOptions extends ShopSize {
	/** 0 = any free port. Loopback only. */
	port?: number;
	/** 0 = any free port. Loopback only. */
	controlPort?: number;
	/** The first key; a random one if absent. */
	apiKey?: string;
	/** Budgets of the API document's table; `enterprise` if absent. */
	plan?: Plan;
	/** Requests a minute window, in place of the plan's. */
	minuteBudget?: number;
	/** Requests a day window, in place of the plan's. */
	dayBudget?: number;
	/** Whole seconds; windows are aligned to multiples of their length. */
	minuteWindowMs?: number;
	dayWindowMs?: number;
	/**
	 * Requests and responses are validated against openapi.yaml (default). A response that strays is
	 * answered 500 and counted in `contractViolations`. Off for benchmarks.
	 */
	validate?: boolean;
	/** Scales the five delivery retries (1 = 1 min, 5 min, 30 min, 2 h, 24 h). */
	retryDelayFactor?: number;
	/** ms; 10,000 if absent. */
	deliveryTimeoutMs?: number;
	/** How the open sentences of the API document are read: `contrary`, a seed, `switch=value,…`. */
	dialect?: DialectChange;
	/** true = released. */
	inDevelopment?: Partial<InDevelopment>;
	/** Log every request to stdout. */
	log?: boolean;
}

export interface Platform {
	/** `http://127.0.0.1:PORT/v1` */
	baseUrl: string;
	/** `http://127.0.0.1:PORT` of the control API. */
	controlUrl: string;
	/** A key with every scope. */
	apiKey: string;
	control: ControlClient;
	/** Ends both servers, all connections and all delivery timers. */
	close(): Promise<void>;
}

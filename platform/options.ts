import type { Control } from './control/operations';
import type { SettingsChange } from './settings';

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

/** Settings are those at the start and after each reset; a control client changes them later. */
export interface PlatformOptions extends ShopSize, SettingsChange {
	/** 0 = any free port. Loopback only. */
	port?: number;
	/** 0 = any free port. Loopback only. */
	controlPort?: number;
	/** The first key; a random one if absent. */
	apiKey?: string;
	/**
	 * Requests and responses are validated against openapi.yaml (default). A response that strays is
	 * answered 500 and counted in `contractViolations`. Off for benchmarks.
	 */
	validate?: boolean;
}

export interface Platform {
	/** `http://127.0.0.1:PORT/v1` */
	baseUrl: string;
	/** `http://127.0.0.1:PORT` of the control API. */
	controlUrl: string;
	/** A key with every scope. */
	apiKey: string;
	/** The control API, without HTTP. */
	control: Control;
	/** Ends both servers, all connections and all delivery timers. */
	close(): Promise<void>;
}

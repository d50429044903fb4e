import type { Control } from './control/operations';
import type { SettingsChange } from './settings';

/** The size of the generated shop, and its seed. */
export interface ShopSize {
	/** A million is no problem: records are generated when they are read. */
	products?: number;
	orders?: number;
	customers?: number;
	categories?: number;
	/** The same seed always gives the same shop. */
	seed?: number;
}

/** The settings apply at the start and after each reset; the control API changes them later. */
export interface PlatformOptions extends ShopSize, SettingsChange {
	/** 0 = any free port. Loopback only. */
	port?: number;
	/** 0 = any free port. Loopback only. */
	controlPort?: number;
	/** The first key; a random one if absent. */
	apiKey?: string;
	/**
	 * Whether requests and responses are validated against openapi.yaml (default: yes). An invalid response is answered
	 * 500 and counted in `contractViolations`. Off for benchmarks.
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
	/** The operations of the control API, called without HTTP. */
	control: Control;
	/** Closes both servers and all connections, and cancels all delivery timers. */
	close(): Promise<void>;
}

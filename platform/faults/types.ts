/** What can go wrong with one request. */
export type Fault =
	/** An error status with an error body. A 429 carries `Retry-After` (1 s if absent). */
	| {
			fault: 'status';
			status: number;
			/** Seconds, or an HTTP date as text; sent unchanged. */
			retryAfter?: number | string;
			/** Code in the error body; if absent, the usual one for the status. */
			code?: string;
	  }
	/** The request is handled as usual, `ms` milliseconds late. */
	| { fault: 'slow'; ms: number }
	/** The connection is destroyed before the platform reads the request. */
	| { fault: 'reset' }
	/** The request is handled (a write is applied), then the connection is destroyed. */
	| { fault: 'lostAnswer' }
	/** An HTML page, as a proxy sends it (502 if `status` is absent). */
	| { fault: 'html'; status?: number }
	/** Never answers; the connection stays open until the client gives up. */
	| { fault: 'stall' };

/** How often a rule applies. */
interface Frequency {
	/** 0..1, drawn from the rule's own seeded generator. 1 if absent. */
	probability?: number;
	/** Seed of that generator: the same seed gives faults to the same requests, if they come in the same order. */
	seed?: number;
	/** Matches at most this often. */
	times?: number;
}

/** Which requests get which fault. The first rule that matches wins. */
export interface RequestFaultRule extends Frequency {
	/** `GET`, `POST`, … Every method if absent. */
	method?: string;
	/** A template (`/products/{id}`) or the beginning of a path (`/orders`), both without `/v1`. */
	path?: string;
	/** A text within the body. */
	body?: string;
	/**
	 * Steps, one for each matching request; after the last one the rule does nothing. A step is `ok`, a status such as
	 * `'429'`, the name of a fault that needs only its name, or a fault.
	 */
	script?: Array<string | Fault>;
	/** One of these is drawn at random for every match. */
	anyOf?: Fault[];
}

/** What can go wrong with one delivery: sent twice, or held back so that later ones overtake it. */
export interface DeliveryFaultRule extends Frequency {
	fault: 'duplicateDelivery' | 'reorderDelivery';
	/** Only deliveries of this event. */
	event?: string;
	/**
	 * The longest delay of a reordered delivery in ms (250 if absent), or of the copy of a duplicated one (0 if absent).
	 */
	ms?: number;
}

/**
 * A rule for requests names its fault directly (`{ fault: 'status', status: 503, probability: 0.2 }`), or in `script`
 * or `anyOf`.
 */
export type RequestRule = RequestFaultRule & (Fault | { fault?: undefined });

export type FaultRule = RequestRule | DeliveryFaultRule;

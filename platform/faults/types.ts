/** What can go wrong with one request. */
export type Fault =
	/** An error status with an error body. A 429 carries `Retry-After` (1 s if not given). */
	| {
			fault: 'status';
			status: number;
			/** Seconds, or an HTTP date as text; sent as it is. */
			retryAfter?: number | string;
			/** Code in the error body; one fitting the status if not given. */
			code?: string;
	  }
	/** The request is handled as usual, `ms` milliseconds late. */
	| { fault: 'slow'; ms: number }
	/** The connection is destroyed before the request is looked at. */
	| { fault: 'reset' }
	/** The request is handled (a write is applied), then the connection is destroyed. */
	| { fault: 'lostAnswer' }
	/** A page of HTML, as a proxy sends it (502 unless `status` says otherwise). */
	| { fault: 'html'; status?: number }
	/** Never answers; the connection stays open until the client gives up. */
	| { fault: 'stall' };

/** Which of what comes along get a fault, and how often. */
interface Frequency {
	/** 0..1, drawn from the rule's own seeded generator. 1 if absent. */
	probability?: number;
	/** Seed of that generator; with the same seed the same in the same order get one. */
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
	/**
	 * Steps consumed one a matching request; afterwards the rule does nothing. `ok`, a status such as `'429'`, the name
	 * of a fault that needs no more, or a fault.
	 */
	script?: Array<string | Fault>;
	/** Faults of which one is drawn at random for every match. */
	anyOf?: Fault[];
}

/** What can go wrong with one delivery: sent twice, or held back so that later ones overtake it. */
export interface DeliveryFaultRule extends Frequency {
	fault: 'duplicateDelivery' | 'reorderDelivery';
	/** Only deliveries of this event. */
	event?: string;
	/**
	 * How long a reordered delivery is held back at most, in ms (250 if absent), or how much later the
	 * copy of a duplicated one comes at most (0).
	 */
	ms?: number;
}

/** A rule for requests names its fault directly (`{ fault: 'status', status: 503, probability: 0.2 }`) or by its parts. */
export type RequestRule = RequestFaultRule & (Fault | { fault?: undefined });

export type FaultRule = RequestRule | DeliveryFaultRule;

import type { ControlClient } from './types';

export type * from './types';

/**
 * A client of the control API.
 *
 * @param controlUrl `http://127.0.0.1:PORT`, as printed by `npm run platform`.
 * Every method throws an Error that names the operation and the platform's reason.
 */
export function createControlClient(controlUrl: string): ControlClient {
	const call = async <T>(operation: string, args: object = {}): Promise<T> => {
		const response = await fetch(`${controlUrl}/${operation}`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(args),
		});
		const answer = (await response.json()) as { result?: T; error?: string };
		if (!response.ok) {
			throw new Error(`Control operation "${operation}" failed: ${answer.error}`);
		}
		return answer.result as T;
	};
	return {
		platform: async () => call('platform'),
		payOrder: async (orderId) => call('payOrder', { orderId }),
		createOrder: async (fields) => call('createOrder', { fields }),
		setStock: async (level) => call('setStock', level),
		writeRecord: async (kind, write) => call('writeRecord', { kind, ...write }),
		touch: async (kind, options) => call('touch', { kind, ...options }),
		emit: async (event, payload) => call('emit', { event, payload }),
		deliveries: async (filter) => call('deliveries', filter),
		replay: async (deliveryId, options) => call('replay', { deliveryId, ...options }),
		settled: async (timeoutMs) => call('settled', { timeoutMs }),
		endpoints: async () => call('endpoints'),
		endpointSecret: async (endpointId) => call('endpointSecret', { endpointId }),
		setEndpointStatus: async (endpointId, status) =>
			call('setEndpointStatus', { endpointId, status }),
		createKey: async (options) => call('createKey', options),
		revokeKey: async (apiKey) => call('revokeKey', { apiKey }),
		counters: async () => call('counters'),
		resetCounters: async () => call('resetCounters'),
		requests: async (limit, maxBodyCharacters) => call('requests', { limit, maxBodyCharacters }),
		budgets: async () => call('budgets'),
		configure: async (settings) => call('configure', settings),
		dialect: async () => call('dialect'),
		openPoints: async () => call('openPoints'),
		faults: async () => call('faults'),
		setFaults: async (faults) => call('setFaults', { faults }),
		reset: async (size) => call('reset', size),
		list: async (filter) => call('list', filter),
		records: async (kind) => call('records', { kind }),
		record: async (kind, id) => call('record', { kind, id }),
	};
}

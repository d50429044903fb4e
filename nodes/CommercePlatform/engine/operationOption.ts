import type { INodePropertyOptions } from 'n8n-workflow';

import type { PlatformMethod } from '../../shared/api/request';

/** The option of the Operation list, with the request that it stands for. */
export interface OperationOption extends INodePropertyOptions {
	value: string;
	action: string;
	description: string;
	routing: {
		request: {
			method: PlatformMethod;
			/** As the API document writes it, e.g. `/orders/{orderId}/cancel`; a placeholder is a parameter's name. */
			url: string;
		};
	};
}

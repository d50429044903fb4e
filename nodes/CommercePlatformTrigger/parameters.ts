import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import type { EmitOptions } from './delivery/emit';
import { readSelection, type Selection } from './selection';

/** The node's parameters, read once and brought into shape. */
export interface TriggerParameters {
	/** The events that are selected now. */
	selection: Selection;
	/** Whether deliveries signed with a replaced secret count for 27 h; on unless switched off. */
	acceptPreviousSecret: boolean;
	/** How items look. */
	emit: EmitOptions;
}

/** Reads the parameters; each reading costs n8n an evaluation. */
export function readParameters(context: IHookFunctions | IWebhookFunctions): TriggerParameters {
	const chosen: unknown = context.getNodeParameter('events', []);
	const options = (context.getNodeParameter('options', {}) ?? {}) as Record<string, unknown>;
	return {
		selection: readSelection(chosen, options.otherEvents),
		acceptPreviousSecret: options.acceptPreviousSecret !== false,
		emit: {
			payloadOnly: options.payloadOnly === true,
			includeHeaders: options.includeHeaders === true,
		},
	};
}

import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import type { EmitOptions } from './delivery/emit';
import type { RepeatsByContent } from './delivery/identity';
import { DEFAULT_RETENTION_HOURS, retentionMs } from './memory/retention';
import { readSelection, type Selection } from './selection';

/** The node's parameters, read once and brought into shape. */
export interface TriggerParameters {
	/** The events that are selected now. */
	selection: Selection;
	/** Whether deliveries signed with the secret of a replaced endpoint count; on unless switched off. */
	acceptPreviousSecret: boolean;
	/** How long deliveries and replaced secrets are to be remembered, as entered. */
	rememberHours: unknown;
	/** The same in ms; the default where that cannot be used. */
	retentionMs: number;
	/** When the same content is taken for the same delivery. */
	repeatsByContent: RepeatsByContent;
	/** Whether listening for a test event gets a sample at once. */
	sampleEvent: boolean;
	/** How items look. */
	emit: EmitOptions;
}

/** Reads the parameters. Each reading costs n8n an evaluation. */
export function readParameters(context: IHookFunctions | IWebhookFunctions): TriggerParameters {
	const chosen: unknown = context.getNodeParameter('events', []);
	const options = (context.getNodeParameter('options', {}) ?? {}) as Record<string, unknown>;
	const { repeatsByContent, rememberHours = DEFAULT_RETENTION_HOURS } = options;
	return {
		selection: readSelection(chosen, options.otherEvents),
		acceptPreviousSecret: options.acceptPreviousSecret !== false,
		rememberHours,
		retentionMs: retentionMs(rememberHours),
		repeatsByContent:
			repeatsByContent === 'always' || repeatsByContent === 'never'
				? repeatsByContent
				: 'automatic',
		sampleEvent: options.sampleEvent === true,
		emit: {
			payloadOnly: options.payloadOnly === true,
			includeHeaders: options.includeHeaders === true,
			getFullRecord: options.getFullRecord === true,
		},
	};
}

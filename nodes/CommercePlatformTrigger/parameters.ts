import type { IDataObject, IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { DECIMAL_FORMS } from '../shared/values/money';
import type { EmitOptions } from './delivery/emit';
import type { RepeatsByContent } from './delivery/identity';
import { retentionMs } from './memory/retention';
import { readSelection, type Selection } from './selection';

/** The node's parameters, read once and brought into shape. */
export interface TriggerParameters {
	/** The events that are selected now. */
	selection: Selection;
	/** Whether deliveries signed with the secret of a replaced endpoint count; on unless switched off. */
	acceptPreviousSecret: boolean;
	/** How long deliveries and replaced secrets are to be remembered. */
	retentionMs: number;
	/** When the same content is taken for the same delivery. */
	repeatsByContent: RepeatsByContent;
	/** Whether listening for a test event gets a sample at once. */
	sampleEvent: boolean;
	/** How items look. */
	emit: EmitOptions;
}

/** The options as they were entered. */
export function enteredOptions(context: IHookFunctions | IWebhookFunctions): IDataObject {
	return (context.getNodeParameter('options', {}) ?? {}) as IDataObject;
}

/**
 * Reads the parameters. Each reading costs n8n an evaluation. What cannot be used is refused when the endpoint is
 * registered; should an expression give it later, the default counts, so that no delivery is lost.
 */
export function readParameters(context: IHookFunctions | IWebhookFunctions): TriggerParameters {
	const chosen: unknown = context.getNodeParameter('events', []);
	const options = enteredOptions(context);
	const { repeatsByContent } = options;
	return {
		selection: readSelection(chosen, options.otherEvents),
		acceptPreviousSecret: switchOf(options.acceptPreviousSecret, true),
		retentionMs: retentionMs(options.rememberHours),
		repeatsByContent:
			repeatsByContent === 'always' || repeatsByContent === 'never'
				? repeatsByContent
				: 'automatic',
		sampleEvent: switchOf(options.sampleEvent, false),
		emit: {
			payloadOnly: switchOf(options.payloadOnly, false),
			includeHeaders: switchOf(options.includeHeaders, false),
			getFullRecord: switchOf(options.getFullRecord, false),
			// What cannot be read must not cost a delivery.
			decimals: DECIMAL_FORMS.find((form) => form === options.decimalAmounts) ?? 'off',
		},
	};
}

function switchOf(value: unknown, byDefault: boolean): boolean {
	const isOther = String(value).trim().toLowerCase() === String(!byDefault);
	return isOther ? !byDefault : byDefault;
}

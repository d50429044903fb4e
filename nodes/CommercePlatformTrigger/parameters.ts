import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import type { EmitOptions } from './delivery/emit';
import { readSelection, type Selection } from './selection';

type Context = IHookFunctions | IWebhookFunctions;

/** The events that are selected now. */
export function selectionOf(context: Context): Selection {
	const chosen: unknown = context.getNodeParameter('events', []);
	return readSelection(chosen, option(context, 'otherEvents'));
}

/** Whether deliveries signed with a replaced secret count for 27 h; on unless switched off. */
export function acceptsPreviousSecret(context: Context): boolean {
	return option(context, 'acceptPreviousSecret') !== false;
}

/** How items look. */
export function emitOptionsOf(context: Context): EmitOptions {
	return {
		payloadOnly: option(context, 'payloadOnly') === true,
		includeHeaders: option(context, 'includeHeaders') === true,
	};
}

function option(context: Context, name: string): unknown {
	const options: unknown = context.getNodeParameter('options', {});
	return (options as Record<string, unknown> | null)?.[name];
}

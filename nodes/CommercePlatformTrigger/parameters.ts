import type { IDataObject, IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { InputError } from '../shared/errors/errors';
import { toNodeError } from '../shared/errors/nodeErrors';
import { decimalFormOf } from '../shared/fields';
import { isEventName } from '../shared/model/events';
import { boolean, oneOf } from '../shared/values/readers';
import { REPEATS_BY_CONTENT, type RepeatsByContent } from './delivery/verifyDelivery';

/**
 * How long a delivery and the secret of a replaced endpoint are remembered, unless the user says otherwise. Hours.
 *
 * The platform's last retry comes 26.6 hours after the first attempt (API document, "Retry policy").
 */
export const DEFAULT_RETENTION_HOURS = 27;

/** Two weeks, longer than any schedule of retries. Hours. */
export const MAX_RETENTION_HOURS = 336;

const HOUR_MS = 60 * 60 * 1000;

/** The node's parameters, read once and brought into shape. */
export type TriggerParameters = ReturnType<typeof readParameters>;

/** Reads one parameter; what is to be done where it cannot be read is up to who asks. */
type Attempt = <T>(read: () => T, byDefault: T) => T;

/**
 * Reads the parameters for a delivery. What cannot be used is refused when the endpoint is registered; should an
 * expression give it later, the default counts, so that no delivery is lost.
 */
export function readParameters(context: IHookFunctions | IWebhookFunctions) {
	return read(context, (readOne, byDefault) => {
		try {
			return readOne();
		} catch {
			return byDefault;
		}
	});
}

/**
 * Reads the parameters for a new endpoint.
 *
 * @throws NodeOperationError that names the field which cannot be used
 */
export function checkedParameters(context: IHookFunctions): TriggerParameters {
	try {
		return read(context, (readOne) => readOne());
	} catch (error) {
		throw toNodeError(context.getNode(), error);
	}
}

/** Each reading of a parameter costs n8n an evaluation. */
function read(context: IHookFunctions | IWebhookFunctions, attempt: Attempt) {
	const options = (context.getNodeParameter('options', {}) ?? {}) as IDataObject;
	const names = distinctNames(context.getNodeParameter('events', []), options.otherEvents);
	const isOn = (field: string, value: unknown, byDefault = false) =>
		attempt(() => boolean(field, value ?? byDefault), byDefault);
	const retentionHours = attempt(() => hours(options.rememberHours), DEFAULT_RETENTION_HOURS);
	const repeats = options.repeatsByContent as RepeatsByContent | undefined;
	return {
		/** The selected events: distinct names, sorted. */
		events: attempt(() => checkedEvents(names), names.filter(isEventName)),
		/** Whether deliveries signed with the secret of a replaced endpoint count. */
		acceptPreviousSecret: isOn('Accept Previous Secret', options.acceptPreviousSecret, true),
		/** How long deliveries and replaced secrets are to be remembered. */
		retentionMs: retentionHours * HOUR_MS,
		repeatsByContent: attempt(
			() => oneOf('Repeats by Content', repeats, REPEATS_BY_CONTENT),
			REPEATS_BY_CONTENT[0],
		),
		/** Whether listening for a test event gets a sample at once. */
		sampleEvent: isOn('Sample Event', options.sampleEvent),
		/** How the user wants items to look. */
		form: {
			payloadOnly: isOn('Payload Only', options.payloadOnly),
			includeHeaders: isOn('Include Headers', options.includeHeaders),
			getFullRecord: isOn('Get Full Record', context.getNodeParameter('getFullRecord', false)),
			decimals: attempt(() => decimalFormOf(options, 'off'), 'off'),
		},
	};
}

function hours(value: unknown = DEFAULT_RETENTION_HOURS): number {
	if (typeof value === 'number' && value >= 1 && value <= MAX_RETENTION_HOURS) return value;
	const problem = `must be a number from 1 to ${MAX_RETENTION_HOURS}`;
	throw new InputError('Remember Deliveries (Hours)', problem);
}

function checkedEvents(names: string[]): string[] {
	if (names.length === 0) throw new InputError('Events', 'is empty', 'Select at least one event.');
	const misshapen = names.filter((name) => !isEventName(name)).map((name) => `“${name}”`);
	if (misshapen.length === 0) return names;
	throw new InputError(
		'Other Event Names',
		`holds names that no event can have: ${misshapen.join(', ')}`,
		'Write each name exactly as the platform’s event catalogue does, for example order.paid. Wildcards do not work.',
	);
}

/**
 * Every name once, sorted.
 *
 * @param lists each a list of names, or names separated by commas, spaces or lines: expressions may give either
 */
function distinctNames(...lists: unknown[]): string[] {
	const names = lists.flatMap((list) => {
		if (list === undefined || list === null) return [];
		return Array.isArray(list)
			? list.map((name) => String(name).trim())
			: String(list).split(/[\s,;]+/);
	});
	return [...new Set(names)].filter((name) => name !== '').sort();
}

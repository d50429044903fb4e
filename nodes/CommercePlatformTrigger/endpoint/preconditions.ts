import { NodeOperationError, type IDataObject, type IHookFunctions } from 'n8n-workflow';

import { toNodeError } from '../../shared/errors/nodeErrors';
import { CREDENTIAL } from '../../shared/api/request';
import { InputError } from '../../shared/errors/errors';
import { boolean, oneOf } from '../../shared/values/readers';
import { REPEATS_BY_CONTENT } from '../delivery/identity';
import { DEFAULT_RETENTION_HOURS, isRetention, MAX_RETENTION_HOURS } from '../memory/retention';
import { enteredOptions, readParameters } from '../parameters';
import { addressProblem } from './address';

/**
 * The selected events.
 *
 * @throws NodeOperationError if there are none, or a typed name cannot be an event name
 */
export function checkedEvents(context: IHookFunctions): string[] {
	const { events, misshapen } = readParameters(context).selection;
	if (misshapen.length > 0) {
		const names = misshapen.map((name) => `“${name}”`).join(', ');
		const error = new InputError(
			'Other Event Names',
			`holds names that no event can have: ${names}`,
			'Write each name exactly as the platform’s event catalogue does, for example order.paid. Wildcards do not work.',
		);
		throw toNodeError(context.getNode(), error);
	}
	if (events.length === 0) {
		const error = new InputError('Events', 'is empty', 'Select at least one event.');
		throw toNodeError(context.getNode(), error);
	}
	return events;
}

/**
 * Checks the options, of which expressions may give anything.
 *
 * @throws NodeOperationError that names the option
 */
export function checkOptions(context: IHookFunctions): void {
	try {
		checkEach(enteredOptions(context));
	} catch (error) {
		throw toNodeError(context.getNode(), error);
	}
}

function checkEach(options: IDataObject): void {
	const { rememberHours = DEFAULT_RETENTION_HOURS } = options;
	if (!isRetention(rememberHours)) {
		const problem = `must be a number from 1 to ${MAX_RETENTION_HOURS}`;
		throw new InputError('Remember Deliveries (Hours)', problem);
	}
	oneOf('Repeats by Content', options.repeatsByContent, REPEATS_BY_CONTENT);
	for (const [name, field] of SWITCHES) boolean(field, options[name] ?? false);
}

const SWITCHES = [
	['acceptPreviousSecret', 'Accept Previous Secret'],
	['getFullRecord', 'Get Full Record'],
	['includeHeaders', 'Include Headers'],
	['payloadOnly', 'Payload Only'],
	['sampleEvent', 'Sample Event'],
];

/**
 * Checks that the platform can reach n8n.
 *
 * @throws NodeOperationError with the remedy
 */
export async function checkAddress(context: IHookFunctions, address: string): Promise<void> {
	const { baseUrl } = await context.getCredentials(CREDENTIAL);
	const problem = addressProblem(address, typeof baseUrl === 'string' ? baseUrl.trim() : '');
	if (problem === undefined) return;
	throw new NodeOperationError(context.getNode(), problem.message, {
		description: problem.remedy,
	});
}

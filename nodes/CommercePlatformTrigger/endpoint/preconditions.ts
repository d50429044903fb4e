import { NodeOperationError, type IHookFunctions } from 'n8n-workflow';

import { toNodeError } from '../../shared/api/nodeErrors';
import { CREDENTIAL } from '../../shared/api/request';
import { InputError } from '../../shared/input/inputError';
import { isRetention, MAX_RETENTION_HOURS } from '../memory/retention';
import { readParameters } from '../parameters';
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
 * Checks how long deliveries are to be remembered.
 *
 * @throws NodeOperationError if it is not a number within the bounds
 */
export function checkRetention(context: IHookFunctions): void {
	const { rememberHours } = readParameters(context);
	if (isRetention(rememberHours)) return;
	const problem = `must be a number from 1 to ${MAX_RETENTION_HOURS}`;
	throw toNodeError(context.getNode(), new InputError('Remember Deliveries (Hours)', problem));
}

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

import type { Resource } from '../../engine/operation';
import { getAll } from './getAll';

export const event: Resource = {
	name: 'Event',
	value: 'event',
	description: 'The stream of everything that happened, a contracted enterprise feature',
	noun: 'event',
	operations: [getAll],
};

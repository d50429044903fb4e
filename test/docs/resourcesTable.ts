import { resources } from '../../nodes/CommercePlatform/resources';
import { table, withPart } from './markdown';

/** Where the resources stand with the names of their operations, from the root of the repository. */
export const README_FILE = 'README.md';

/** The README with the table of resources as the node gives it; a star marks what is in development. */
export const withResources = (text: string): string =>
	withPart(text, 'resources', resourcesTable());

function resourcesTable(): string {
	const rows = resources.map(({ name, operations }) => [
		name,
		operations
			.map(
				({ option, inDevelopment }) =>
					`${option.name.replace(/ \(.*/, '')}${inDevelopment !== undefined ? '\\*' : ''}`,
			)
			.sort((one, other) => one.localeCompare(other))
			.join(', '),
	]);
	return table(['Resource', 'Operations'], rows);
}

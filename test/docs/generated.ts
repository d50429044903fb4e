import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { AGENTS_FILE, withToolSchemas } from './agentTools';
import { OPERATIONS_FILE, withTable } from './operationsTable';
import { README_FILE, withResources } from './resourcesTable';
import { CREDENTIAL_FILE, withScopes } from './scopes';
import { TROUBLESHOOTING_FILE, withErrors } from './troubleshooting';

const REPOSITORY = join(__dirname, '..', '..');

/** The documents with generated parts, from the root of the repository, and what brings each up to date. */
export const GENERATED: Record<string, (text: string) => string> = {
	[AGENTS_FILE]: withToolSchemas,
	[CREDENTIAL_FILE]: withScopes,
	[OPERATIONS_FILE]: withTable,
	[README_FILE]: withResources,
	[TROUBLESHOOTING_FILE]: withErrors,
};

/** Text of a file. @param path from the root of the repository */
export const textOf = (path: string): string => readFileSync(join(REPOSITORY, path), 'utf8');

/** Writes anew what is generated, and gives the paths that were not up to date. */
export function writeGenerated(): string[] {
	return Object.entries(GENERATED).flatMap(([path, update]) => {
		const [before, after] = [textOf(path), update(textOf(path))];
		if (before === after) return [];
		writeFileSync(join(REPOSITORY, path), after);
		return [path];
	});
}

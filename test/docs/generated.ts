import { existsSync, globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { withDialectTable } from '../../platform/dialects/describe';
import { REPOSITORY, textOf } from '../support/repository';
import { withToolSchemas } from './agentTools';
import { withResources, withTable } from './operationsTable';
import { OUTPUT_SCHEMAS } from './outputSchemas';
import { withScopes } from './scopes';
import { withErrors } from './troubleshooting';

/** The files with generated parts, from the root of the repository, each with the function that updates it. */
export const GENERATED: Record<string, (text: string) => string> = {
	'docs/agents.md': withToolSchemas,
	'docs/credential.md': withScopes,
	'docs/operations.md': withTable,
	'README.md': withResources,
	'docs/troubleshooting.md': withErrors,
	'platform/README.md': withDialectTable,
	...OUTPUT_SCHEMAS,
};

/** Text of a file; empty if the file does not exist yet. */
const writtenIn = (path: string) => (existsSync(join(REPOSITORY, path)) ? textOf(path) : '');

/** Output schemas of operations that no longer exist, from the root of the repository. */
export const outdatedSchemas = (): string[] =>
	globSync('nodes/*/__schema__/**/*.json', { cwd: REPOSITORY }).filter(
		(path) => !(path in OUTPUT_SCHEMAS),
	);

/** Writes all generated parts. @returns the paths that were out of date */
export function writeGenerated(): string[] {
	const outdated = outdatedSchemas();
	for (const path of outdated) rmSync(join(REPOSITORY, path));
	const changed = Object.entries(GENERATED).filter(
		([path, update]) => writtenIn(path) !== update(writtenIn(path)),
	);
	for (const [path, update] of changed) {
		mkdirSync(dirname(join(REPOSITORY, path)), { recursive: true });
		writeFileSync(join(REPOSITORY, path), update(writtenIn(path)));
	}
	return [...outdated, ...changed.map(([path]) => path)];
}

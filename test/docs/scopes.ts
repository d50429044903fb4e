import { WATCHES } from '../../nodes/CommercePlatformChangesTrigger/parameters';
import { SUBJECTS } from '../../nodes/CommercePlatformTrigger/delivery/eventRecord';
import { scopeOf } from '../../nodes/shared/model/scopes';
import { table, withPart } from './markdown';
import { OPERATION_SCOPES, type Reads } from './operationScopes';

/** Where the scopes stand, from the root of the repository. */
export const CREDENTIAL_FILE = 'docs/credential.md';

const NOT_SHOWN = 'not shown by the platform’s documentation';
/** Sorts behind every scope. */
const LAST = 'zz';

/** Uses of a scope: by what an operation or trigger is for, and by what it reads besides. */
interface Uses {
	own: string[];
	reads: string[];
}

const operations = [...OPERATION_SCOPES.values()];

/** Uses of a scope by the triggers: the webhook trigger's endpoint, and what the changes trigger can watch. */
const byTriggers = (scope: string | undefined): string[] => [
	...(scope === scopeOf({ method: 'GET', path: '/webhooks' })
		? ['**Commerce Platform Trigger**']
		: []),
	...Object.values(WATCHES)
		.filter(({ path }) => scope !== undefined && scope === scopeOf({ method: 'GET', path }))
		.map(({ shown: [name] }) => `**Commerce Platform Changes Trigger** on ${name}`),
];

/** Options of the webhook trigger that read the record that an event is about. */
const byTriggerOptions = (scope: string | undefined): string[] =>
	Object.values(SUBJECTS)
		.filter(({ listPath: path }) => scope === scopeOf({ method: 'GET', path }))
		.map(({ recordPath }) => (recordPath === undefined ? [] : ['Get Full Record']))
		.map((options) => `**Commerce Platform Trigger** (${[...options, 'Sample Event'].join(', ')})`);

const usesOf = (scope: string | undefined): Uses => ({
	own: [
		...operations.filter((one) => one.scope === scope).map(({ title }) => title),
		...byTriggers(scope),
	],
	reads: [
		...operations.flatMap(({ title, reads }) =>
			reads !== undefined && reads.scope === scope ? [`${title}${choices(reads)}`] : [],
		),
		...byTriggerOptions(scope),
	],
});

const choices = ({ when }: Reads): string => (when.length === 0 ? '' : ` (${when.join(', ')})`);

/** The document with the scopes and what each is for, as the operations give them. */
export const withScopes = (text: string): string => withPart(text, 'scopes', scopeTable());

function scopeTable(): string {
	const scopes = new Set(operations.map(({ scope }) => scope));
	const rows = [...scopes]
		.sort((one, other) => (one ?? LAST).localeCompare(other ?? LAST))
		.map((scope) => {
			const { own, reads } = usesOf(scope);
			const name = scope === undefined ? NOT_SHOWN : `\`${scope}\``;
			return [name, own.join(', '), reads.join(', ')];
		});
	return table(['Scope', 'What it is for', 'Also needed by, for what they read'], rows);
}

import { WATCHES } from '../../nodes/CommercePlatformChangesTrigger/parameters';
import { RESOURCES } from '../../nodes/shared/shop/resources';
import { SERVICE } from '../../nodes/shared/shop/service';
import { table, withPart } from '../../platform/support/markdown';
import { OPERATION_SCOPES, type Reads } from './operationScopes';

const NOT_SHOWN = 'not shown by the platform’s documentation';
/** Sorts behind every scope. */
const LAST = 'zz';

const operations = [...OPERATION_SCOPES.values()];

/** Uses of a scope by the triggers: the webhook trigger's endpoint, and what the changes trigger can watch. */
const byTriggers = (scope: string | undefined): string[] => [
	...(scope === SERVICE.about({ method: 'GET', path: '/webhooks' }).scope
		? ['**Commerce Platform Trigger**']
		: []),
	...Object.values(WATCHES)
		.filter(
			({ resource: { path } }) =>
				scope !== undefined && scope === SERVICE.about({ method: 'GET', path }).scope,
		)
		.map(({ shown: [name] }) => `**Commerce Platform Changes Trigger** on ${name}`),
];

/** Options of the webhook trigger that read the record that an event is about. */
const byTriggerOptions = (scope: string | undefined): string[] =>
	[RESOURCES.customer, RESOURCES.inventory, RESOURCES.order, RESOURCES.product]
		.filter(({ path }) => scope === SERVICE.about({ method: 'GET', path }).scope)
		.map(({ recordPath }) => (recordPath === undefined ? [] : ['Get Full Record']))
		.map((options) => `**Commerce Platform Trigger** (${[...options, 'Sample Event'].join(', ')})`);

/** Operations and triggers that need a scope for their purpose. */
const ownUses = (scope: string | undefined): string[] => [
	...operations.filter((one) => one.scope === scope).map(({ title }) => title),
	...byTriggers(scope),
];

/** Further reads that need a scope. */
const readUses = (scope: string | undefined): string[] => [
	...operations.flatMap(({ title, reads }) =>
		reads !== undefined && reads.scope === scope ? [`${title}${choices(reads)}`] : [],
	),
	...byTriggerOptions(scope),
];

const choices = ({ when }: Reads): string => (when.length === 0 ? '' : ` (${when.join(', ')})`);

/** Replaces the list of scopes and their uses, made from the operations. */
export function withScopes(text: string): string {
	const scopes = [...new Set(operations.map(({ scope }) => scope))];
	const rows = scopes
		.sort((one, other) => (one ?? LAST).localeCompare(other ?? LAST))
		.map((scope) => [
			scope === undefined ? NOT_SHOWN : `\`${scope}\``,
			ownUses(scope).join(', '),
			readUses(scope).join(', '),
		]);
	const head = ['Scope', 'What it is for', 'Also needed by, for what they read'];
	return withPart(text, 'scopes', table(head, rows));
}

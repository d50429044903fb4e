import { resources } from '../../nodes/CommercePlatform/resources';
import { WATCHES } from '../../nodes/CommercePlatformChangesTrigger/watches';
import { ENDPOINT_SCOPE } from '../../nodes/CommercePlatformTrigger/endpoint/accountEndpoints';
import { table, withPart } from './markdown';

/** Where the scopes stand, from the root of the repository. */
export const CREDENTIAL_FILE = 'docs/credential.md';

const NOT_SHOWN = 'not shown by the platform’s documentation';
/** Sorts behind every scope. */
const LAST = 'zz';

/** Uses of a scope by the triggers: the webhook trigger's endpoint, and what the changes trigger can watch. */
const byTriggers = (scope: string): string[] => [
	...(scope === ENDPOINT_SCOPE ? ['**Commerce Platform Trigger**'] : []),
	...Object.values(WATCHES)
		.filter(({ errors }) => errors.scope === scope)
		.map(({ option }) => `**Commerce Platform Changes Trigger** on ${option.name}`),
];

/** The document with the scopes and what each is for, as the operations give them. */
export const withScopes = (text: string): string => withPart(text, 'scopes', scopeTable());

function scopeTable(): string {
	const byScope = new Map<string | undefined, string[]>();
	for (const { name, operations } of resources) {
		for (const { option, scope } of operations) {
			byScope.set(scope, [...(byScope.get(scope) ?? []), `${name} ${option.name}`]);
		}
	}
	const rows = [...byScope]
		.sort(([one = LAST], [other = LAST]) => one.localeCompare(other))
		.map(([scope, uses]) =>
			scope === undefined
				? [NOT_SHOWN, uses.join(', ')]
				: [`\`${scope}\``, [...uses, ...byTriggers(scope)].join(', ')],
		);
	return table(['Scope', 'What it is for'], rows);
}

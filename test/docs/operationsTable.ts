import { resources } from '../../nodes/CommercePlatform/CommercePlatform.node.ts';
import type { Operation, Resource } from '../../nodes/CommercePlatform/runner/operation';
import { table, withPart } from '../../platform/support/markdown';
import { OPERATION_SCOPES } from './operationScopes';
import { REMARKS } from './remarks';

function row(resource: Resource, operation: Operation): string[] {
	const { option, kind } = operation;
	const id = `${resource.value}.${option.value}`;
	const { method, url } = option.routing.request;
	const notes = [
		operation.inDevelopment !== undefined ? 'in development' : '',
		kind === 'list' ? 'Return All, Limit' : '',
		hasOption(operation, 'output') ? 'Output: Pages' : '',
		has(operation, 'simplify') ? 'Simplify' : '',
		...Object.entries(REMARKS.modes).map(([mode, note]) => (hasMode(operation, mode) ? note : '')),
		kind === 'list' && operation.recordRows !== undefined
			? `Output: ${operation.recordRows.output === 'variants' ? 'Variants' : 'Line Items'}`
			: '',
		hasOption(operation, 'ifNotAllowed') ? 'If Not Allowed in This State' : '',
		hasOption(operation, 'onConflict') ? 'On Conflict, Expected Version' : '',
		has(operation, 'specifyFields') ? 'body: names and values, or JSON' : '',
		REMARKS.operations[id] ?? '',
	];
	return [
		resource.name,
		`${option.name} (\`${option.value}\`)`,
		`\`${method} ${url}\``,
		scopes(id),
		notes.filter((note) => note !== '').join('; '),
	];
}

function scopes(id: string): string {
	const { scope, reads } = OPERATION_SCOPES.get(id) ?? {};
	const own = scope === undefined ? 'not shown' : `\`${scope}\``;
	if (reads === undefined) return own;
	const choices = reads.when.length === 0 ? '' : ` for ${reads.when.join(', ')}`;
	return `${own}, and \`${reads.scope}\`${choices}`;
}

const has = ({ fields }: Operation, name: string) => fields.some((field) => field.name === name);

const hasMode = ({ fields }: Operation, mode: string) =>
	fields.some(({ modes }) => modes?.some(({ name }) => name === mode));

const hasOption = ({ fields }: Operation, name: string) =>
	fields.some(
		(field) => field.name === 'options' && field.options?.some((one) => one.name === name),
	);

/** Replaces the table of all operations, made from the node's own descriptions. */
export function withTable(text: string): string {
	const rows = resources.flatMap((resource) =>
		resource.operations.map((operation) => row(resource, operation)),
	);
	const head = ['Resource', 'Operation', 'Request', 'Probable scope', 'Notes'];
	return withPart(text, 'table of operations', table(head, rows));
}

/** Replaces the README's list of operations by resource; a star marks those in development. */
export function withResources(text: string): string {
	const rows = resources.map(({ name, operations }) => {
		const names = operations.map(
			({ option, inDevelopment }) =>
				`${option.name.replace(/ \(.*/, '')}${inDevelopment === undefined ? '' : '\\*'}`,
		);
		return [name, names.sort((one, other) => one.localeCompare(other)).join(', ')];
	});
	return withPart(text, 'resources', table(['Resource', 'Operations'], rows));
}

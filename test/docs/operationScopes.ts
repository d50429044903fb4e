import { resources } from '../../nodes/CommercePlatform/CommercePlatform.node.ts';
import { SERVICE } from '../../nodes/shared/shop/service';
import { readChoicesOf, readScopeOf } from '../engine/operations/readCases';

/** A scope that an operation needs for further reads beside its own request. */
export interface Reads {
	scope: string | undefined;
	/** The choices that need it, in the words of the editor; none if the operation always reads. */
	when: string[];
}

/** The scopes of an operation. */
export interface OperationScopes {
	/** e.g. `Order Update` */
	title: string;
	scope: string | undefined;
	reads?: Reads;
}

/** By operation, e.g. `order.update`: the scopes of its request, and of the reads that its choices add. */
export const OPERATION_SCOPES = new Map<string, OperationScopes>(
	resources.flatMap(({ name, value, operations }) =>
		operations.map((operation): [string, OperationScopes] => {
			const { option } = operation;
			const { method, url } = option.routing.request;
			const choices = readChoicesOf(operation).filter(({ reads }) => reads);
			const reads = {
				scope: readScopeOf(operation),
				when: choices.flatMap(({ when }) => when ?? []),
			};
			const scopes = {
				title: `${name} ${option.name}`,
				scope: SERVICE.about({ method, path: url }).scope,
			};
			const id = `${value}.${option.value}`;
			return [id, choices.length === 0 ? scopes : { ...scopes, reads }];
		}),
	),
);

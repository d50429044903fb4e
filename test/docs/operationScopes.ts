import { resources } from '../../nodes/CommercePlatform/resources';
import { scopeOf } from '../../nodes/shared/model/scopes';
import { READ_CASES } from '../engine/operations/readCases';

/** A scope that an operation needs for what it reads beside its own request. */
export interface Reads {
	scope: string | undefined;
	/** The choices that ask for it, in the words of the editor; none where it always reads. */
	when: string[];
}

/** The scopes of an operation. */
export interface OperationScopes {
	/** e.g. `Order Update` */
	title: string;
	scope: string | undefined;
	reads?: Reads;
}

/** Of every operation, e.g. of `order.update`: what its request needs, and what it reads in the cases that are tried. */
export const OPERATION_SCOPES = new Map<string, OperationScopes>(
	resources.flatMap(({ name, value, operations }) =>
		operations.map(({ option }): [string, OperationScopes] => {
			const id = `${value}.${option.value}`;
			const { method, url } = option.routing.request;
			const cases = READ_CASES.filter(({ operation }) => operation === id);
			const reads = {
				scope: scopeOf({ method: 'GET', path: `/${url.split('/')[1]}` }),
				when: cases.flatMap(({ when }) => when ?? []),
			};
			const scopes = { title: `${name} ${option.name}`, scope: scopeOf({ method, path: url }) };
			return [id, cases.length === 0 ? scopes : { ...scopes, reads }];
		}),
	),
);

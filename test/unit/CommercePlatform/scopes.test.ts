import { errorContextOf } from '../../../nodes/CommercePlatform/run/results';
import { scopeOf } from '../../../nodes/shared/model/scopes';
import { resources } from '../../../nodes/CommercePlatform/resources';
import { DOCUMENTED_SCOPES } from '../../support/documented';

/** What the API document gives not even a group for, or whose scope names it does not show. */
const UNKNOWN = [
	'account.get',
	'category.create',
	'category.getAll',
	'event.getAll',
	'order.refund',
];

const operations = resources.flatMap((resource) =>
	resource.operations.map((operation) => ({
		name: `${resource.value}.${operation.option.value}`,
		resource,
		operation,
	})),
);

it('knows the scope of every operation but those that the API document says nothing of', () => {
	const missing = operations.filter(({ operation }) => operation.scope === undefined);
	expect(missing.map(({ name }) => name).sort()).toEqual(UNKNOWN);
});

it('names only scopes that the API document names, and all of them', () => {
	const named = operations.flatMap(({ operation }) => operation.scope ?? []);
	expect([...new Set(named)].sort()).toEqual([...DOCUMENTED_SCOPES].sort());
});

it('names the scope of an operation where its own request is refused', () => {
	for (const { name, operation } of operations) {
		const { method, url } = operation.option.routing.request;
		const isOwn = operation.kind !== 'all' && !('requests' in operation);
		if (isOwn) expect([name, scopeOf({ method, path: url })]).toEqual([name, operation.scope]);
	}
});

it('reads with read scopes and writes with write scopes', () => {
	for (const { name, resource, operation } of operations) {
		const { scope } = errorContextOf(resource, operation);
		const isRead = operation.option.routing.request.method === 'GET';
		if (scope !== undefined && !scope.endsWith('.manage'))
			expect([name, scope.endsWith('.read')]).toEqual([name, isRead]);
	}
});

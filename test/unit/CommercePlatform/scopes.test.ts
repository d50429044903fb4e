import { resources } from '../../../nodes/CommercePlatform/resources';
import { scopeOf } from '../../../nodes/shared/model/scopes';
import { DOCUMENTED_SCOPES } from '../../support/documented';

/** What the API document gives not even a group for, or whose scope names it does not show. */
const UNKNOWN = 'account.get category.create category.getAll event.getAll order.refund'.split(' ');

const operations = resources.flatMap(({ value, operations: all }) =>
	all.map(({ option }) => {
		const { method, url } = option.routing.request;
		const scope = scopeOf({ method, path: url });
		return { name: `${value}.${option.value}`, isRead: method === 'GET', scope };
	}),
);

it('knows the scope of every operation but those that the API document says nothing of', () => {
	const missing = operations.filter(({ scope }) => scope === undefined);
	expect(missing.map(({ name }) => name).sort()).toEqual(UNKNOWN);
});

it('names only scopes that the API document names, and all of them', () => {
	const named = operations.flatMap(({ scope }) => scope ?? []);
	expect([...new Set(named)].sort()).toEqual([...DOCUMENTED_SCOPES].sort());
});

it('reads with read scopes and writes with write scopes', () => {
	for (const { name, isRead, scope } of operations) {
		if (scope !== undefined && !scope.endsWith('.manage'))
			expect([name, scope.endsWith('.read')]).toEqual([name, isRead]);
	}
});

import type { PlatformRequest } from '../../../shared/api/request';
import type { RecordOperation } from '../../engine/operation';
import { isUnchanged } from '../../bulk/unchanged';
import { changesNothing } from '../../merge/mergeVariants';
import { namedVariants } from './writeVariants';

/** What products that are written one by one could be done with. */
export const CHEAPER_WAY =
	'Create or Update sends up to 100 products in one request, where the platform takes batches.';

const HANDLE = 'handle:';

/** Products as an update names them: by ID or by handle. */
export const productChanges: NonNullable<RecordOperation['changes']> = {
	source: {
		list: { method: 'GET', path: '/products' },
		one: (key): PlatformRequest =>
			key.startsWith(HANDLE)
				? { method: 'GET', path: '/products', query: { q: key.slice(HANDLE.length) } }
				: { method: 'GET', path: '/products/{productId}', pathParams: { productId: key } },
		keysOf: ({ id, handle }) =>
			[id, typeof handle === 'string' ? HANDLE + handle : undefined].filter(
				(key): key is string => typeof key === 'string',
			),
		isUnique: (key) => !key.startsWith(HANDLE),
	},
	keyOf: ({ item, request }) => {
		const named = (request.pathParams?.productId ?? '').trim();
		return item.locatorMode('productId') === 'handle' ? HANDLE + named : named;
	},
	isUnchanged: (planned, product) => {
		const named = namedVariants(planned);
		if (named === undefined) return isUnchanged(planned.fields, product);
		return (
			isUnchanged({ ...planned.fields, variants: undefined }, product) &&
			changesNothing(product.variants, named)
		);
	},
};

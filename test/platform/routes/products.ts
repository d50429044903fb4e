import { deleted, resource, type Handler, type World } from '../api/call';
import { isOrAny, mentions } from './search';
import {
	createProduct as addProduct,
	deleteProduct as dropProduct,
	productIndex,
	updateProduct as changeProduct,
	type ProductFields,
	withWholeVariants,
} from '../shop/catalog';
import { allBySku } from '../shop/skus';
import type { ListSpec } from '../api/select';
import type { Product } from '../shop/product';

const productList = ({ shop }: World): ListSpec<Product> => ({
	name: 'products',
	collection: shop.products,
	sorts: { created_at: 'created', updated_at: 'updated', title: ({ title }) => title },
	statuses: ['draft', 'published'],
	matches: ({ id, title, handle, status, variants }, query) =>
		isOrAny(query.status, status) &&
		(query.sku === undefined || variants.some(({ sku }) => sku === query.sku)) &&
		(query.q === undefined ||
			mentions(query.q, id, title, handle, ...variants.map(({ sku }) => sku))),
	candidates: ({ sku }) => (sku === undefined ? undefined : allBySku(shop, sku)),
	present: (product) => product,
});

const listProducts: Handler = ({ world, query }) => world.pages.page(productList(world), query);

const getProduct: Handler = ({ world: { shop }, params }) =>
	resource(shop.products.get(productIndex(shop, params.id)));

const createProduct: Handler = ({ world, body }) =>
	resource(addProduct(world.shop, withWholeVariants(body as ProductFields)), 201);

const updateProduct: Handler = ({ world, params, body }) =>
	resource(changeProduct(world.shop, params.id, withWholeVariants(body as ProductFields)));

const deleteProduct: Handler = ({ world, params }) =>
	deleted(world, () => dropProduct(world.shop, params.id));

export const productHandlers = {
	listProducts,
	getProduct,
	createProduct,
	updateProduct,
	deleteProduct,
};

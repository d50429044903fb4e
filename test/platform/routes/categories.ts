import { resource, type Handler, type World } from '../api/call';
import { mentions } from './search';
import { createCategory as addCategory, type Category } from '../shop/category';
import type { ListSpec } from '../api/select';

const categoryList = ({ shop }: World): ListSpec<Category> => ({
	name: 'categories',
	collection: shop.categories,
	sorts: { created_at: 'created', updated_at: 'updated', name: ({ name }) => name },
	statuses: [],
	matches: ({ id, name, handle }, { q, sku }) => sku === undefined && mentions(q, id, name, handle),
	present: (category) => category,
});

const listCategories: Handler = ({ world, query }) => world.pages.page(categoryList(world), query);

const createCategory: Handler = ({ world, body }) =>
	resource(addCategory(world.shop, body as Partial<Category>), 201);

export const categoryHandlers = { listCategories, createCategory };

import { resource, type Handler, type World } from '../api/call';
import { isOrAny, mentions } from './search';
import {
	createCustomer as addCustomer,
	customerIndex,
	updateCustomer as changeCustomer,
	type Customer,
} from '../shop/customer';
import type { ListSpec } from '../api/select';

const customerList = (world: World): ListSpec<Customer> => ({
	name: 'customers',
	collection: world.shop.customers,
	sorts: { created_at: 'created', updated_at: 'updated', email: ({ email }) => email },
	statuses: ['active', 'disabled'],
	matches: ({ id, status, email, first_name, last_name }, query) =>
		query.sku === undefined &&
		isOrAny(query.status, status) &&
		mentions(query.q, id, email, `${first_name} ${last_name}`),
	present: (customer) => customer,
});

const listCustomers: Handler = ({ world, query }) => world.pages.page(customerList(world), query);

const getCustomer: Handler = ({ world, params }) =>
	resource(world.shop.customers.get(customerIndex(world.shop, params.id))!);

const createCustomer: Handler = ({ world, body }) =>
	resource(addCustomer(world.shop, body as Partial<Customer>), 201);

const updateCustomer: Handler = ({ world, params, body }) =>
	resource(changeCustomer(world.shop, params.id, body as Partial<Customer>));

export const customerHandlers = { listCustomers, getCustomer, createCustomer, updateCustomer };

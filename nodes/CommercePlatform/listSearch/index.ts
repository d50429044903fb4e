import { amountOf, join } from './labels';
import { searchRecords } from './searchRecords';

/** The searches behind "From List". */
export const listSearch = {
	searchOrders: searchRecords('/orders', 'order', ({ id, status, total }) =>
		join(id, status, amountOf(total)),
	),
	searchProducts: searchRecords('/products', 'product', ({ id, title, status }) =>
		join(title, status, id),
	),
};

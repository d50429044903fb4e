import type { Customer } from './customer';
import type { Order } from './order';

/**
 * First letter and asterisks; the form of masked values is not shown. What a client has written into
 * a field in place of text stays as it is.
 */
function mask<T>(value: T): T | string {
	return typeof value === 'string' && value !== '' ? `${value[0]}***` : value;
}

function maskEmail<T>(value: T): T | string {
	return typeof value === 'string' && value.includes('@') ? `${value[0]}***@***` : mask(value);
}

/** Personal-data fields of an order can be masked depending on plan or policy (Order). */
export const maskOrder = (order: Order): Order => ({
	...order,
	email: maskEmail(order.email),
	shipping_address: {
		...order.shipping_address,
		name: mask(order.shipping_address?.name),
		street: mask(order.shipping_address?.street),
	},
});

export const maskCustomer = (customer: Customer): Customer => ({
	...customer,
	email: maskEmail(customer.email),
	first_name: mask(customer.first_name),
	last_name: mask(customer.last_name),
	phone: mask(customer.phone),
	address: { ...customer.address, street: mask(customer.address?.street) },
});

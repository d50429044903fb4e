import type { IDataObject } from 'n8n-workflow';

import { byId } from '../../../support/parameters';
import { mistake, type Mistake } from './mistake';

const fields = (field: IDataObject[]): IDataObject => ({ fields: { field } });

const level = (more: IDataObject): IDataObject => ({
	sku: 'A',
	locationId: 'sloc_main',
	quantity: 1,
	delta: 1,
	...more,
});

export const shopMistakes: Mistake[] = [
	mistake(
		'account.get',
		'11 at once',
		{ requests: { maxRequestsAtOnce: 11 } },
		'Max Requests at Once',
	),
	mistake('category.create', 'nothing', { specifyFields: 'defineBelow', fields: {} }, 'Fields'),
	mistake('category.create', 'malformed JSON', { specifyFields: 'json', json: '{ "a": ' }, 'JSON'),
	mistake('category.create', 'a list', { specifyFields: 'json', json: '[1]' }, 'JSON'),
	mistake('category.create', 'no name', fields([{ name: '', value: 'x' }]), 'Fields: Name'),
	mistake(
		'category.create',
		'a name twice',
		fields([
			{ name: 'a', value: '1' },
			{ name: 'a', value: '2' },
		]),
		'Fields',
	),
	mistake(
		'category.create',
		'text that is not a number',
		fields([{ name: 'position', type: 'number', value: 'three' }]),
		'Fields: position',
	),
	mistake(
		'category.create',
		'neither true nor false',
		fields([{ name: 'visible', type: 'boolean', value: 'perhaps' }]),
		'Fields: visible',
	),
	mistake('customer.create', 'nothing', { specifyFields: 'json', json: '{}' }, 'JSON'),
	mistake('customer.create', 'malformed JSON', { specifyFields: 'json', json: 'name' }, 'JSON'),
	mistake(
		'customer.create',
		'malformed JSON in a field',
		fields([{ name: 'address', type: 'json', value: '{' }]),
		'Fields: address',
	),
	mistake('customer.update', 'nothing', { customerId: byId('cust_1'), fields: {} }, 'Fields'),
	mistake(
		'inventory.set',
		'a forgotten quantity',
		{ sku: 'A', locationId: 'sloc_main' },
		'Quantity',
	),
	mistake('inventory.adjust', 'a forgotten delta', { sku: 'A', locationId: 'sloc_main' }, 'Delta'),
	...['inventory.set', 'inventory.adjust'].flatMap((operation) =>
		['={{ " " }}', '={{ "" }}', '={{ null }}', '={{ $json.none }}'].flatMap((nothing) => [
			mistake(operation, `the SKU ${nothing}`, level({ sku: nothing }), '“SKU” is empty'),
			mistake(
				operation,
				`the location ${nothing}`,
				level({ locationId: nothing }),
				'“Location ID” is empty',
			),
		]),
	),
	mistake('inventory.set', 'a fractional quantity', level({ quantity: 1.5 }), 'Quantity'),
	mistake('inventory.set', 'a quantity in words', level({ quantity: '={{ "two" }}' }), 'Quantity'),
	mistake(
		'inventory.set',
		'an expression that gives no date',
		level({ options: { updatedAt: '={{ $json.counted }}' } }),
		'“Updated At” is empty',
	),
	mistake(
		'inventory.set',
		'a dry run that is neither on nor off',
		level({ options: { dryRun: '={{ $json.dry }}' } }),
		'“Dry Run” must be true or false',
	),
	mistake('inventory.set', 'no date', level({ options: { updatedAt: 'yesterday' } }), 'Updated At'),
	mistake(
		'inventory.set',
		'a version over two lines',
		level({ options: { ifMatch: '1\n2' } }),
		'If-Match',
	),
	...['inventory.set', 'inventory.adjust'].map((operation) =>
		mistake(
			operation,
			'an unknown answer to a conflict',
			level({ options: { onConflict: '={{ "retry" }}' } }),
			'“On Conflict” cannot be "retry"',
		),
	),
	mistake('inventory.adjust', 'a fractional delta', level({ delta: 0.5 }), 'Delta'),
];

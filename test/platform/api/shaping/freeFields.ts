import type { Dialect } from '../../dialects/dialect';
import { renamed, without, type Fields, type RecordStage } from './recordStage';

const CUSTOMERS: Readonly<Record<Dialect['customerFields'], (customer: Fields) => Fields>> = {
	flat: (customer) => customer,
	nested: ({ email, phone, first_name, last_name, ...customer }) => ({
		...without(customer, ['accepts_email_marketing', 'accepts_sms_marketing']),
		name: { first: first_name, last: last_name },
		contact: { email, phone },
		consents: { email: customer.accepts_email_marketing, sms: customer.accepts_sms_marketing },
	}),
};

const CATEGORIES: Readonly<Record<Dialect['categoryFields'], (category: Fields) => Fields>> = {
	name: (category) => category,
	title: ({ parent_id, ...category }) => ({
		...renamed(category, { name: 'title' }),
		parent: parent_id === null ? null : { id: parent_id },
	}),
};

const windowsOf = (limits: unknown): Fields[] =>
	Object.entries(limits as Record<string, Fields>).map(([window, budget]) => ({
		window,
		...budget,
	}));

const ACCOUNTS: Readonly<Record<Dialect['accountFields'], (account: Fields) => Fields>> = {
	nested: (account) => account,
	flat: ({ credential, rate_limits, ...account }) => {
		const { id, scopes } = credential as Fields;
		return { ...account, key_id: id, scopes, rate_limits: windowsOf(rate_limits) };
	},
};

/** Records whose fields are not shown (`customerFields`, `categoryFields`, `accountFields`). */
export const freeFields: RecordStage = (record, { kind }, dialect) => {
	switch (kind) {
		case 'customer':
			return CUSTOMERS[dialect.customerFields](record);
		case 'category':
			return CATEGORIES[dialect.categoryFields](record);
		case 'account':
			return ACCOUNTS[dialect.accountFields](record);
		default:
			return record;
	}
};

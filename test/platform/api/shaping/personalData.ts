import type { Dialect } from '../../dialects/dialect';
import { maskEmail, maskText } from '../../shop/masking';
import type { Fields, RecordStage } from './recordStage';

/** Personal-data fields by record, and the fields inside those that are objects. */
const PERSONAL: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
	order: { email: [], shipping_address: ['name', 'street'] },
	customer: { email: [], first_name: [], last_name: [], phone: [], address: ['street'] },
};

type Mask = (name: string, value: unknown) => unknown;

/** `undefined` leaves the field out of the JSON. */
const MASKS: Readonly<Record<Exclude<Dialect['personalData'], 'shown'>, Mask>> = {
	masked: (name, value) => (name === 'email' ? maskEmail(value) : maskText(value)),
	empty: () => null,
	absent: () => undefined,
};

function masked(record: Fields, names: readonly string[], mask: Mask): Fields {
	const changed = names.filter((name) => name in record);
	return {
		...record,
		...Object.fromEntries(changed.map((name) => [name, mask(name, record[name])])),
	};
}

/** Masks the personal data of orders and customers (`personalData`). */
export const personalData: RecordStage = (record, { kind }, dialect) => {
	const fields = PERSONAL[kind];
	if (!fields || dialect.personalData === 'shown') return record;
	const mask = MASKS[dialect.personalData];
	const plain = Object.keys(fields).filter((name) => fields[name].length === 0);
	let shown = masked(record, plain, mask);
	for (const name of Object.keys(fields)) {
		const inner = shown[name];
		if (fields[name].length === 0 || typeof inner !== 'object' || inner === null) continue;
		shown = { ...shown, [name]: masked(inner as Fields, fields[name], mask) };
	}
	return shown;
};

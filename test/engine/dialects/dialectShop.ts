import type { IDataObject } from 'n8n-workflow';

import type { JsonRecord, RecordKind } from '../../platform';
import { openShop, type Fixtures, type Shop } from '../operations/shop';
import type { Dialect } from '../../platform/dialects/dialect';

/** A small shop on a local platform that speaks one dialect to the node. */
export interface DialectShop extends Shop {
	dialect: Dialect;
	/** A record as it is on the platform, past every dialect. */
	record(kind: RecordKind, id: string): Promise<JsonRecord>;
	/** A list as the default dialect has it. */
	plainList(path: string): Promise<IDataObject[]>;
}

/** Opens it; `fresh` brings the shop back to its start, and the dialect with it. */
export async function openDialectShop(dialect: Dialect): Promise<DialectShop> {
	const shop = await openShop();
	const { control } = shop.platform;
	const fresh = async (): Promise<Fixtures> => {
		const fixtures = await shop.fresh();
		await control.configure({ dialect });
		return fixtures;
	};
	return {
		...shop,
		dialect,
		fresh,
		record: async (kind, id) => (await control.record(kind, id)) ?? {},
		plainList: async (path) => {
			await control.configure({ dialect: 'default' });
			const list = await shop.list(path);
			await control.configure({ dialect });
			return list;
		},
	};
}

import type { IDataObject } from 'n8n-workflow';

import type { JsonRecord, RecordKind } from '../../platform';
import type { Dialect } from '../../platform/dialects/dialect';
import { openShop, type Fixtures, type Shop } from '../operations/shop';

/** A small shop on a local platform that speaks one dialect to the node. */
export interface DialectShop extends Shop {
	dialect: Dialect;
	/** A record as it is on the platform, past every dialect. */
	record(kind: RecordKind, id: string): Promise<JsonRecord>;
	/** A list as the default dialect has it. */
	plainList(path: string): Promise<IDataObject[]>;
}

/** For all tests around; before each it is as it was at the start, and its dialect, too. */
export function useDialectShop(dialect: Dialect): { shop: DialectShop; fixtures: Fixtures } {
	const shop = {} as DialectShop;
	const fixtures = {} as Fixtures;
	beforeAll(async () => {
		const opened = await openShop();
		const { control } = opened.platform;
		Object.assign(shop, opened, {
			dialect,
			record: async (kind: RecordKind, id: string) => (await control.record(kind, id)) ?? {},
			plainList: async (path: string) => {
				await control.configure({ dialect: 'default' });
				const list = await opened.list(path);
				await control.configure({ dialect });
				return list;
			},
		});
	});
	beforeEach(async () => {
		Object.assign(fixtures, await shop.fresh());
		await shop.platform.control.configure({ dialect });
	});
	afterAll(async () => await shop.close());
	return { shop, fixtures };
}

import type { CatalogImports } from '../jobs/catalogImport';
import type { Endpoints } from '../deliveries/endpoints';
import type { Dispatcher } from '../deliveries/dispatcher';
import type { ApiKey } from './keys';
import type { Budgets } from './rateLimit';
import type { PageMaker } from './page';
import type { PlanLimits } from '../plans';
import type { Settings } from '../settings';
import type { Shop } from '../shop/shop';

/** What a handler may use. */
export interface World {
	shop: Shop;
	settings: Settings;
	endpoints: Endpoints;
	dispatcher: Dispatcher;
	imports: CatalogImports;
	pages: PageMaker;
}

/** One authenticated, counted and checked request. */
export interface Call extends World {
	key: ApiKey;
	plan: PlanLimits;
	budgets: Budgets;
	/** The `id` in the path, decoded; empty if there is none. */
	id: string;
	query: Readonly<Record<string, string>>;
	/** Names in lower case. */
	headers: Readonly<Record<string, string | string[] | undefined>>;
	/** Parsed JSON that fits the schema of openapi.yaml, or `undefined` without a body. */
	body: unknown;
}

/** What a handler answers. */
export interface Answer {
	status: number;
	/** JSON text, or `undefined` for no body. */
	text?: string;
	headers?: Readonly<Record<string, string>>;
	/** Strong ETag of a read, if it is known already. */
	etag?: string;
	/** The answer goes out as it is; the dialect does not change it. */
	isRaw?: true;
}

/** Handlers are synchronous: no other request runs between the steps of one. */
export type Handler = (call: Call) => Answer;

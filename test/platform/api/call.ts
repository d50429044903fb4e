import type { CatalogImports } from '../jobs/catalogImport';
import type { Endpoints } from '../deliveries/endpoints';
import type { Dispatcher } from '../deliveries/dispatcher';
import { Refusal } from '../shop/refusal';
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
export interface Call {
	world: World;
	key: ApiKey;
	plan: PlanLimits;
	budgets: Budgets;
	/** Decoded path parameters. */
	params: Readonly<Record<string, string>>;
	query: Readonly<Record<string, string>>;
	/** Names in lower case. */
	headers: Readonly<Record<string, string | string[] | undefined>>;
	/** Parsed JSON, or `undefined` without a body. */
	body: unknown;
}

/** What a handler answers. */
export interface Answer {
	status: number;
	/** JSON text, or `undefined` for no body. */
	text?: string;
	headers?: Readonly<Record<string, string>>;
	/** Strong ETag of a read, where it is known already. */
	etag?: string;
	/** Goes out as it is, in no dialect. */
	isRaw?: true;
}

/** Handlers are synchronous: a request is handled as one step that no other can come between. */
export type Handler = (call: Call) => Answer;

/** `{ data: resource }` (Conventions). */
export const resource = (data: unknown, status = 200): Answer => ({
	status,
	text: JSON.stringify({ data }),
});

/**
 * Delete: 204 No Content on success (Conventions). What a second delete answers is not shown
 * (`deleteTwice`).
 *
 * @throws Refusal NOT_FOUND.
 */
export function deleted({ settings }: World, remove: () => void): Answer {
	try {
		remove();
	} catch (error) {
		const isUnknown = error instanceof Refusal && error.code === 'NOT_FOUND';
		if (!isUnknown || settings.dialect.deleteTwice === 'refused') throw error;
	}
	return { status: 204 };
}

import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import { LOOPBACK } from '../../platform/support/ports';
import { done, engineId, notFound, Refusal, type Json, type Outcome } from './values';

/** A class of the engine; a service is asked for by its class. */
type Class<T> = abstract new (...args: never[]) => T;

export interface Job {
	data: { operations: Json[] };
	setProgress(percent: number): void;
}

export interface AddedJob {
	id: string;
	queueName: string;
	createdAt: Date;
	state: string;
	progress: number;
}

interface Repository {
	update(id: unknown, changes: object): Promise<unknown>;
	findOneBy(where: object): Promise<Json | null>;
	query(sql: string, values: unknown[]): Promise<Json[]>;
}

/** The part of the engine that the adapter uses. Its own types are not there before it is installed. */
interface Vendure {
	bootstrap(config: object): Promise<Application>;
	PaymentMethodHandler: new (settings: object) => object;
	dummyPaymentHandler: object;
	Order: Class<object>;
	ProductVariant: Class<object>;
	TransactionalConnection: Class<{
		rawConnection: {
			getRepository(entity: Class<object>): Repository;
			driver: { save(): Promise<void> };
		};
		withTransaction<T>(context: object, work: (inside: object) => Promise<T>): Promise<T>;
	}>;
	EventBus: Class<{ ofType(event: unknown): { subscribe(next: (event: never) => void): void } }>;
	JobQueueService: Class<{
		start(): Promise<void>;
		createQueue(settings: {
			name: string;
			process(job: Job): Promise<object>;
		}): Promise<{ add(data: object, options: object): Promise<AddedJob> }>;
	}>;
	RequestContextService: Class<{ create(settings: object): Promise<object> }>;
	OrderService: Class<{
		addPaymentToOrder(context: object, id: string, payment: object): Promise<{ message?: string }>;
	}>;
}

interface Application {
	get<T>(service: Class<T>): T;
	close(): Promise<void>;
}

const text = (value: string) => [{ languageCode: 'en', value }];
const USER = 'superadmin';

let application: Application;
let vendure: Vendure & Record<string, unknown>;
let address: string;
let token: string | undefined;

/** A class or service of the running engine by its name. */
export const engineClass = (name: string): unknown => vendure[name];
export const service = <Name extends keyof Vendure>(
	name: Name,
): Vendure[Name] extends Class<infer T> ? T : never =>
	application.get(vendure[name] as never) as never;
export const repository = (name: 'Order' | 'ProductVariant'): Repository =>
	service('TransactionalConnection').rawConnection.getRepository(vendure[name]);

/** Writes the database to its file. */
export const saveDatabase = async (): Promise<void> =>
	await service('TransactionalConnection').rawConnection.driver.save();

/** The engine takes a parcel's step as a fault if the order's state does not allow it. */
const STATE_REFUSED = /ORDER_STATE_TRANSITION_ERROR/;

/**
 * Asks the engine's own Admin API.
 *
 * @param currency the currency of prices and of a new order; EUR if absent
 * @throws GraphqlError if the engine refuses the query itself, and Refusal 409 if the state of an order does not allow it
 */
export async function graphql<T>(query: string, variables: Json = {}, currency?: string) {
	const response = await fetch(address + (currency ? `?currencyCode=${currency}` : ''), {
		method: 'POST',
		headers: { 'content-type': 'application/json', authorization: `Bearer ${token ?? ''}` },
		body: JSON.stringify({ query, variables }),
	});
	token = response.headers.get('vendure-auth-token') ?? token;
	const { data, errors } = (await response.json()) as {
		data: T;
		errors?: [{ message: string; extensions?: { code?: string } }];
	};
	if (errors && STATE_REFUSED.test(errors[0].message))
		throw new Refusal(409, 'INVALID_STATE_TRANSITION', errors[0].message);
	if (errors) throw new GraphqlError(errors[0].message, errors[0].extensions?.code);
	return data;
}

/** Runs a mutation with one input. @returns what it gives, of which these fields */
export async function mutate<T = { id: string }>(
	name: string,
	type: string,
	input: unknown,
	fields = 'id',
	currency?: string,
): Promise<T> {
	const mutation = `mutation ($input: ${type}!) { result: ${name}(input: $input) { ${fields} } }`;
	return (await graphql<{ result: T }>(mutation, { input }, currency)).result;
}

/** Runs a mutation that the engine can refuse. @throws Refusal with the engine's own reason */
export const change = async <T extends object>(
	...mutation: Parameters<typeof mutate>
): Promise<T> => {
	const [name, type, input, fields = '', currency] = mutation;
	const all = `__typename ... on ErrorResult { errorCode message } ${fields}`;
	return done(await mutate<Outcome<T>>(name, type, input, all, currency));
};

/** One record by its ID in the API. @param kind e.g. `Order` @throws Refusal 404 if there is none */
export async function find<T>(kind: string, id: unknown, fields: string, prefix = ''): Promise<T> {
	const name = kind.toLowerCase();
	const query = `query ($id: ID!) { result: ${name}(id: $id) { ${fields} } }`;
	const variables = { id: engineId(kind, id, prefix) };
	const { result } = await graphql<{ result: T | null }>(query, variables);
	if (result === null) throw notFound(kind, id);
	return result;
}

/** All records of a list that the engine gives without pages. */
export async function findAll<T>(name: string, fields: string, options?: Json): Promise<T[]> {
	const type = `${name[0].toUpperCase()}${name.slice(1, -1)}ListOptions`;
	const query = `query ($options: ${type}) { result: ${name}(options: $options) { items { ${fields} } } }`;
	return (await graphql<{ result: { items: T[] } }>(query, { options })).result.items;
}

export class GraphqlError extends Error {
	constructor(
		message: string,
		readonly code = 'BAD_REQUEST',
	) {
		super(message);
	}
}

/** Starts the engine over a database file, which it creates and fills with countries and taxes if there is none. */
export async function startVendure(folder: string, database: string, port: number): Promise<void> {
	// It would tell its makers of each start.
	process.env.VENDURE_DISABLE_TELEMETRY = 'true';
	const load = createRequire(join(folder, 'package.json'));
	vendure = load('@vendure/core') as typeof vendure;
	address = `http://${LOOPBACK}:${port}/admin-api`;
	const config = configOf(folder, database, port);
	if (existsSync(database)) {
		application = await vendure.bootstrap(config);
	} else {
		const { populate } = load('@vendure/core/cli') as {
			populate(start: () => Promise<Application>, data: object): Promise<Application>;
		};
		application = await populate(async () => await vendure.bootstrap(config), INITIAL_DATA);
	}
	await service('JobQueueService').start();
	const login = `mutation { login(username: "${USER}", password: "${USER}") { __typename } }`;
	await graphql(login);
}

const configOf = (folder: string, database: string, port: number): object => ({
	logger: { debug() {}, verbose() {}, info() {}, warn() {}, error() {} },
	apiOptions: { port, hostname: LOOPBACK, adminApiPath: 'admin-api', shopApiPath: 'shop-api' },
	authOptions: {
		tokenMethod: 'bearer',
		superadminCredentials: { identifier: USER, password: USER },
		cookieOptions: { secret: USER },
	},
	// A database in memory, which is read from a file and written to it only on demand.
	dbConnectionOptions: { type: 'sqljs', location: database, autoSave: false, synchronize: true },
	paymentOptions: { paymentMethodHandlers: [cardHandler(), vendure.dummyPaymentHandler] },
	customFields: {
		Order: [{ name: 'merchantNote', type: 'text', nullable: true }],
		Customer: [{ name: 'acceptsMarketing', type: 'boolean', defaultValue: false }],
	},
	importExportOptions: { importAssetsDir: folder },
});

/** A card that is charged at once or only authorized, and refunded at once. */
const cardHandler = (): object =>
	new vendure.PaymentMethodHandler({
		code: 'card',
		description: text('Card'),
		args: { settle: { type: 'boolean', defaultValue: true } },
		createPayment: (_context: unknown, order: { code: string }, amount: number, args: Json) => ({
			amount,
			state: args.settle ? 'Settled' : 'Authorized',
			transactionId: `tr_${order.code}`,
		}),
		settlePayment: () => ({ success: true }),
		createRefund: (_context: unknown, _input: unknown, amount: number) => ({
			state: 'Settled',
			transactionId: `re_${amount}`,
		}),
	});

const country = (name: string, code: string, zone = 'Europe') => ({ name, code, zone });
const paidBy = (name: string, code: string, argument: string, value: string) => ({
	name,
	handler: { code, arguments: [{ name: argument, value }] },
});

const INITIAL_DATA = {
	defaultLanguage: 'en',
	defaultZone: 'Europe',
	countries: [
		country('Germany', 'DE'),
		country('Austria', 'AT'),
		country('United States of America', 'US', 'Americas'),
	],
	taxRates: [
		{ name: 'Standard Tax', percentage: 19 },
		{ name: 'Reduced Tax', percentage: 7 },
	],
	shippingMethods: [
		{ name: 'Standard Shipping', price: 490 },
		{ name: 'Express Shipping', price: 1290 },
		{ name: 'Download', price: 0 },
	],
	paymentMethods: [
		paidBy('card', 'card', 'settle', 'true'),
		paidBy('card-authorize', 'card', 'settle', 'false'),
		paidBy('bank-transfer', 'dummy-payment-handler', 'automaticSettle', 'true'),
	],
	collections: [],
};

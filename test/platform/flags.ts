import { parseArgs } from 'node:util';
import { dialectHelp } from './dialects/describe';
import { parseDialect } from './dialects/dialect';
import { PLANS, type Plan } from './plans';
import type { PlatformOptions } from './options';

export const USAGE = `Starts a local Commerce Platform on 127.0.0.1. Nothing is persisted.

  npm run platform -- [flags]

  --port <n>            port of the API (default 4010; 0 = any free one)
  --control-port <n>    port of the control API (default 4011; 0 = any free one)
  --products <n>        size of the shop, up to a million and more (default 300)
  --orders <n>          (default 300)
  --customers <n>       (default 200)
  --seed <n>            another seed, another shop (default 1)
  --plan <name>         ${Object.keys(PLANS).join(', ')} (default enterprise)
  --minute-budget <n>   requests a minute, in place of the plan's
  --day-budget <n>      requests a day, in place of the plan's
  --retry-factor <n>    scales the delivery retries of 1 min, 5 min, 30 min, 2 h, 24 h (default 1)
  --dialect <d>         how open sentences are read: contrary, a seed, switch=value,… (default default)
  --released            release the endpoints in development
  --no-validate         do not hold requests and responses against openapi.yaml (faster)
  --log                 log every request
  --help                this text

Switches of a dialect. The first value is the default, the starred one that of the contrary dialect.
What each means: test/platform/README.md.

${dialectHelp()}
`;

const FLAGS = {
	port: { type: 'string', default: '4010' },
	'control-port': { type: 'string', default: '4011' },
	products: { type: 'string' },
	orders: { type: 'string' },
	customers: { type: 'string' },
	seed: { type: 'string' },
	plan: { type: 'string' },
	'minute-budget': { type: 'string' },
	'day-budget': { type: 'string' },
	'retry-factor': { type: 'string' },
	dialect: { type: 'string' },
	released: { type: 'boolean', default: false },
	'no-validate': { type: 'boolean', default: false },
	log: { type: 'boolean', default: false },
	help: { type: 'boolean', default: false },
} as const;

const ALL_RELEASED = { webhookUpdate: true, rotateSecret: true, webhookTest: true, batch: true };

/**
 * Options from the command line, or `help`.
 *
 * @throws Error naming the flag that is unknown or has no sense.
 */
export function readFlags(args: string[]): PlatformOptions | 'help' {
	const { values } = parseArgs({ args, options: FLAGS, strict: true });
	if (values.help) return 'help';
	return {
		port: wholeNumber('port', values.port),
		controlPort: wholeNumber('control-port', values['control-port']),
		products: wholeNumber('products', values.products),
		orders: wholeNumber('orders', values.orders),
		customers: wholeNumber('customers', values.customers),
		seed: wholeNumber('seed', values.seed),
		plan: oneOf('plan', Object.keys(PLANS) as Plan[], values.plan),
		minuteBudget: wholeNumber('minute-budget', values['minute-budget']),
		dayBudget: wholeNumber('day-budget', values['day-budget']),
		retryDelayFactor: positive('retry-factor', values['retry-factor']),
		dialect: values.dialect === undefined ? undefined : parseDialect(values.dialect),
		inDevelopment: values.released ? ALL_RELEASED : undefined,
		validate: !values['no-validate'],
		log: values.log,
	};
}

function wholeNumber(flag: string, text: string | undefined): number | undefined {
	if (text === undefined) return undefined;
	if (!/^\d{1,9}$/.test(text)) throw new Error(`--${flag} must be a whole number, not "${text}"`);
	return Number(text);
}

function positive(flag: string, text: string | undefined): number | undefined {
	if (text === undefined) return undefined;
	const value = Number(text);
	if (!(value > 0)) throw new Error(`--${flag} must be a positive number, not "${text}"`);
	return value;
}

function oneOf<T extends string>(
	flag: string,
	allowed: readonly T[],
	text: string | undefined,
): T | undefined {
	if (text === undefined || allowed.includes(text as T)) return text as T | undefined;
	throw new Error(`--${flag} must be one of ${allowed.join(', ')}, not "${text}"`);
}

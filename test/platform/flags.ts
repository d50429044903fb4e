import { parseArgs } from 'node:util';
import { dialectHelp } from './dialects/describe';
import { parseDialect } from './dialects/dialect';
import { PLANS } from './plans';
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

type Read = (flag: string, text: string) => unknown;

const wholeNumber: Read = (flag, text) => {
	if (!/^\d{1,9}$/.test(text)) throw new Error(`--${flag} must be a whole number, not "${text}"`);
	return Number(text);
};
const positive: Read = (flag, text) => {
	if (Number(text) > 0) return Number(text);
	throw new Error(`--${flag} must be a positive number, not "${text}"`);
};
const planName: Read = (flag, text) => {
	if (Object.hasOwn(PLANS, text)) return text;
	throw new Error(`--${flag} must be one of ${Object.keys(PLANS).join(', ')}, not "${text}"`);
};

/** Flags with a value: the option that each sets, and how it is read. */
const VALUES: Readonly<Record<string, [option: keyof PlatformOptions, read: Read]>> = {
	port: ['port', wholeNumber],
	'control-port': ['controlPort', wholeNumber],
	products: ['products', wholeNumber],
	orders: ['orders', wholeNumber],
	customers: ['customers', wholeNumber],
	seed: ['seed', wholeNumber],
	plan: ['plan', planName],
	'minute-budget': ['minuteBudget', wholeNumber],
	'day-budget': ['dayBudget', wholeNumber],
	'retry-factor': ['retryDelayFactor', positive],
	dialect: ['dialect', (_flag, text) => parseDialect(text)],
};
const SWITCHES = ['released', 'no-validate', 'log', 'help'];

const ALL_RELEASED = { webhookUpdate: true, rotateSecret: true, webhookTest: true, batch: true };

/**
 * Options from the command line, or `help`.
 *
 * @throws Error naming the flag that is unknown or has no sense.
 */
export function readFlags(args: string[]): PlatformOptions | 'help' {
	const flags = [
		...Object.keys(VALUES).map((flag) => [flag, { type: 'string' }]),
		...SWITCHES.map((flag) => [flag, { type: 'boolean' }]),
	];
	const parsed = parseArgs({ args, options: Object.fromEntries(flags), strict: true });
	const values = parsed.values as Record<string, string | boolean | undefined>;
	if (values.help) return 'help';
	const given = Object.entries(values).filter(([flag]) => flag in VALUES);
	return {
		port: 4010,
		controlPort: 4011,
		...Object.fromEntries(
			given.map(([flag, text]) => [VALUES[flag][0], VALUES[flag][1](flag, String(text))]),
		),
		...(values.released ? { inDevelopment: ALL_RELEASED } : {}),
		validate: values['no-validate'] !== true,
		log: values.log === true,
	};
}

import { parseArgs } from 'node:util';
import { dialectHelp } from './dialects/describe';
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
  --help                this text

Switches of a dialect. The first value is the default, the starred one that of the contrary dialect.
What each means: test/platform/README.md.

${dialectHelp()}
`;

/** Flags that are numbers, and the option that each sets. */
const NUMBERS = {
	port: 'port',
	'control-port': 'controlPort',
	products: 'products',
	orders: 'orders',
	customers: 'customers',
	seed: 'seed',
	'minute-budget': 'minuteBudget',
	'day-budget': 'dayBudget',
	'retry-factor': 'retryDelayFactor',
} satisfies Record<string, keyof PlatformOptions>;

const TEXT = { type: 'string' } as const;
const SWITCH = { type: 'boolean', default: false } as const;

const ALL_RELEASED = { webhookUpdate: true, rotateSecret: true, webhookTest: true, batch: true };

/**
 * Options from the command line, or `help`.
 *
 * @throws Error naming the flag that is unknown or no number.
 */
export function readFlags(args: string[]): PlatformOptions | 'help' {
	const { values } = parseArgs({
		args,
		options: {
			...Object.fromEntries(Object.keys(NUMBERS).map((flag) => [flag, TEXT])),
			...{ plan: TEXT, dialect: TEXT },
			...{ released: SWITCH, 'no-validate': SWITCH, help: SWITCH },
		},
	});
	const { plan, dialect, released, help, 'no-validate': isFast, ...given } = values;
	if (help) return 'help';
	const numbers = Object.entries(NUMBERS).flatMap(([flag, option]) => {
		const text = (given as Record<string, string | undefined>)[flag];
		if (text === undefined) return [];
		if (/^\d+(\.\d+)?$/.test(text)) return [[option, Number(text)]];
		throw new Error(`--${flag} must be a number, not "${text}"`);
	});
	return {
		port: 4010,
		controlPort: 4011,
		...(Object.fromEntries(numbers) as PlatformOptions),
		...(plan && { plan: plan as PlatformOptions['plan'] }),
		...(dialect && { dialect }),
		...(released && { inDevelopment: ALL_RELEASED }),
		validate: !isFast,
	};
}

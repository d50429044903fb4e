import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { dialectHelp } from './dialects/describe';
import { PLANS } from './plans';
import type { PlatformOptions } from './options';

/** What `--help` prints. */
export const usage = (): string =>
	readFileSync(join(__dirname, 'usage.txt'), 'utf8')
		.replace('{plans}', Object.keys(PLANS).join(', '))
		.replace('{switches}', dialectHelp());

/** Flags with numbers, and the option that each sets. */
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
 * @throws Error that names the flag that is unknown or not a number
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
	const { plan, dialect, released, help, 'no-validate': skipsValidation, ...texts } = values;
	if (help) return 'help';
	const numbers = Object.entries(NUMBERS).flatMap(([flag, option]) => {
		const text = (texts as Record<string, string | undefined>)[flag];
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
		validate: !skipsValidation,
	};
}

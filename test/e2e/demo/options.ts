import { parseArgs } from 'node:util';

import { UserError } from '../../support/userError';

export const USAGE = `npm run demo -- [options]

  --once                  stop everything at the end; exit code 0 only if all of it happened
  --queue                 n8n in queue mode: PostgreSQL, Redis, a worker, two webhook processors
  --fresh                 forget what was built in earlier demos
  --n8n-port=NUMBER       port for n8n (5678, or any free one where that is taken)
  --platform-port=NUMBER  port for the local platform (any free one)
  --help                  this text`;

/** n8n's usual port, so that the demo's address is the one that n8n users know. */
export const USUAL_N8N_PORT = 5678;
const HIGHEST_PORT = 65_535;

export interface DemoOptions {
	once: boolean;
	fresh: boolean;
	/** n8n in queue mode; nothing of it is kept. */
	queue: boolean;
	help: boolean;
	n8nPort?: number;
	platformPort?: number;
}

/**
 * @param args what follows the script on the command line
 * @throws UserError for an unknown option or a port that is none
 */
export function demoOptions(args: string[]): DemoOptions {
	const { once = false, fresh = false, queue = false, help = false, ...ports } = parse(args);
	return {
		once,
		fresh,
		queue,
		help,
		n8nPort: port(ports['n8n-port'], '--n8n-port'),
		platformPort: port(ports['platform-port'], '--platform-port'),
	};
}

function parse(args: string[]) {
	try {
		return parseArgs({
			args,
			options: {
				once: { type: 'boolean' },
				fresh: { type: 'boolean' },
				queue: { type: 'boolean' },
				help: { type: 'boolean' },
				'n8n-port': { type: 'string' },
				'platform-port': { type: 'string' },
			},
		}).values;
	} catch (error) {
		throw new UserError(error instanceof Error ? error.message : String(error), `Use:\n${USAGE}`);
	}
}

function port(text: string | undefined, option: string): number | undefined {
	if (text === undefined) return undefined;
	const number = Number(text);
	if (Number.isInteger(number) && number > 0 && number <= HIGHEST_PORT) return number;
	throw new UserError(`${option} is "${text}".`, `Give a number from 1 to ${HIGHEST_PORT}.`);
}

import { parseArgs } from 'node:util';

import { UserError } from '../../support/userError';

export const USAGE = `npm run demo -- [options]

  --once    stop everything at the end; exit code 0 only if all of it happened
  --queue   n8n in queue mode: PostgreSQL, Redis, a worker, two webhook processors; nothing is kept
  --fresh   forget what was built in earlier demos
  --help    this text`;

const FLAG = { type: 'boolean', default: false } as const;

/**
 * @param args the arguments after the script
 * @throws UserError for an unknown option
 */
export function demoOptions(args: string[]) {
	try {
		return parseArgs({ args, options: { once: FLAG, queue: FLAG, fresh: FLAG, help: FLAG } })
			.values;
	} catch (error) {
		throw new UserError(error instanceof Error ? error.message : String(error), `Use:\n${USAGE}`);
	}
}

export type DemoOptions = ReturnType<typeof demoOptions>;

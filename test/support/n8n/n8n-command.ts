import execa from 'execa';

import type { N8nProcess } from './n8n-process';

/**
 * Runs n8n's command line over the folder and database of a running n8n.
 *
 * @param args e.g. `['export:workflow', '--all']`
 * @returns what it printed
 * @throws Error with its output when it ends with an error
 */
export async function runN8nCommand(n8n: N8nProcess, args: string[]): Promise<string> {
	const { stdout } = await execa(process.execPath, [n8n.script, ...args], {
		cwd: n8n.userFolder,
		env: n8n.environment,
		extendEnv: false,
	});
	return stdout;
}

import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** What the npm package `node` installs on this machine: Node.js itself. */
export const NODE_PACKAGE = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;

/** The Node.js that an n8n runs under: the one that is installed beside it, or else the one of this process. */
export function nodeBeside(folder: string): string {
	const own = join(folder, 'node_modules', NODE_PACKAGE, 'bin', 'node');
	return existsSync(own) ? own : process.execPath;
}

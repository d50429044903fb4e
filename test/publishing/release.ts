import { join } from 'node:path';

import execa from 'execa';

import { REPOSITORY } from '../support/repository';
import { refuseExampleDomains } from './identity';

/**
 * `npm run release`: release-it. A dry run asks nothing, and looks for example domains itself: release-it only names its
 * hooks then.
 */
function main(): void {
	const words = process.argv.slice(2);
	const isDry = words.includes('--dry-run');
	if (isDry) refuseExampleDomains();
	const tool = join(REPOSITORY, 'node_modules', 'release-it', 'bin', 'release-it.js');
	const { exitCode } = execa.sync(process.execPath, [tool, ...words, ...(isDry ? ['--ci'] : [])], {
		stdio: isDry ? ['ignore', 'inherit', 'inherit'] : 'inherit',
		reject: false,
	});
	process.exitCode ||= exitCode;
}

main();

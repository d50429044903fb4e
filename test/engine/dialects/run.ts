import { randomInt } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

/**
 * `npm run test:dialects -- --count 200 --seed 7` tests the operations, the editor and the triggers in the local
 * platform's default dialect, in the contrary one, and in this many random ones. `--dialect` replaces these. All other
 * arguments go to jest.
 */
const { values, positionals } = parseArgs({
	options: {
		count: { type: 'string', default: '20' },
		seed: { type: 'string' },
		dialect: { type: 'string', multiple: true },
	},
	allowPositionals: true,
});
const seed = Number(values.seed ?? randomInt(1_000_000));
const drawn = Array.from({ length: Number(values.count) }, (_, n) => String(seed + n));
const dialects = values.dialect ?? ['default', 'contrary', ...drawn];
const env = { ...process.env, DIALECTS: dialects.join(';') };
console.log(
	values.dialect
		? `Dialects: ${values.dialect.join(', ')}`
		: `Dialects: default, contrary, ${values.count} random ones. Again: npm run test:dialects -- --count ${values.count} --seed ${seed}`,
);
const jest = require.resolve('jest/bin/jest');
const suites = ['--selectProjects', 'engine', '--', 'test/engine/dialects/', ...positionals];
const { status } = spawnSync(process.execPath, [jest, ...suites], { env, stdio: 'inherit' });
process.exitCode = status ?? 1;

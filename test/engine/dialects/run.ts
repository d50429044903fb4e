import { randomInt } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

/**
 * `npm run test:dialects -- --count 200 --seed 7`: the operations, the editor and the triggers in
 * the default dialect of the local platform, in the contrary one, and in so many random ones. `--dialect`
 * names dialects in place of these. Whatever else is given goes to jest.
 */
const { values, positionals } = parseArgs({
	options: {
		count: { type: 'string', default: '20' },
		seed: { type: 'string' },
		dialect: { type: 'string', multiple: true },
	},
	allowPositionals: true,
});
const seed = values.seed ?? String(randomInt(1_000_000));
const env = {
	...process.env,
	DIALECT_COUNT: values.count,
	DIALECT_SEED: seed,
	...(values.dialect ? { DIALECTS: values.dialect.join(';') } : {}),
};
console.log(
	values.dialect
		? `Dialects: ${values.dialect.join(', ')}`
		: `Dialects: default, contrary, ${values.count} random ones. Again: npm run test:dialects -- --count ${values.count} --seed ${seed}`,
);
const jest = require.resolve('jest/bin/jest');
const suites = ['--selectProjects', 'engine', '--', 'test/engine/dialects/', ...positionals];
const { status } = spawnSync(process.execPath, [jest, ...suites], { env, stdio: 'inherit' });
process.exitCode = status ?? 1;

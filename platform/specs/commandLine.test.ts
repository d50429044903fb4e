import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { readFlags, usage } from '../flags';

const ROOT = join(__dirname, '..', '..');

/** Starts the program as `npm run platform` does; gives what it has printed once that holds the text. */
async function start(flags: string[], until: string) {
	const args = ['--require', 'tsx/cjs', 'platform/main.ts', ...flags];
	const child = spawn(process.execPath, args, { cwd: ROOT });
	let output = '';
	for (const stream of [child.stdout, child.stderr]) {
		stream.on('data', (chunk) => (output += String(chunk)));
	}
	while (!output.includes(until)) {
		await Promise.race([once(child.stdout, 'data'), once(child.stderr, 'data')]);
	}
	return { child, output };
}

it('npm run platform prints a working curl line, says if a port is taken, and ends on a signal', async () => {
	const free = ['--port', '0', '--control-port', '0', '--products', '1000000'];
	const { child, output } = await start(free, 'Ctrl-C');
	const [, key, url] = /curl -H 'Authorization: Bearer (\S+)' '(\S+)'/.exec(output)!;
	const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
	expect(await response.json()).toMatchObject({ pagination: { limit: 2 } });
	const { port } = new URL(url);
	const second = await start(['--port', port], 'Choose others');
	expect(second.output).toContain(`Port ${port} of 127.0.0.1 is taken.`);
	child.kill('SIGTERM');
	expect(await once(child, 'exit')).toEqual([0, null]);
}, 20_000);

it('the flags become options', () => {
	const flags = '--products 5 --plan starter --retry-factor 0.01 --released --dialect sort=ignored';
	expect(readFlags(flags.split(' '))).toMatchObject({
		port: 4_010,
		products: 5,
		plan: 'starter',
		retryDelayFactor: 0.01,
		inDevelopment: { batch: true },
		validate: true,
		dialect: 'sort=ignored',
	});
	expect(readFlags(['--help'])).toBe('help');
	for (const part of ['--products', 'starter, business', 'cursorOnly*']) {
		expect(usage()).toContain(part);
	}
});

it.each([
	['--products', 'many', '--products must be a number'],
	['--port', '-1', "'--port"],
	['--bogus', '1', "'--bogus'"],
])('the flag %s %s is refused', (flag, value, message) => {
	expect(() => readFlags([flag, value])).toThrow(message);
});

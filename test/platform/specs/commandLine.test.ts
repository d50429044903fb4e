import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { readFlags, USAGE } from '../flags';

const ROOT = join(__dirname, '..', '..', '..');

/** Starts the program as `npm run platform` does. */
function start(...flags: string[]): ChildProcess & { output(): string } {
	const child = spawn(
		process.execPath,
		['--require', 'tsx/cjs', 'test/platform/main.ts', ...flags],
		{ cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] },
	);
	let output = '';
	child.stdout.on('data', (chunk) => (output += String(chunk)));
	child.stderr.on('data', (chunk) => (output += String(chunk)));
	return Object.assign(child, { output: () => output });
}

async function banner(child: ReturnType<typeof start>): Promise<string> {
	while (!child.output().includes('Ctrl-C')) await once(child.stdout!, 'data');
	return child.output();
}

describe('npm run platform', () => {
	it('prints address, key and a curl line that work, and ends on SIGTERM', async () => {
		const child = start('--port', '0', '--control-port', '0', '--products', '1000000');
		const text = await banner(child);
		const [, key, url] = /curl -H 'Authorization: Bearer (\S+)' '(\S+)'/.exec(text)!;
		const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
		expect(await response.json()).toMatchObject({ pagination: { limit: 2 } });
		child.kill('SIGTERM');
		expect(await once(child, 'exit')).toEqual([0, null]);
	}, 20_000);

	it('says plainly that a port is taken', async () => {
		const first = start('--port', '0', '--control-port', '0');
		const port = /127\.0\.0\.1:(\d+)\/v1/.exec(await banner(first))![1];
		const second = start('--port', port);
		const [code] = (await once(second, 'close')) as [number];
		expect([code, second.output().trim()]).toEqual([
			1,
			`Port ${port} of 127.0.0.1 is taken. Choose others with --port and --control-port (0 = any free one).`,
		]);
		first.kill('SIGINT');
		expect(await once(first, 'exit')).toEqual([0, null]);
	}, 20_000);
});

describe('the flags', () => {
	it('become options', () => {
		const flags =
			'--products 5 --plan starter --retry-factor 0.01 --released --dialect sort=ignored';
		expect(readFlags(flags.split(' '))).toMatchObject({
			port: 4_010,
			products: 5,
			plan: 'starter',
			retryDelayFactor: 0.01,
			inDevelopment: { batch: true },
			validate: true,
			dialect: { sort: 'ignored' },
		});
		expect(readFlags(['--help'])).toBe('help');
		expect(USAGE).toContain('--products');
	});

	it.each([
		['--products', 'many', '--products must be a whole number'],
		['--plan', 'gold', '--plan must be one of starter, business, platform, enterprise'],
		['--retry-factor', '0', '--retry-factor must be a positive number'],
		['--dialect', 'legacyHeaders=on', 'legacyHeaders is off, also, only; not on'],
		['--port', '-1', "'--port"],
		['--bogus', '1', "'--bogus'"],
	])('%s %s are refused', (flag, value, message) => {
		expect(() => readFlags([flag, value])).toThrow(message);
	});
});

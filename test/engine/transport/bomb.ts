import { createServer } from 'node:http';
import Module from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import type { INodeType } from 'n8n-workflow';

import { runNode } from '../../support/engine/runNode';
import { byId } from '../../support/parameters';

/** Reads one bomb with the node, alone in a process, so that its processor time and memory are its own. */

/** Just what an answer may have, unpacked. Characters. */
const LENGTH = 16 * 1024 * 1024;

const filled = (head: string, unit: string, tail: string): string => {
	const times = Math.floor((LENGTH - head.length - tail.length) / (unit.length + 1));
	return `${head}${new Array<string>(times).fill(unit).join(',')}${tail}`;
};

const BOMBS: Record<string, () => string> = {
	'a record of objects': () => filled('{"data":{"id":"x","all":[', '{}', ']}}'),
	'a list of records': () => filled('{"data":[', '{}', ']}'),
	'objects behind a long number': () =>
		filled('{"data":{"id":"x","n":12345678901234567890,"all":[', '{}', ']}}'),
	'nested lists': () =>
		`{"data":{"id":"x","all":${'['.repeat(LENGTH / 2 - 20)}${']'.repeat(LENGTH / 2 - 20)}}}`,
};

async function main(name: string): Promise<void> {
	const packed = gzipSync(BOMBS[name]());
	const server = createServer((_request, response) => {
		const type = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
		response.writeHead(200, type).end(packed);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	// Under its whole name, since tsx takes `.node` for a native module.
	const file = join(__dirname, '../../../nodes/CommercePlatform/CommercePlatform.node.ts');
	const { CommercePlatform } = Module.createRequire(__filename)(file) as {
		CommercePlatform: new () => INodeType;
	};
	const nodeType = new CommercePlatform();
	const baseMb = process.memoryUsage().rss / 2 ** 20;
	const cpu = process.cpuUsage();
	const { items, error } = await runNode({
		nodeType,
		credentials: { baseUrl: `http://127.0.0.1:${port}/v1`, apiKey: 'cpk_test_0123456789' },
		parameters: name.startsWith('a list')
			? { resource: 'product', operation: 'getAll', returnAll: true }
			: { resource: 'product', operation: 'get', productId: byId('x') },
	});
	const { user, system } = process.cpuUsage(cpu);
	const figures = {
		cpuMs: (user + system) / 1000,
		peakMb: process.resourceUsage().maxRSS / 1024,
		baseMb,
		items: items.length,
		error: error?.message,
	};
	process.stdout.write(`\n${JSON.stringify(figures)}\n`, () => process.exit());
}

void main(process.argv[2]);

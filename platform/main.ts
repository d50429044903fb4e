import { readFlags, usage } from './flags';
import { startPlatform } from './index';
import type { Platform, PlatformOptions } from './options';

function banner({ baseUrl, controlUrl, apiKey }: Platform): string {
	return `Commerce Platform (local)

  Back office  ${controlUrl}   orders, deliveries, faults: open it in a browser
  API          ${baseUrl}
  API key      ${apiKey}
  Contract     ${new URL('/openapi.yaml', baseUrl).href}

  curl -H 'Authorization: Bearer ${apiKey}' '${baseUrl}/orders?status=paid&limit=2'
  curl -X POST ${controlUrl}/payOrder

Ctrl-C ends it. Nothing is kept.`;
}

function reasonOf(error: unknown): string {
	const { code, message, port } = error as NodeJS.ErrnoException & { port?: number };
	return code === 'EADDRINUSE'
		? `Port ${port} of 127.0.0.1 is taken. Choose others with --port and --control-port (0 = any free one).`
		: message;
}

async function run(options: PlatformOptions): Promise<void> {
	const platform = await startPlatform(options);
	console.log(banner(platform));
	const end = () => void platform.close().then(() => process.exit(0));
	process.once('SIGINT', end);
	process.once('SIGTERM', end);
}

async function main(): Promise<void> {
	try {
		const options = readFlags(process.argv.slice(2));
		if (options === 'help') console.log(usage());
		else await run(options);
	} catch (error) {
		console.error(reasonOf(error));
		process.exitCode = 1;
	}
}

void main();

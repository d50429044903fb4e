import { listenToEngine } from './events';
import { ENGINE_FOLDER } from './install';
import { seed } from './seed';
import { serve, startImports } from './server';
import { API_KEY } from './settings';
import { saveDatabase, startVendure } from './vendure';

/** The engine's own process: `serve.ts DATABASE PORT ENGINE_PORT [seed]`. With `seed` it fills the database and ends. */
async function main(): Promise<void> {
	const [database, port, enginePort, task] = process.argv.slice(2);
	await startVendure(ENGINE_FOLDER, database, Number(enginePort));
	if (task === 'seed') {
		await seed(console.log);
		await saveDatabase();
		process.exit();
	}
	await startImports();
	listenToEngine();
	serve(Number(port));
	console.log(`The API is at http://127.0.0.1:${port}/v1 with the key ${API_KEY}`);
}

main().catch((error: unknown) => {
	console.error(error);
	process.exit(1);
});

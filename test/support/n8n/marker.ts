import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A file that says which step of an installation is finished, and for what it holds. */
export class Marker {
	private constructor(
		private readonly path: string,
		private readonly content: string,
	) {}

	/**
	 * @param recipe folder with the package-lock.json that is installed, or the package.json where no lock pins it:
	 * another content, another marker
	 */
	static async of(name: string, folder: string, recipe: string): Promise<Marker> {
		const file = join(recipe, 'package-lock.json');
		const lock = await readFile(existsSync(file) ? file : join(recipe, 'package.json'));
		const content = {
			lock: createHash('sha256').update(lock).digest('hex'),
			// Native parts fit one kind of machine and one generation of Node.
			platform: `${process.platform}-${process.arch}`,
			modules: process.versions.modules,
		};
		return new Marker(join(folder, name), JSON.stringify(content));
	}

	async isSet(): Promise<boolean> {
		try {
			return (await readFile(this.path, 'utf8')) === this.content;
		} catch {
			return false; // Not there: not finished.
		}
	}

	async set(): Promise<void> {
		await writeFile(this.path, this.content);
	}
}

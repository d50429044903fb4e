import { GENERATED, writeGenerated } from './generated';

/** Writes anew what is generated in the documentation: `npm run docs`. */
const changed = writeGenerated();
for (const path of Object.keys(GENERATED)) {
	console.log(`${path} ${changed.includes(path) ? 'was written anew' : 'is up to date'}`);
}

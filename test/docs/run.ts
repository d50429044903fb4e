import { writeGenerated } from './generated';

/** Writes anew what is generated: parts of the documentation, and the output schemas: `npm run docs`. */
const changed = writeGenerated();
console.log(
	changed.length === 0 ? 'All is up to date' : `Written anew or removed:\n${changed.join('\n')}`,
);

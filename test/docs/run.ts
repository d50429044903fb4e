import { writeGenerated } from './generated';

/** `npm run docs` writes all generated parts: of the documentation, and the output schemas. */
const changed = writeGenerated();
console.log(
	changed.length === 0 ? 'All is up to date' : `Written anew or removed:\n${changed.join('\n')}`,
);

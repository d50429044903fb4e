import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { OPERATIONS_FILE, withTable } from './operationsTable';

/** Writes anew what is generated in the documentation: `npm run docs`. */
const file = join(__dirname, '..', '..', OPERATIONS_FILE);
writeFileSync(file, withTable(readFileSync(file, 'utf8')));
console.log(`${OPERATIONS_FILE} is up to date`);

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withDialectTable } from './describe';

/** `npm run docs`: brings the table of switches in the README up to date. */
const README = join(__dirname, '..', 'README.md');
writeFileSync(README, withDialectTable(readFileSync(README, 'utf8')));

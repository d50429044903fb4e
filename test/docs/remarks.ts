import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

/** What the code does not say, for the generated tables. */
export const REMARKS = parse(readFileSync(join(__dirname, 'remarks.yaml'), 'utf8')) as Record<
	'modes' | 'operations' | 'deliveries',
	Record<string, string>
>;

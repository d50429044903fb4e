import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

/** Remarks for the generated tables that the code does not contain. */
export const REMARKS = parse(readFileSync(join(__dirname, 'remarks.yaml'), 'utf8')) as Record<
	'modes' | 'operations' | 'deliveries',
	Record<string, string>
>;

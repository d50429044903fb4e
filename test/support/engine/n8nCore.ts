import 'reflect-metadata';

import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// n8n-core writes an encryption key when it is loaded; it must not write into the user's own folder.
process.env.N8N_LOG_LEVEL ??= 'silent';
process.env.N8N_USER_FOLDER ??= join(
	tmpdir(),
	`commerce-platform-engine-${process.env.JEST_WORKER_ID ?? 'main'}`,
);
mkdirSync(process.env.N8N_USER_FOLDER, { recursive: true });

/* eslint-disable @typescript-eslint/no-require-imports -- the order matters: the folder first, then n8n-core */
export const n8nCore = require('n8n-core') as typeof import('n8n-core');
export const n8nWorkflow = require('n8n-workflow') as typeof import('n8n-workflow');
/* eslint-enable @typescript-eslint/no-require-imports */

// Also at the level “silent”, n8n looks up where each message comes from; that takes a thirtieth of all time.
const nobodyHears = () => {};
n8nWorkflow.LoggerProxy.init({
	debug: nobodyHears,
	info: nobodyHears,
	warn: nobodyHears,
	error: nobodyHears,
});

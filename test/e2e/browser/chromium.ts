import { existsSync } from 'node:fs';

import { chromium, type Browser } from 'playwright-core';

import { UserError } from '../../support/userError';

/** Environment variable with the path of another Chromium or Chrome. */
const CHROMIUM_VARIABLE = 'CHROMIUM_PATH';

const USUAL_PLACES = [
	'/usr/bin/chromium',
	'/usr/bin/chromium-browser',
	'/usr/bin/google-chrome',
	'/Applications/Chromium.app/Contents/MacOS/Chromium',
	'/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Headless, quiet, and without any call to the outside. */
const CHROMIUM_FLAGS = [
	'--no-sandbox',
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
];

/** An installed Chromium, or undefined if there is none. */
export function findChromium(): string | undefined {
	const candidates = [process.env[CHROMIUM_VARIABLE] ?? '', ...USUAL_PLACES];
	return candidates.find((path) => path !== '' && existsSync(path));
}

/** @throws UserError if no Chromium is installed */
export async function launchChromium(): Promise<Browser> {
	const executablePath = findChromium();
	if (executablePath === undefined) {
		throw new UserError(
			'No Chromium or Chrome was found.',
			'Install one (Debian: `sudo apt-get install -y chromium`) or name it in CHROMIUM_PATH.',
		);
	}
	return await chromium.launch({ executablePath, args: CHROMIUM_FLAGS });
}

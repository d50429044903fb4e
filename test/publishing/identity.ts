import { textOf } from '../support/repository';

/**
 * `package.json` alone says who publishes the package (author, homepage, repository, bugs). Other files with an address
 * must agree with it, and a release must not contain a reserved example address.
 */
const NAMING = [
	'credentials/CommercePlatformApi.credentials.ts',
	'nodes/CommercePlatform/CommercePlatform.node.json',
	'nodes/CommercePlatformChangesTrigger/CommercePlatformChangesTrigger.node.json',
	'nodes/CommercePlatformTrigger/CommercePlatformTrigger.node.json',
	'nodes/CommercePlatformTrigger/CommercePlatformTrigger.node.ts',
];
/** The neutral domain of the package. Examples in fields, such as `api.your-shop.example`, stay. */
const RESERVED = /\bcommerce-platform\.example\b/;

/** Documentation addresses that do not begin with the homepage of package.json. */
export function foreignAddresses(): string[] {
	const { homepage } = JSON.parse(textOf('package.json')) as { homepage: string };
	return NAMING.flatMap((file) =>
		[...textOf(file).matchAll(/(?:documentationUrl = '|NO_LOST_ORDERS = '|"url": ")([^'"]+)/g)]
			.filter(([, url]) => !url.startsWith(homepage))
			.map(([, url]) => `${file}: ${url}`),
	);
}

/**
 * Files that still name the reserved example domain.
 *
 * @param read gives the text of a file
 */
export const unpublishable = (read = textOf): string[] =>
	['package.json', 'SECURITY.md', ...NAMING].filter((file) => RESERVED.test(read(file)));

/** Says so, and lets the process fail, if a release would name an example domain. The release tool runs this first. */
export function refuseExampleDomains(): void {
	const files = unpublishable();
	if (files.length === 0) return;
	console.error(
		`Nothing was released: these files still name an example domain: ${files.join(', ')}. docs/publishing.md says what to put there.`,
	);
	process.exitCode = 1;
}

if (require.main === module) refuseExampleDomains();

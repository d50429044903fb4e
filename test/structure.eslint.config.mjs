// Rules for the shape of the shipped code. n8n's own rules, about its behaviour, are in the root's config.
import { createNodeResolver, importX } from 'eslint-plugin-import-x';
import tseslint from 'typescript-eslint';

const ACTION_NODE = './nodes/CommercePlatform/**';

const CHANGES_TRIGGER = './nodes/CommercePlatformChangesTrigger/**';

const WEBHOOK_TRIGGER = './nodes/CommercePlatformTrigger/**';

const SHARED = './nodes/shared/**';

/** What would serve any REST API. */
const GENERAL = [
	'./nodes/shared/rest/**',
	'./nodes/shared/values/**',
	'./nodes/CommercePlatform/runner/**',
];

/** What is about trade. */
const SHOP = ['./nodes/shared/shop/**', './nodes/CommercePlatform/{resources,fields,search}/**'];

/** Words of trade that general code does not use; `location` is a header of HTTP. */
const TRADE = '/(?<!b)order|sku|product(?!ion)|price|refund|customer|stock|variant/i';

const NO_TRADE = [
	...[
		`Identifier[name=${TRADE}]`,
		`Literal[value=${TRADE}]`,
		`TemplateElement[value.raw=${TRADE}]`,
	],
	'Identifier[name=/location/i]:not([name="location"])',
].map((selector) => ({
	selector,
	message: 'General code has no words of trade: the operation, or the service, says it.',
}));

/** Who may not import what. */
const ZONES = [
	{
		target: ['./nodes/**', './credentials/**'],
		from: ['./test/**', './platform/**', './lab/**'],
		message: 'Shipped code imports nothing of the tests, the local platform or the lab.',
	},
	{
		target: './platform/**',
		from: ['./test/**', './lab/**', './nodes/**', './credentials/**'],
		message: 'The local platform stands alone.',
	},
	{
		target: SHARED,
		from: [ACTION_NODE, WEBHOOK_TRIGGER, CHANGES_TRIGGER],
		message: 'shared/ knows no node.',
	},
	{
		target: GENERAL,
		from: SHOP,
		message: 'General code knows no shop: the operation says what it needs to know.',
	},
	{
		target: WEBHOOK_TRIGGER,
		from: [ACTION_NODE, CHANGES_TRIGGER],
		message: 'A trigger knows no other node.',
	},
	{
		target: CHANGES_TRIGGER,
		from: [ACTION_NODE, WEBHOOK_TRIGGER],
		message: 'A trigger knows no other node.',
	},
	{
		target: ACTION_NODE,
		from: [WEBHOOK_TRIGGER, CHANGES_TRIGGER],
		message: 'The action node knows no trigger.',
	},
];

export default tseslint.config(
	{
		files: ['**/*.ts'],
		languageOptions: { parser: tseslint.parser },
		linterOptions: { reportUnusedDisableDirectives: 'off' },
		plugins: {
			'import-x': importX,
			// Loaded so that ESLint knows the rules that comments name.
			'@typescript-eslint': tseslint.plugin,
		},
		settings: {
			'import-x/parsers': { '@typescript-eslint/parser': ['.ts'] },
			'import-x/resolver-next': [createNodeResolver({ extensions: ['.ts', '.js'] })],
		},
		rules: {
			'max-lines': ['error', { max: 450, skipComments: true, skipBlankLines: true }],
			'max-lines-per-function': ['error', { max: 60 }],
			'import-x/no-cycle': 'error',
			'import-x/no-restricted-paths': ['error', { zones: ZONES }],
			'import-x/no-unresolved': ['error', { ignore: ['^n8n-workflow$'] }],
		},
	},
	{
		files: GENERAL.map((glob) => glob.replace('./', '')),
		rules: { 'no-restricted-syntax': ['error', ...NO_TRADE] },
	},
	{
		// The size limits apply to shipped code only.
		files: ['platform/**'],
		rules: { 'max-lines': 'off', 'max-lines-per-function': 'off' },
	},
);

// n8n's own rules forbid what tests need (node:http, process, timers), so this folder has rules of its own.
import js from '@eslint/js';
import globals from 'globals';
import tseslint from 'typescript-eslint';

export default tseslint.config(
	{ ignores: ['e2e/host/**'] },
	js.configs.recommended,
	...tseslint.configs.recommended,
	{
		languageOptions: { globals: { ...globals.node, ...globals.jest } },
		rules: {
			'@typescript-eslint/no-explicit-any': 'error',
			'@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
		},
	},
	// What the back office runs in a browser.
	{ files: ['platform/office/**/*.js'], languageOptions: { globals: globals.browser } },
	{ files: ['**/*.cjs', 'bench/nodes/*.js'], rules: { '@typescript-eslint/no-require-imports': 'off' } },
);

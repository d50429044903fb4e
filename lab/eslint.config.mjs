import config from '../test/eslint.config.mjs';

export default [
	...config,
	{ files: ['bench/nodes/*.js'], rules: { '@typescript-eslint/no-require-imports': 'off' } },
];

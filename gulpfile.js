const { dest, parallel, src } = require('gulp');

/** What tsc leaves behind: icons, codex files and output schemas, at the places where n8n looks for them. */
const nodeAssets = () =>
	src(['nodes/**/*.{png,svg}', 'nodes/**/*.node.json', 'nodes/**/__schema__/**/*.json'], {
		encoding: false,
	}).pipe(dest('dist/nodes'));

/** Version 1.1 of the action node gives the same items as 1; n8n looks for its schemas under the exact version. */
const schemas = () =>
	src('nodes/CommercePlatform/__schema__/v1.0.0/**/*.json', { encoding: false }).pipe(
		dest('dist/nodes/CommercePlatform/__schema__/v1.1.0'),
	);

const icons = () => src('icons/**/*.{png,svg}', { encoding: false }).pipe(dest('dist/icons'));

exports['build:assets'] = parallel(nodeAssets, schemas, icons);

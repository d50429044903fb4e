const { dest, parallel, src } = require('gulp');

/** What tsc leaves behind: icons, codex files and output schemas, at the places where n8n looks for them. */
const nodeAssets = () =>
	src(['nodes/**/*.{png,svg}', 'nodes/**/*.node.json', 'nodes/**/__schema__/**/*.json'], {
		encoding: false,
	}).pipe(dest('dist/nodes'));

const icons = () => src('icons/**/*.{png,svg}', { encoding: false }).pipe(dest('dist/icons'));

exports['build:assets'] = parallel(nodeAssets, icons);

const { appendFileSync } = require('node:fs');

const { description } = require('./description.js');

/** Records when it ran, and how many items it received. */
class Mark {
	description = description('Mark', [
		{ displayName: 'File', name: 'file', type: 'string', default: '' },
	]);

	async execute() {
		const items = this.getInputData();
		const mark = { atMs: performance.now(), items: items.length };
		appendFileSync(this.getNodeParameter('file', 0), `${JSON.stringify(mark)}\n`);
		return [items];
	}
}

module.exports = { Mark };

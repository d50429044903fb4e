const { description } = require('./description.js');

/**
 * The simplest possible node for a list: one call of n8n's helper per page, one item per record; no check, no retry, no
 * pacing.
 */
class LeastList {
	description = {
		...description('Least List', [
			{ displayName: 'URL', name: 'url', type: 'string', default: '' },
			{ displayName: 'Pages', name: 'pages', type: 'number', default: 1 },
		]),
		credentials: [{ name: 'commercePlatformApi', required: true }],
	};

	async execute() {
		const url = this.getNodeParameter('url', 0);
		const maxPages = this.getNodeParameter('pages', 0);
		const items = [];
		let cursor = '';
		for (let pages = 0; cursor !== null && pages < maxPages; pages++) {
			const page = await this.helpers.httpRequestWithAuthentication.call(
				this,
				'commercePlatformApi',
				{ url, qs: { limit: 250, ...(cursor === '' ? {} : { cursor }) }, json: true },
			);
			for (const json of page.data) items.push({ json, pairedItem: 0 });
			cursor = page.pagination.next_cursor;
		}
		return [items];
	}
}

module.exports = { LeastList };

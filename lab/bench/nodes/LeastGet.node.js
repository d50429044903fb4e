const { description } = require('./description.js');

const AT_ONCE = 4;

/**
 * The simplest possible node for single records, four at a time: it reads its fields, calls n8n's helper once, makes an
 * item. With a description it writes that.
 */
class LeastGet {
	description = {
		...description('Least Get', [
			{ displayName: 'URL', name: 'url', type: 'string', default: '', noDataExpression: true },
			{ displayName: 'ID', name: 'id', type: 'string', default: '' },
			{ displayName: 'Text', name: 'text', type: 'string', default: '' },
		]),
		credentials: [{ name: 'commercePlatformApi', required: true }],
	};

	async execute() {
		const given = this.getInputData();
		const url = this.getNodeParameter('url', 0);
		const items = [];
		let next = 0;
		const read = async () => {
			while (next < given.length) {
				const item = next++;
				const id = this.getNodeParameter('id', item);
				const description = this.getNodeParameter('text', item);
				const write = description ? { method: 'PATCH', body: { description } } : {};
				const { data } = await this.helpers.httpRequestWithAuthentication.call(
					this,
					'commercePlatformApi',
					{ url: `${url}/${id}`, json: true, ...write },
				);
				items[item] = { json: data, pairedItem: { item } };
			}
		};
		await Promise.all(Array.from({ length: AT_ONCE }, read));
		return [items];
	}
}

module.exports = { LeastGet };

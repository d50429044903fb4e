import nock from 'nock';
import type { IDataObject } from 'n8n-workflow';

import { runNode } from '../../support/engine/runNode';
import { HOSTILE_VALUES } from './values';
import { catchRequests } from './wire';

afterEach(() => nock.cleanAll());
afterAll(() => nock.restore());

it.each(HOSTILE_VALUES)(
	'looks up the hostile address %s as it is, or refuses it by name',
	async (_name, value) => {
		const caught = catchRequests();
		const { items } = await runNode({
			parameters: {
				resource: 'customer',
				operation: 'getAll',
				filters: { email: '={{ $json.value }}' },
			},
			items: [{ value } as IDataObject],
			onError: 'continueRegularOutput',
		});
		if (items[0]?.json.error !== undefined) {
			expect(items[0].json.error).toContain('“Email”');
			expect(caught).toEqual([]);
			return;
		}
		const said = String(value as string).trim();
		expect(said).not.toBe('');
		expect(caught[0].places.get('query q')).toBe(said.toLowerCase());
	},
);

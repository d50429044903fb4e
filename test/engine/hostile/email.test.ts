import type { IDataObject } from 'n8n-workflow';

import { runOperation } from '../../support/engine/runNode';
import { HOSTILE_VALUES } from './values';
import { catchRequests } from './wire';

it.each(HOSTILE_VALUES)(
	'looks up the hostile address %s as it is, or refuses it by name',
	async (_name, value) => {
		const caught = catchRequests();
		const { json } = await runOperation(
			'customer.getAll',
			{ filters: { email: '={{ $json.value }}' } },
			{ items: [{ value } as IDataObject], onError: 'continueRegularOutput' },
		);
		if (json[0]?.error !== undefined) {
			expect(json[0].error).toContain('“Email”');
			expect(caught).toEqual([]);
			return;
		}
		const said = String(value as string).trim();
		expect(said).not.toBe('');
		expect(caught[0].places.get('query q')).toBe(said.toLowerCase());
	},
);

import { describe } from 'node:test';

import { EXPRESSION_ENGINE, environmentOfSuite } from '../environment';
import { retriedRuns, SHOP } from './retriedRuns';

describe('n8n’s Retry of failed executions', () => {
	const environment = environmentOfSuite({
		platform: SHOP,
		n8n: { environment: EXPRESSION_ENGINE },
	});
	retriedRuns(environment, (address) => address);
});

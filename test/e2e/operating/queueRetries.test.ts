import { describe } from 'node:test';

import { EXPRESSION_ENGINE, queueOfSuite } from '../environment';
import { retriedRuns, SHOP } from './retriedRuns';

describe('n8n’s Retry of failed executions in queue mode', () => {
	const environment = queueOfSuite({ platform: SHOP, n8n: { environment: EXPRESSION_ENGINE } });
	retriedRuns(environment, (address) =>
		address.replace(environment.n8n.url, environment.balancer.url),
	);
});

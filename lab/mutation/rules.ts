/** A pure rule: the files that hold it, and the tests that must notice every change of them. */
export interface Rule {
	files: string[];
	tests: string[];
}

const API = 'nodes/shared/api';
const TRIGGER = 'nodes/CommercePlatformTrigger';

export const RULES: Record<string, Rule> = {
	verification: {
		files: [`${TRIGGER}/delivery/verifyDelivery.ts`],
		tests: ['CommercePlatformTrigger/delivery/**'],
	},
	retry: {
		files: [`${API}/retry.ts`],
		tests: ['shared/api/retry*', 'shared/api/rateLimitState*'],
	},
	money: { files: ['nodes/shared/values/money.ts'], tests: ['shared/money*'] },
	memory: {
		files: [`${TRIGGER}/memory/seenDeliveries.ts`, `${TRIGGER}/memory/endpointRecord.ts`],
		tests: ['CommercePlatformTrigger/memory/**'],
	},
	saving: {
		files: [`${TRIGGER}/memory/pendingDeliveries.ts`, `${TRIGGER}/memory/endpointMemory.ts`],
		tests: ['CommercePlatformTrigger/memory/**'],
	},
	rateLimit: {
		files: [`${API}/rateLimit.ts`],
		tests: ['shared/api/rateLimit*', 'shared/api/budget*'],
	},
	credential: {
		files: [`${API}/credential.ts`],
		tests: ['shared/api/credential*', 'shared/api/scrub*'],
	},
	paths: {
		files: [`${API}/request.ts`],
		tests: ['shared/api/path*', 'shared/api/client*'],
	},
	cursors: {
		files: [`${API}/pages.ts`],
		tests: ['shared/api/page*', 'shared/api/paginate*'],
	},
	keys: {
		files: ['nodes/CommercePlatform/run/keys.ts'],
		tests: ['CommercePlatform/engine/writes*'],
	},
	turns: {
		files: ['nodes/CommercePlatform/run/turns.ts'],
		tests: ['CommercePlatform/engine/turns*'],
	},
	rows: {
		files: ['nodes/CommercePlatform/model/productRows.ts'],
		tests: ['CommercePlatform/model/productRows*'],
	},
	exactJson: { files: ['nodes/shared/values/json.ts'], tests: ['shared/json*'] },
	answers: {
		files: [`${API}/answer.ts`, 'nodes/shared/errors/errorBody.ts'],
		tests: ['shared/api/answers*', 'shared/api/client*', 'shared/api/errorBody*'],
	},
	limiter: {
		files: [`${API}/limiter.ts`, `${API}/clock.ts`],
		tests: ['shared/api/requestLimiter*', 'shared/api/pause*'],
	},
	input: {
		files: ['nodes/shared/values/readers.ts', 'nodes/shared/values/dates.ts'],
		tests: ['shared/input/**', 'shared/dates*'],
	},
};

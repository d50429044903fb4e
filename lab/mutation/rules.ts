/** A pure rule: the files that hold it, and the tests that must notice every change of them. */
export interface Rule {
	files: string[];
	/** Patterns below test/unit. */
	tests: string[];
	/** Patterns below test/engine: quick tests that hold the rule within n8n's engine. */
	engine?: string[];
}

const RUNNER = 'nodes/CommercePlatform/runner';
const API = 'nodes/shared/rest';
const TRIGGER = 'nodes/CommercePlatformTrigger';

export const RULES: Record<string, Rule> = {
	verification: {
		files: [`${TRIGGER}/verifyDelivery.ts`],
		tests: ['CommercePlatformTrigger/verifyDelivery*', 'CommercePlatformTrigger/signature*'],
	},
	retry: {
		files: [`${API}/retry.ts`],
		tests: ['shared/rest/retry*', 'shared/rest/rateLimitState*'],
	},
	money: { files: ['nodes/shared/values/money.ts'], tests: ['shared/money*'] },
	memory: {
		files: ['memory', 'pending', 'seals', 'seen'].map((name) => `${TRIGGER}/${name}.ts`),
		tests: [
			'CommercePlatformTrigger/memory*',
			'CommercePlatformTrigger/pending*',
			'CommercePlatformTrigger/record*',
			'CommercePlatformTrigger/savedStaticData*',
			'CommercePlatformTrigger/seen*',
		],
	},
	credential: {
		files: [`${API}/credential.ts`],
		tests: ['shared/rest/credential*', 'shared/rest/scrub*'],
	},
	requests: {
		files: [`${API}/request.ts`, `${API}/errorBody.ts`],
		tests: [
			'shared/rest/answers*',
			'shared/rest/attempt*',
			'shared/rest/client*',
			'shared/rest/errorBody*',
			'shared/rest/path*',
		],
	},
	cursors: {
		files: [`${API}/pages.ts`],
		tests: ['shared/rest/page*', 'shared/rest/paginate*'],
	},
	writes: {
		files: [`${RUNNER}/writes.ts`, `${RUNNER}/schedule.ts`],
		tests: [
			'CommercePlatform/engine/writes*',
			'CommercePlatform/engine/lock*',
			'CommercePlatform/engine/ahead*',
		],
		engine: ['operations/write*', 'writes/writes*'],
	},
	exactJson: { files: ['nodes/shared/values/json.ts'], tests: ['shared/json*'] },
	limiter: {
		files: [`${API}/limiter.ts`, `${API}/clock.ts`],
		tests: [
			'shared/rest/budget*',
			'shared/rest/pause*',
			'shared/rest/rateLimit*',
			'shared/rest/requestLimiter*',
		],
	},
	input: {
		files: ['nodes/shared/values/readers.ts', 'nodes/shared/values/dates.ts'],
		tests: ['shared/input/**', 'shared/dates*'],
	},
};

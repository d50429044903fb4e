import { seeded } from '../../support/random';
import type {
	DeliveryFaultRule,
	Fault,
	FaultName,
	FaultRule,
	RequestFaultRule,
	ScriptStep,
} from './types';

/** What a rule is asked about. */
export interface Target {
	method: string;
	/** Path without `/v1` and query, as it came. */
	path: string;
	/** Path of openapi.yaml. */
	template: string;
}

type RequestRule = Exclude<FaultRule, DeliveryFaultRule>;

interface RuleState {
	rule: RequestRule;
	random: () => number;
	left: number;
	step: number;
}

/** Decides which request gets which fault. Seeded, so that a run can be repeated. */
export class RequestFaults {
	private rules: RuleState[] = [];

	/** @throws RangeError for a rule that could never match. */
	set(rules: readonly RequestRule[]): void {
		rules.forEach(requireSense);
		this.rules = rules.map((rule) => ({
			rule,
			random: seeded(rule.seed ?? 1),
			left: rule.times ?? Infinity,
			step: 0,
		}));
	}

	/** The fault for this request, if any. */
	match(target: Target): Fault | undefined {
		for (const state of this.rules) {
			if (state.left <= 0 || !matches(state.rule, target)) continue;
			const fault = draw(state);
			if (fault) {
				state.left--;
				return fault;
			}
		}
		return undefined;
	}
}

function matches({ method, path }: RequestFaultRule, target: Target): boolean {
	if (method !== undefined && method.toUpperCase() !== target.method) return false;
	return path === undefined || path === target.template || target.path.startsWith(path);
}

function draw(state: RuleState): Fault | undefined {
	const { rule, random } = state;
	if (rule.script) {
		const step = rule.script[state.step++];
		return step === undefined ? undefined : faultOf(step);
	}
	if (random() >= (rule.probability ?? 1)) return undefined;
	if (rule.anyOf) return rule.anyOf[Math.floor(random() * rule.anyOf.length)];
	return rule.fault === undefined ? undefined : rule;
}

/** Faults that a script can name; those that need a value have one. */
const BY_NAME: Readonly<Record<FaultName, Fault>> = {
	status: { fault: 'status', status: 500 },
	slow: { fault: 'slow', ms: 1_000 },
	reset: { fault: 'reset' },
	lostAnswer: { fault: 'lostAnswer' },
	malformedJson: { fault: 'malformedJson' },
	html: { fault: 'html' },
	empty: { fault: 'empty' },
	redirect: { fault: 'redirect', location: 'https://elsewhere.example/v1' },
	stall: { fault: 'stall' },
};

function faultOf(step: ScriptStep): Fault | undefined {
	if (typeof step !== 'string') return step;
	if (step === 'ok') return undefined;
	return /^\d{3}$/.test(step)
		? { fault: 'status', status: Number(step) }
		: BY_NAME[step as FaultName];
}

function requireSense({ script, anyOf, fault }: RequestRule): void {
	const unknown = script?.find(
		(step) => typeof step === 'string' && step !== 'ok' && faultOf(step) === undefined,
	);
	if (unknown !== undefined) throw new RangeError(`There is no fault ${String(unknown)}`);
	if (fault !== undefined && !Object.hasOwn(BY_NAME, fault)) {
		throw new RangeError(`There is no fault ${fault}`);
	}
	if (!script && !anyOf?.length && !fault) {
		throw new RangeError('A fault rule needs fault, script or anyOf');
	}
}

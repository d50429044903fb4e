import { seeded } from '../support/random';
import type { DeliveryFaultRule, Fault, FaultRule, RequestFaultRule, RequestRule } from './types';

/** The facts of a request that rules are compared with. */
export interface Target {
	method: string;
	/** Path as it was sent, without `/v1` and query. */
	path: string;
	/** Path as in openapi.yaml. */
	template: string;
	/** Raw text. */
	body?: string;
}

/** A rule, and how far it is used up. */
interface State<Rule extends FaultRule> {
	rule: Rule;
	random: () => number;
	remaining: number;
	step: number;
}

const DEFAULT_HOLD_MS = 250;

/** Decides which request and which delivery gets which fault. Seeded, so that a run can be repeated. */
export class Faults {
	/** The rules as they were set. */
	rules: readonly FaultRule[] = [];
	private forRequests: Array<State<RequestRule>> = [];
	private forDeliveries: Array<State<DeliveryFaultRule>> = [];

	/** @throws RangeError for a rule that could never match. */
	set(rules: readonly FaultRule[]): void {
		const requests = rules.filter((rule) => !isForDeliveries(rule));
		requests.forEach(requireSense);
		this.forRequests = requests.map(stateOf);
		this.forDeliveries = rules.filter(isForDeliveries).map(stateOf);
		this.rules = rules;
	}

	/** The fault for this request, if any. */
	match(target: Target): Fault | undefined {
		for (const state of this.forRequests) {
			if (state.remaining <= 0 || !matches(state.rule, target)) continue;
			const fault = draw(state);
			if (fault) {
				state.remaining--;
				return fault;
			}
		}
		return undefined;
	}

	/** When a delivery of this event is sent: one entry per sending, in ms from now. */
	sendingTimes(event: string): number[] {
		const times = [0];
		for (const state of this.forDeliveries) {
			const { rule, random } = state;
			if (state.remaining <= 0 || (rule.event !== undefined && rule.event !== event)) continue;
			if (random() >= (rule.probability ?? 1)) continue;
			state.remaining--;
			if (rule.fault === 'duplicateDelivery') times.push(Math.round(random() * (rule.ms ?? 0)));
			else times[0] = Math.max(1, Math.round(random() * (rule.ms ?? DEFAULT_HOLD_MS)));
		}
		return times;
	}
}

const isForDeliveries = (rule: FaultRule): rule is DeliveryFaultRule =>
	rule.fault === 'duplicateDelivery' || rule.fault === 'reorderDelivery';

const stateOf = <Rule extends FaultRule>(rule: Rule): State<Rule> => ({
	rule,
	random: seeded(rule.seed ?? 1),
	remaining: rule.times ?? Infinity,
	step: 0,
});

const matches = ({ method, path, body }: RequestFaultRule, target: Target): boolean =>
	(method === undefined || method.toUpperCase() === target.method) &&
	(body === undefined || target.body?.includes(body) === true) &&
	(path === undefined || path === target.template || target.path.startsWith(path));

function draw(state: State<RequestRule>): Fault | undefined {
	const { rule, random } = state;
	if (rule.script) {
		const step = rule.script[state.step++] ?? 'ok';
		return typeof step === 'string' ? named(step) : step;
	}
	if (random() >= (rule.probability ?? 1)) return undefined;
	if (rule.anyOf) return rule.anyOf[Math.floor(random() * rule.anyOf.length)];
	return rule.fault === undefined ? undefined : rule;
}

/** Faults that need only their name. */
const PLAIN = ['reset', 'lostAnswer', 'html', 'stall'] as const;

/** @throws RangeError for a text that is no step of a script */
function named(step: string): Fault | undefined {
	if (step === 'ok') return undefined;
	if (/^\d{3}$/.test(step)) return { fault: 'status', status: Number(step) };
	const fault = PLAIN.find((name) => name === step);
	if (fault === undefined) throw new RangeError(`There is no fault ${step}`);
	return { fault };
}

function requireSense({ script, anyOf, fault }: RequestRule): void {
	for (const step of script ?? []) if (typeof step === 'string') named(step);
	if (fault !== undefined && !['status', 'slow', ...PLAIN].includes(fault)) {
		throw new RangeError(`There is no fault ${fault}`);
	}
	if (!script && !anyOf?.length && !fault) {
		throw new RangeError('A fault rule needs fault, script or anyOf');
	}
}

import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { REPEATED } from './idempotency';
import { etagOf } from './page';
import { readQuery } from './query';
import { setDate } from './shaping/headers';
import { shapeAnswer } from './shaping/shape';
import { budgetHeaders, spentRefusal } from './rateLimit';
import { requireAccess } from './access';
import { faultAnswer } from '../faults/answers';
import { PLANS } from '../plans';
import { invalid, Refusal } from '../shop/refusal';
import type { Answer, Handler } from './call';
import type { Contract, Operation } from './contract';
import type { Dialect } from '../dialects/dialect';
import type { Fault } from '../faults/types';
import type { ApiKey } from './keys';
import type { Running } from '../running';

const BAD_REQUEST = 400;

interface Incoming {
	operation: Operation;
	handler: Handler;
	request: FastifyRequest;
	/** Raw text of the body. */
	text: string | undefined;
	fault: Fault | undefined;
}

/** The way of one request: fault → key → budget → access → contract → repeated write → handler. */
export class Pipeline {
	/** @param validate whether requests and responses are checked against openapi.yaml */
	constructor(
		private readonly running: Running,
		private readonly contract: Contract,
		private readonly validate: boolean,
	) {}

	async handle(
		operation: Operation,
		handler: Handler,
		request: FastifyRequest,
		reply: FastifyReply,
	): Promise<FastifyReply> {
		const text = typeof request.body === 'string' && request.body ? request.body : undefined;
		this.running.journal.note(request.raw, operation.template, text);
		const fault = this.running.faults.match({
			method: operation.method,
			path: request.url.split('?')[0].slice('/v1'.length),
			template: operation.template,
			body: text,
		});
		const delay = this.running.world.settings.latencyMs + (fault?.fault === 'slow' ? fault.ms : 0);
		if (delay > 0) await pause(delay);
		if (fault?.fault === 'stall') return reply.hijack();
		if (fault?.fault === 'reset') return hangUp(request, reply);
		const answer = this.answer({ operation, handler, request, text, fault });
		const { dialect } = this.running.world.settings;
		const shaped = answer.isRaw ? answer : shapeAnswer(answer, operation, request.url, dialect);
		return fault?.fault === 'lostAnswer' ? hangUp(request, reply) : this.send(reply, shaped);
	}

	/** Answers a request that reaches no endpoint. */
	refuse(request: FastifyRequest, reply: FastifyReply, refusal: Refusal): FastifyReply {
		this.running.journal.noteRefusedRequest(request.raw, refusal.message);
		const { dialect } = this.running.world.settings;
		const answer = shapeAnswer(errorAnswer(refusal, request.id), undefined, '', dialect);
		return this.send(reply, answer);
	}

	private answer(incoming: Incoming): Answer {
		const { request, operation } = incoming;
		const headers: Record<string, string> = {};
		let answer: Answer;
		try {
			answer = this.process(incoming, headers);
		} catch (error) {
			const refusal = error instanceof Refusal ? error : new Refusal('INTERNAL', String(error));
			if (refusal !== error) this.running.journal.noteViolation(String(error));
			if (refusal.status === BAD_REQUEST) {
				this.running.journal.noteRefusedRequest(request.raw, refusal.message);
			}
			answer = errorAnswer(refusal, request.id);
		}
		const complete = { ...answer, headers: { ...headers, ...answer.headers } };
		const isInjected = faultAnswer(incoming.fault) !== undefined;
		const violationText = isInjected
			? undefined
			: this.responseFault(operation, complete, request.id);
		if (violationText === undefined) return complete;
		this.running.journal.noteViolation(`${operation.id} ${violationText}`);
		const violation = { status: 500, code: 'CONTRACT_VIOLATION', message: violationText, headers };
		return errorAnswer(violation, request.id);
	}

	/** @param budget receives the budget headers as soon as they are known */
	private process(incoming: Incoming, budget: Record<string, string>): Answer {
		const { operation, handler, request, text, fault } = incoming;
		const { keys, limiter, world } = this.running;
		const { settings } = world;
		const { headers } = request;
		const key = keys.authenticate(headers.authorization);
		const now = Date.now() + settings.clockOffsetMs;
		const budgets = limiter.take(key, settings, now);
		Object.assign(budget, budgetHeaders(budgets));
		if (budgets.spent) throw spentRefusal(budgets, budgets.spent, now);
		const injected = faultAnswer(fault);
		if (injected?.text !== undefined) return { ...injected, isRaw: true };
		if (injected) {
			return errorAnswer({ ...injected, message: 'A fault was switched on' }, request.id);
		}
		requireAccess(operation, key, settings);
		const params = request.params as Record<string, string>;
		const query = readQuery(request.url, operation, settings.dialect);
		const body = parseBody(text);
		if (this.validate && !operation.isUndocumented) {
			const requestFault = this.contract.requestFault(operation, {
				params,
				// A dialect may take more than openapi.yaml describes.
				query: Object.fromEntries(
					Object.entries(query).filter(([name]) => operation.query.has(name)),
				),
				headers: headers as Record<string, string>,
				body,
			});
			if (requestFault !== undefined) throw invalid(requestFault);
		}
		const plan = PLANS[key.plan ?? settings.plan];
		const run = () =>
			handler({ ...world, key, plan, budgets, id: params.id ?? '', query, headers, body });
		return operation.method === 'GET'
			? conditional(run(), headers['if-none-match'], settings.dialect)
			: this.once(incoming, key, run);
	}

	/** Runs a write, or repeats the answer of the earlier write under the same Idempotency-Key. */
	private once({ operation, request, text }: Incoming, key: ApiKey, run: () => Answer): Answer {
		const { writes, journal, world } = this.running;
		const idempotencyKey = request.headers['idempotency-key'];
		if (typeof idempotencyKey !== 'string') return run();
		const writeKey = `${key.id} ${idempotencyKey}`;
		const requestText = `${operation.method} ${request.url}\n${text ?? ''}`;
		const applied = writes.get(writeKey);
		const repeatedAnswer =
			applied && REPEATED[world.settings.dialect.idempotency](applied, requestText);
		if (repeatedAnswer) {
			journal.noteReplay();
			return {
				...repeatedAnswer,
				headers: { ...repeatedAnswer.headers, 'idempotency-replayed': 'true' },
			};
		}
		const answer = run();
		journal.noteWrite(idempotencyKey);
		writes.set(writeKey, { request: requestText, answer });
		return answer;
	}

	private send(reply: FastifyReply, { status, headers, text }: Answer) {
		const { dialect, clockOffsetMs } = this.running.world.settings;
		setDate(reply, dialect, clockOffsetMs);
		void reply.code(status);
		if (dialect.requestId !== 'absent') void reply.header('x-request-id', reply.request.id);
		if (text !== undefined) void reply.header('content-type', 'application/json; charset=utf-8');
		return reply.headers({ ...headers }).send(text);
	}

	private responseFault(
		operation: Operation,
		answer: Answer,
		requestId: string,
	): string | undefined {
		if (!this.validate || operation.isUndocumented) return undefined;
		return this.contract.responseFault(operation, {
			status: answer.status,
			headers: { ...answer.headers, 'x-request-id': requestId },
			body: answer.text === undefined ? undefined : JSON.parse(answer.text),
		});
	}
}

type Failure = Pick<Answer, 'status' | 'headers'> & { code: string; message: string };

/** The error body as in openapi.yaml; the dialect may reshape it before it is sent. */
function errorAnswer({ status, code, message, headers }: Failure, request_id: string): Answer {
	return { status, headers, text: JSON.stringify({ error: { code, message, request_id } }) };
}

/** @throws Refusal INVALID_JSON. */
function parseBody(text: string | undefined): unknown {
	try {
		return text === undefined ? undefined : JSON.parse(text);
	} catch {
		throw new Refusal('INVALID_JSON', 'The body is not JSON');
	}
}

/** Conditional GETs (Pagination rules 5; RFC 9110, 13.1.2: weak comparison). */
function conditional(answer: Answer, ifNoneMatch = '', { etags }: Dialect): Answer {
	const etag = answer.etag ?? etagOf(answer.text ?? '');
	const headers = { ...answer.headers, etag, 'cache-control': 'private, no-cache' };
	const knownEtags = ifNoneMatch.split(',').map((etagText) => etagText.trim().replace(/^W\//, ''));
	const isUnchanged = etags !== 'absent' && (knownEtags.includes('*') || knownEtags.includes(etag));
	return isUnchanged ? { status: 304, headers } : { ...answer, headers };
}

function hangUp(request: FastifyRequest, reply: FastifyReply): FastifyReply {
	reply.hijack();
	request.raw.socket.destroy();
	return reply;
}

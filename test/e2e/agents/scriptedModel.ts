import { randomUUID } from 'node:crypto';

import Fastify, { type FastifyInstance } from 'fastify';

import type { ToolSchema } from '../../docs/agentTools';
import { LOOPBACK, freePort } from '../../support/ports';

interface Message {
	role: string;
	content: string;
	tool_call_id?: string;
}

interface ChatRequest {
	model: string;
	stream?: boolean;
	messages: Message[];
	tools?: Array<{ function: ToolSchema }>;
}

/** What the model does next: call tools, or answer and be done. */
export type Turn = { call: string; with: object } | { say: string };

/** An OpenAI-compatible model on loopback that does as it is told. */
export class ScriptedModel {
	private turns: Turn[] = [];
	private readonly requests: ChatRequest[] = [];

	private constructor(
		private readonly server: FastifyInstance,
		/** For the credential of n8n's OpenAI Chat Model. */
		readonly baseUrl: string,
	) {}

	static async start(): Promise<ScriptedModel> {
		const port = await freePort();
		const server = Fastify();
		const model = new ScriptedModel(server, `http://${LOOPBACK}:${port}/v1`);
		server.post<{ Body: ChatRequest }>('/v1/chat/completions', async (request, reply) => {
			const answer = model.answer(request.body);
			if (request.body.stream !== true) return completion(answer);
			return await reply.type('text/event-stream').send(asStream(answer));
		});
		await server.listen({ port, host: LOOPBACK });
		return model;
	}

	/** Forgets what was asked, and does this from now on. */
	play(turns: Turn[]): void {
		this.turns = [...turns];
		this.requests.length = 0;
	}

	/** The tools of the last request. */
	get tools(): ToolSchema[] {
		return (this.requests.at(-1)?.tools ?? []).map((tool) => tool.function);
	}

	/** What the model was told to be and do. */
	get instructions(): string {
		const { messages = [] } = this.requests.at(-1) ?? {};
		return messages.find(({ role }) => role === 'system')?.content ?? '';
	}

	/** What the tools answered, in order. */
	get toolResults(): string[] {
		const { messages = [] } = this.requests.at(-1) ?? {};
		return messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
	}

	async close(): Promise<void> {
		await this.server.close();
	}

	private answer(request: ChatRequest): Turn {
		this.requests.push(request);
		return this.turns.shift() ?? { say: 'Nothing left to do.' };
	}
}

/** `choices[0].message` of OpenAI's chat completions. */
const message = (turn: Turn) =>
	'say' in turn
		? { role: 'assistant', content: turn.say }
		: {
				role: 'assistant',
				content: null,
				tool_calls: [
					{
						index: 0,
						// n8n tells calls apart by it.
						id: `call_${randomUUID()}`,
						type: 'function',
						function: { name: turn.call, arguments: JSON.stringify(turn.with) },
					},
				],
			};

const frame = (object: string) => ({ id: 'chatcmpl-1', object, created: 0, model: 'scripted' });

const completion = (turn: Turn) => ({
	...frame('chat.completion'),
	choices: [{ index: 0, message: message(turn), finish_reason: reason(turn) }],
	usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
});

const reason = (turn: Turn): string => ('say' in turn ? 'stop' : 'tool_calls');

function asStream(turn: Turn): string {
	const chunk = (delta: object, finish_reason: string | null) => ({
		...frame('chat.completion.chunk'),
		choices: [{ index: 0, delta, finish_reason }],
	});
	return [chunk(message(turn), null), chunk({}, reason(turn))]
		.map((part) => `data: ${JSON.stringify(part)}\n\n`)
		.concat('data: [DONE]\n\n')
		.join('');
}

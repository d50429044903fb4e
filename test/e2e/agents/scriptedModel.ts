import { randomUUID } from 'node:crypto';
import { json } from 'node:stream/consumers';

import type { ToolSchema } from '../../docs/agentTools';
import { loopbackServer } from '../../../platform/support/loopbackServer';

interface ChatRequest {
	stream?: boolean;
	messages: Array<{ role: string; content: string }>;
	tools?: Array<{ function: ToolSchema }>;
}

/** The model's next step: it calls a tool, or answers and ends. */
export type Turn = { call: string; with: object } | { say: string };

export type ScriptedModel = Awaited<ReturnType<typeof scriptedModel>>;

/** An OpenAI-compatible model on loopback that follows a script. */
export async function scriptedModel() {
	let turns: Turn[] = [];
	let asked: ChatRequest = { messages: [] };
	const server = await loopbackServer(async (request, response) => {
		asked = (await json(request)) as ChatRequest;
		const turn = turns.shift() ?? { say: 'Nothing left to do.' };
		const type = asked.stream ? 'text/event-stream' : 'application/json';
		response.setHeader('content-type', type);
		response.end(asked.stream ? asStream(turn) : JSON.stringify(completion(turn)));
	});
	const said = (by: string): string[] =>
		asked.messages.filter(({ role }) => role === by).map(({ content }) => content);
	return {
		/** For the credential of n8n's OpenAI Chat Model. */
		baseUrl: `http://${server.address}/v1`,
		/** Drops the last request, and follows this script from now on. */
		play: (next: Turn[]) => {
			turns = [...next];
			asked = { messages: [] };
		},
		/** The tools of the last request. */
		tools: () => (asked.tools ?? []).map((tool) => tool.function),
		/** The system messages of the last request. */
		instructions: () => said('system').join('\n'),
		/** The tools' answers, in order. */
		toolResults: () => said('tool'),
		close: server.close,
	};
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
						// n8n distinguishes calls by this id.
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

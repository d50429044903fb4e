import {
	byId,
	runOperation,
	type StubAnswer,
	stubApi,
	type StubRequest,
	withLeastWaits,
} from '../../support/engine';
import { textOf } from '../../support/repository';

withLeastWaits();

const DONE: StubAnswer = [200, { data: { id: 'ord_1', sku: 'A' } }];
const REFUSED: StubAnswer = [422, {}];
const LOST = 'ECONNRESET';
const NOTE = {
	orderId: byId('={{ $json.order ?? "ord_1" }}'),
	updateFields: { merchant_note: '={{ $json.note }}' },
};
const TWICE = { retryOnFail: { maxTries: 2 }, onError: 'continueRegularOutput' } as const;
const ONE_ATTEMPT = { requestOptions: { maxRetryWait: 0 } };

const keyOf = ({ headers }: StubRequest) => headers['idempotency-key'];
const notesOf = (sent: StubRequest[]) =>
	sent.map(({ body }) => (body as { merchant_note: string }).merchant_note);

/** Trials by the sentence of docs/writes.md that each tests. */
const TRIALS: Record<string, () => Promise<void>> = {
	'Every write carries an `Idempotency-Key`, the same over all tries of that write.': async () => {
		const sent = stubApi({ '*': [[503], LOST, DONE] });
		const parameters = { ...NOTE, ...ONE_ATTEMPT };
		await runOperation('order.update', parameters, { ...TWICE, items: [{ note: 'a' }] });
		await runOperation('order.update', NOTE, { ...TWICE, items: [{ note: 'a' }] });
		const keys = sent.map(keyOf);
		expect(keys[0]).toMatch(/^[\w-]{43}$/);
		expect(keys[1]).toBe(keys[0]);
	},
	'No two writes of one run share a key, and your own key belongs to one item of a run.':
		async () => {
			const sent = stubApi({ '*': [DONE] });
			const items = [{ note: 'a' }, { note: 'a' }];
			await runOperation('order.update', NOTE, { items });
			expect(new Set(sent.map(keyOf)).size).toBe(2);
			const ownKey = { ...NOTE, requestOptions: { idempotencyKey: 'mine' } };
			const { error } = await runOperation('order.update', ownKey, { items });
			expect(error?.message).toContain('is used for two items of this run');
			expect(sent).toHaveLength(2);
		},
	'Writes to one record go one after the other, in the order of the input if the rows name it alike.':
		async () => {
			let underWay = 0;
			let most = 0;
			const sent = stubApi({
				'*': async () => {
					most = Math.max(most, ++underWay);
					await new Promise((resolve) => setTimeout(resolve, 2));
					underWay--;
					return DONE;
				},
			});
			const notes = ['a', 'b', 'c', 'd', 'e'];
			await runOperation('order.update', NOTE, { items: notes.map((note) => ({ note })) });
			expect(most).toBe(1);
			expect(notesOf(sent)).toEqual(notes);
		},
	'With *Retry On Fail*, an item that is done is not sent again.': async () => {
		const sent = stubApi({ '*': [REFUSED, DONE] });
		const items = [
			{ order: 'ord_1', note: 'a' },
			{ order: 'ord_2', note: 'b' },
		];
		const { failures } = await runOperation('order.update', NOTE, { ...TWICE, items });
		expect(failures).toEqual([undefined, undefined]);
		expect(notesOf(sent).sort()).toEqual(['a', 'a', 'b']);
	},
	'A write that may have been applied is only sent again as it was, whatever its expressions return by then.':
		async () => {
			const sent = stubApi({ '*': [LOST, DONE] });
			const parameters = { ...NOTE, updateFields: { merchant_note: '={{ Math.random() }}' } };
			jest.spyOn(Math, 'random').mockReturnValueOnce(0.25).mockReturnValue(0.75);
			await runOperation('order.update', { ...parameters, ...ONE_ATTEMPT }, TWICE);
			expect(sent).toHaveLength(2);
			expect(sent[1].text).toBe(sent[0].text);
			expect(keyOf(sent[1])).toBe(keyOf(sent[0]));
		},
	'A failed update is not sent again if a later row updated the same ID or name; an added note is.':
		async () => {
			for (const second of [DONE, LOST]) {
				const sent = stubApi({ '*': [REFUSED, second, DONE] });
				const parameters = { ...NOTE, ...ONE_ATTEMPT };
				const items = [{ note: 'a' }, { note: 'b' }];
				const { failures } = await runOperation('order.update', parameters, { ...TWICE, items });
				expect(failures[0]?.message).toContain('was overtaken: row 2');
				expect(notesOf(sent)[0]).toBe('a');
				expect(notesOf(sent).slice(1)).not.toContain('a');
			}
		},
	'An *Expected Version* or *Idempotency Key* whose expression returns nothing is refused, not left out.':
		async () => {
			const sent = stubApi({ '*': [DONE] });
			const level = { sku: 'A', locationId: 'sloc_1', quantity: 1 };
			for (const guard of [
				{ options: { ifMatch: '={{ $json.none }}' } },
				{ requestOptions: { idempotencyKey: '={{ $json.none }}' } },
			]) {
				const { error } = await runOperation('inventory.set', { ...level, ...guard });
				expect(error?.description).toContain('the write would go out unguarded');
			}
			expect(sent).toEqual([]);
		},
	'A write that was answered as done is not called failed; one that may have been applied says so.':
		async () => {
			stubApi({ '*': [[204], LOST] });
			const items = [
				{ order: 'ord_1', note: 'a' },
				{ order: 'ord_2', note: 'b' },
			];
			const more = { items, onError: 'continueRegularOutput' } as const;
			const { json, failures } = await runOperation(
				'order.update',
				{ ...NOTE, requestOptions: { maxRetryWait: 0, maxRequestsAtOnce: 1 } },
				more,
			);
			expect(json[0]).toMatchObject({ success: true });
			expect(failures[1]?.description).toContain('The platform may have done it all the same');
		},
};

describe('docs/writes.md says of writes:', () => {
	const [list] = textOf('docs/writes.md').split('\n## ');
	const sentences = [...list.matchAll(/^\d+\. (.*)$/gm)].map(([, sentence]) => sentence);

	it('eight sentences, each with its trial', () => {
		expect(sentences).toEqual(Object.keys(TRIALS));
		expect(sentences).toHaveLength(8);
	});

	it.each(sentences)('%s', async (sentence) => await TRIALS[sentence]());
});

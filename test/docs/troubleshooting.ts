import { REASONS } from '../../nodes/CommercePlatformTrigger/verifyDelivery';
import { CommercePlatformApi } from '../../credentials/CommercePlatformApi.credentials';
import { fieldErrors } from './fieldErrors';
import { table, withPart } from '../../platform/support/markdown';
import { REMARKS } from './remarks';
import { networkErrors, problems, refusals } from './requestErrors';
import { SourceTexts } from './sourceTexts';

/** The line that n8n shows below a message of the credential that has no remedy. */
const OTHERWISE = 'Correct it in the credential.';

const HEAD = ['What you read', 'What it means, and what to do'];

const NETWORK_HEAD = ['Reason', 'Code', 'Sent again', 'A write may be applied', 'What to do'];

/** Replaces all messages in the document, made from the code. */
export function withErrors(text: string): string {
	const source = new SourceTexts();
	const parts: Array<[string, string]> = [
		['credential test', table(HEAD, credentialTest())],
		['credential fields', table(HEAD, credentialFields(source))],
		['refusals', table(['Answer', ...HEAD], refusals())],
		['problems', table(HEAD, problems())],
		['network reasons', table(NETWORK_HEAD, networkErrors())],
		['field errors', table(HEAD, fieldErrors(source))],
		['publishing', table(HEAD, publishing(source))],
		['refused deliveries', table(['Status', 'Reason', HEAD[1]], refusedDeliveries())],
	];
	return parts.reduce((done, [name, part]) => withPart(done, name, part), text);
}

/** Answers to deliveries that start no execution, in the order of their remarks: status, reason, remedy. */
function refusedDeliveries(): string[][] {
	const all = Object.keys(REMARKS.deliveries);
	const reasons = Object.entries<number>(REASONS).sort(
		([one], [other]) => all.indexOf(one) - all.indexOf(other),
	);
	return reasons.map(([reason, status]) => [String(status), reason, REMARKS.deliveries[reason]]);
}

/** Splits a text of several sentences: the first says what happened, the others what to do. */
function inTwo(text: string): string[] {
	const end = text.search(/(?<!e\.g)\. /) + 1;
	return end === 0 ? [text, OTHERWISE] : [text.slice(0, end), text.slice(end + 1)];
}

function credentialTest(): string[][] {
	const { rules = [] } = new CommercePlatformApi().test;
	const messages = rules.map(({ properties }) => properties.message);
	return [...new Set(messages)].map(inTwo);
}

function credentialFields(source: SourceTexts): string[][] {
	return source
		.constructions('CredentialError')
		.flatMap(([message]) => source.of(message))
		.map(inTwo);
}

/** Errors, other than those of its fields, that prevent publishing a trigger. */
function publishing(source: SourceTexts): string[][] {
	const addresses = source
		.objects('message', 'remedy')
		.flatMap((one) => pairs(source.property(one, 'message'), source.property(one, 'remedy')));
	const others = source
		.constructions('NodeOperationError')
		.flatMap(([, message, options]) =>
			pairs(source.of(message), source.property(options, 'description')),
		)
		.filter(([message]) => message !== '…' && message !== '');
	return [...addresses, ...others];
}

const pairs = (messages: string[], remedies: string[]): string[][] =>
	messages.map((message) => [message, remedies.join(' ')]);

const REDIRECT = 300;
const REFUSED = 400;
const FAILED = 500;

/** The colour of a status; 0 is no answer. */
export function answerTone(status) {
	if (status === 0 || status >= FAILED) return 'bad';
	if (status >= REFUSED) return 'warn';
	return status >= REDIRECT ? 'none' : 'good';
}

/** The colour of a record's state. */
const STATES = {
	created: 'warn',
	paid: 'good',
	fulfilled: 'info',
	cancelled: 'none',
	published: 'good',
	draft: 'none',
	delivered: 'good',
	pending: 'warn',
	dead: 'bad',
	enabled: 'good',
	disabled: 'none',
};

export const stateTone = (state) => STATES[state] ?? 'none';

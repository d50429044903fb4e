import { openPoint } from './openPoint';

/** Errors: shape, codes and statuses that the document leaves open. */
export const errorPoints = {
	errorShape: openPoint(
		'Shape of the error body: not shown',
		{
			nested: '`{ error: { code, message } }`',
			flat: '`{ code, message }`',
			word: '`{ error: "CODE", message }`',
			type: '`{ error: { type: "CODE", message } }`',
			camel: '`{ errorCode, errorMessage }`',
			list: '`{ errors: [{ code, detail }] }`',
			problem: '`{ type, title, status, detail, code }`',
			deep: '`{ status, error: { details: { reason: { code, message } } } }`',
			envelope: '`{ type: "error", error: { code, message } }`',
			reason: '`{ statusCode, error: "Conflict", message }`, without codes',
			address: '`{ type: "https://…/conflict", title, status, detail }`, without codes',
		},
		'list',
	),
	requestId: openPoint(
		'Place of request_id in the response: not shown',
		{
			nested: 'beside the code',
			top: 'at the top of the body',
			meta: '`meta.request_id`',
			header: 'in the header X-Request-Id only',
			absent: 'nowhere',
		},
		'meta',
	),
	errorCodes: openPoint(
		'Codes … for authentication failure, missing scope, unknown resource and server faults: not shown',
		{
			words: 'UNAUTHORIZED, NOT_FOUND, …',
			lower: 'unauthorized, not_found, …; codes that the document shows stay as shown',
			onlyShown: 'only the codes that the document shows are given',
			absent: 'no error has a code: the status alone tells',
		},
		'absent',
	),
	authenticationFailure: openPoint(
		'… statuses for authentication failure …: not shown',
		{ unauthorized: '401', forbidden: '403', badRequest: '400' },
		'forbidden',
	),
	missingScope: openPoint(
		'… statuses for … missing scope …: not shown',
		{ forbidden: '403', unauthorized: '401', notFound: '404' },
		'unauthorized',
	),
	unknownResource: openPoint(
		'… statuses for … unknown resource …: not shown',
		{ notFound: '404', gone: '410', badRequest: '400' },
		'gone',
	),
};

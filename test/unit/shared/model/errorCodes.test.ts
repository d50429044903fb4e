import { documentedCode, isKindOf409 } from '../../../../nodes/shared/errors/errorBody';

it.each([
	['CONFLICT', 'CONFLICT'],
	['conflict', 'CONFLICT'],
	['invalid-state.transition', 'INVALID_STATE_TRANSITION'],
	['InvalidStateTransition', 'INVALID_STATE_TRANSITION'],
	['Invalid_Parameter', 'INVALID_PARAMETER'],
	['CONFLICTS', undefined],
	['STATE_CONFLICT', undefined],
	['', undefined],
	[undefined, undefined],
])('of %j the API document’s code is %j', (code, documented) => {
	expect(documentedCode(code)).toBe(documented);
});

it.each([
	[{ status: 409, code: 'CONFLICT' }, true],
	[{ status: 409 }, true],
	[{ status: 409, code: 'https://errors.example/stale' }, true],
	[{ status: 409, code: 'urn:problem:stale' }, true],
	[{ status: 409, code: 'tag:errors.example,2026:stale' }, true],
	[{ status: 409, code: 'stock:locked' }, false],
	[{ status: 409, code: 'INVALID_STATE_TRANSITION' }, false],
	[{ status: 409, code: 'see https://errors.example' }, false],
	[{ status: 400, code: 'CONFLICT' }, false],
	[{ code: 'CONFLICT' }, false],
	[{}, false],
])('whether %j is a conflict: %j', (details, expected) => {
	expect(isKindOf409('CONFLICT', details)).toBe(expected);
});

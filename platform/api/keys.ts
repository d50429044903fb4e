import { randomBytes } from 'node:crypto';

import { DOCUMENTED_SCOPES } from '../support/documented';
import { Refusal } from '../shop/refusal';
import type { Plan } from '../plans';

/** Scopes that exist (Authentication). The API document does not name the scope for payments. */
const SCOPES: readonly string[] = [...DOCUMENTED_SCOPES, 'payments.refund'];

/** Scopes that only some dialects need; a key has them only if it is created with them. */
const RARE_SCOPES: readonly string[] = ['account.read'];

export interface NewKey {
	/** The name in the back office; "Key 1" and so on if absent. */
	name?: string;
	/** A random one if absent. */
	secret?: string;
	/** All if absent. */
	scopes?: readonly string[];
	/** The platform's plan (and its overridden budgets) if absent. */
	plan?: Plan;
}

export type ApiKey = NewKey & { id: string; name: string; secret: string; scopes: string[] };

/** The API keys of the platform. A reset keeps them. */
export class Keys {
	private readonly bySecret = new Map<string, ApiKey>();

	/** @throws RangeError for a scope that does not exist. */
	create({ name, secret, scopes = SCOPES, plan }: NewKey = {}): ApiKey {
		const unknownScope = scopes.find((scope) => ![...SCOPES, ...RARE_SCOPES].includes(scope));
		if (unknownScope !== undefined) throw new RangeError(`There is no scope ${unknownScope}`);
		const key = {
			id: `key_${randomBytes(6).toString('hex')}`,
			name: name ?? `Key ${this.bySecret.size + 1}`,
			secret: secret ?? `cpk_${randomBytes(20).toString('hex')}`,
			scopes: [...scopes],
			plan,
		};
		this.bySecret.set(key.secret, key);
		return key;
	}

	all(): ApiKey[] {
		return [...this.bySecret.values()];
	}

	/** @returns whether there was such a key. */
	revoke(secret: string): boolean {
		return this.bySecret.delete(secret);
	}

	/**
	 * The key of a request (Authentication 1: `Authorization: Bearer <API_KEY>`).
	 *
	 * @throws Refusal UNAUTHORIZED.
	 */
	authenticate(authorization: string | undefined): ApiKey {
		const secret = /^Bearer ([\x21-\x7e]+)$/i.exec(authorization ?? '')?.[1];
		const key = secret === undefined ? undefined : this.bySecret.get(secret);
		if (key) return key;
		const headers = { 'www-authenticate': 'Bearer' };
		throw new Refusal('UNAUTHORIZED', 'The API key is missing or unknown', headers);
	}
}

import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** The workflow and the address that a memory belongs to. Nobody else can read its sealed texts. */
export interface Scope {
	workflowId: string;
	address: string;
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts secrets (AES-256-GCM) for one workflow and webhook address, with a key of the credential, which n8n itself
 * keeps encrypted. n8n copies static data with a workflow: into exports, duplicates and imports. There nobody can open a
 * sealed secret without the credential.
 */
export class Seals {
	/** The keys that open, as base64; the first one seals. None before the credential is read. */
	private keys: string[] = [];
	private readonly scope: Buffer;
	/** What was opened or could not be opened, by its sealed text. Opening costs more than all else of a delivery. */
	private readonly opened = new Map<string, { text: string; key: string } | undefined>();
	/** New seals of what an earlier key had sealed. */
	private readonly renewals = new Map<string, string>();

	constructor(private readonly place: Scope) {
		this.scope = Buffer.from(JSON.stringify([place.workflowId, place.address]));
	}

	/** @param materials texts that only n8n's credential holds; the first that is not empty seals from now on */
	useKeys(materials: unknown[]): void {
		const label = 'n8n-nodes-commerce-platform endpoint secret';
		const { workflowId } = this.place;
		this.keys = materials
			.filter((material) => typeof material === 'string' && material !== '')
			.map((material) =>
				Buffer.from(hkdfSync('sha256', String(material), workflowId, label, 32)).toString('base64'),
			);
		this.renewals.clear();
		for (const [sealed, secret] of this.opened) if (!secret) this.opened.delete(sealed);
	}

	seal(text: string): string {
		const [key] = this.keys;
		const nonce = randomBytes(NONCE_BYTES);
		const cipher = createCipheriv('aes-256-gcm', Buffer.from(key, 'base64'), nonce);
		cipher.setAAD(this.scope);
		const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
		const sealed = Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64');
		this.opened.set(sealed, { text, key });
		return sealed;
	}

	/** Whether the present keys were tried on a sealed text. */
	hasTried(sealed: string): boolean {
		return this.opened.has(sealed);
	}

	/** @returns undefined if the text was sealed for another scope or with another key, or is not sealed */
	unseal(sealed: string): string | undefined {
		if (!this.opened.has(sealed)) this.opened.set(sealed, this.open(Buffer.from(sealed, 'base64')));
		return this.opened.get(sealed)?.text;
	}

	/** The same text under the present key, if an earlier key had sealed it and it was opened. */
	renewed(sealed: string): string {
		const secret = this.opened.get(sealed);
		if (secret === undefined || secret.key === this.keys[0]) return sealed;
		const renewal = this.renewals.get(sealed) ?? this.seal(secret.text);
		this.renewals.set(sealed, renewal);
		return renewal;
	}

	private open(bytes: Buffer): { text: string; key: string } | undefined {
		const nonce = bytes.subarray(0, NONCE_BYTES);
		const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
		const body = bytes.subarray(NONCE_BYTES + TAG_BYTES);
		const options = { authTagLength: TAG_BYTES };
		for (const key of this.keys) {
			try {
				const secret = Buffer.from(key, 'base64');
				const decipher = createDecipheriv('aes-256-gcm', secret, nonce, options);
				decipher.setAAD(this.scope).setAuthTag(tag);
				return {
					text: `${decipher.update(body, undefined, 'utf8')}${decipher.final('utf8')}`,
					key,
				};
			} catch {
				// Sealed with another key, or not sealed at all.
			}
		}
		return undefined;
	}
}

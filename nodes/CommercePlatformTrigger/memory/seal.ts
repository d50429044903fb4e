import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** Encrypts what is kept in static data, for one place only. */
export interface Seal {
	seal(text: string): string;
	/** @returns undefined if the text was sealed for another place, or was not sealed at all */
	unseal(sealed: string): string | undefined;
}

/** Where a sealed text can be read. */
export interface SealPlace {
	/** n8n's own id of the instance, the same in all its processes. */
	instanceId: string;
	workflowId: string;
	address: string;
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Opened secrets that a seal keeps at most. An address never has so many. */
const MAX_OPENED = 32;

/** A seal that remembers what it has opened, since every delivery needs the same secrets. */
export function remembering(seal: Seal): Seal {
	const opened = new Map<string, string>();
	return {
		seal: (text) => seal.seal(text),
		unseal: (sealed) => {
			const known = opened.get(sealed);
			if (known !== undefined) return known;
			const text = seal.unseal(sealed);
			if (opened.size >= MAX_OPENED) opened.clear();
			if (text !== undefined) opened.set(sealed, text);
			return text;
		},
	};
}

/**
 * A seal (AES-256-GCM) for one n8n instance, workflow and webhook address. n8n copies static data with a
 * workflow, into exports, duplicates and imports. There a sealed secret cannot be read at a glance, and no
 * trigger can use it. A seal does not protect from someone who has the database and the instance's id.
 */
export function sealFor({ instanceId, workflowId, address }: SealPlace): Seal {
	const label = 'n8n-nodes-commerce-platform endpoint secret';
	const key = Buffer.from(hkdfSync('sha256', instanceId, workflowId, label, 32));
	const place = Buffer.from(JSON.stringify([workflowId, address]));
	return {
		seal: (text) => {
			const nonce = randomBytes(NONCE_BYTES);
			const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(place);
			const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
			return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64');
		},
		unseal: (sealed) => {
			const bytes = Buffer.from(sealed, 'base64');
			if (bytes.length <= NONCE_BYTES + TAG_BYTES) return undefined;
			const nonce = bytes.subarray(0, NONCE_BYTES);
			const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
			const body = bytes.subarray(NONCE_BYTES + TAG_BYTES);
			try {
				const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
					.setAAD(place)
					.setAuthTag(tag);
				return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
			} catch {
				return undefined;
			}
		},
	};
}

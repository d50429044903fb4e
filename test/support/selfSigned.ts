import { generateKeyPairSync, sign } from 'node:crypto';

/** One value of DER, by its tag. */
function der(tag: number, ...parts: Buffer[]): Buffer {
	const content = Buffer.concat(parts);
	const { length } = content;
	const head =
		length < 0x80
			? [tag, length]
			: length < 0x100
				? [tag, 0x81, length]
				: [tag, 0x82, length >> 8, length & 0xff];
	return Buffer.concat([Buffer.from(head), content]);
}

const sequence = (...parts: Buffer[]) => der(0x30, ...parts);
const time = (ms: number) =>
	der(0x17, Buffer.from(`${new Date(ms).toISOString().replaceAll(/[-:T]/g, '').slice(2, 14)}Z`));

/** ecdsa-with-SHA256 */
const ALGORITHM = sequence(Buffer.from('06082a8648ce3d040302', 'hex'));
/** The subject's common name, and the subject's other names. */
const [COMMON_NAME, OTHER_NAMES] = ['0603550403', '0603551d11'].map((hex) =>
	Buffer.from(hex, 'hex'),
);

const DAY_MS = 86_400_000;

/**
 * A key and a self-signed certificate for a host, for a test's server.
 *
 * @param fromMs when it becomes valid, for two days; Unix ms
 */
export function selfSigned(
	host: string,
	fromMs = Date.now() - DAY_MS,
): { key: string; cert: string } {
	const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
	const name = sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from(host)))));
	const names = sequence(OTHER_NAMES, der(0x04, sequence(der(0x82, Buffer.from(host)))));
	const content = sequence(
		der(0xa0, der(0x02, Buffer.from([2]))),
		der(0x02, Buffer.from([1])),
		ALGORITHM,
		name,
		sequence(time(fromMs), time(fromMs + 2 * DAY_MS)),
		name,
		publicKey.export({ type: 'spki', format: 'der' }),
		der(0xa3, sequence(names)),
	);
	const signature = der(0x03, Buffer.from([0]), sign('sha256', content, privateKey));
	const encoded = sequence(content, ALGORITHM, signature).toString('base64');
	const lines = encoded.match(/.{1,64}/g) ?? [];
	const cert = ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join(
		'\n',
	);
	return { key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), cert };
}

import { LOOPBACK } from '../../../platform/support/ports';

/** The user's settings on this machine that must not reach an n8n of a test. */
const FOREIGN_SETTINGS =
	/^(npm_|N8N_|DB_|QUEUE_|EXECUTIONS_|WEBHOOK_URL$|NODE_OPTIONS$|NODE_TEST_CONTEXT$|INIT_CWD$)/i;

/** Parts of n8n that call outside addresses or only cost memory; all are switched off. */
const SWITCHED_OFF = [
	'N8N_DIAGNOSTICS_ENABLED',
	'N8N_VERSION_NOTIFICATIONS_ENABLED',
	'N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED',
	'N8N_DYNAMIC_BANNERS_ENABLED',
	'N8N_TEMPLATES_ENABLED',
	'N8N_PERSONALIZATION_ENABLED',
	'N8N_HIRING_BANNER_ENABLED',
	'N8N_LICENSE_AUTO_RENEW_ENABLED',
	'N8N_AI_ENABLED',
	'N8N_VERIFIED_PACKAGES_ENABLED',
];

interface EnvironmentOptions {
	/** Folder for `.n8n`: settings, database, installed packages. */
	userFolder: string;
	/** Port of the editor, the REST API and the webhooks. */
	port: number;
	/** Port of the task broker; every n8n process needs its own. */
	brokerPort: number;
	/** The same for all processes of one instance. */
	encryptionKey: string;
}

/** The user's own variables, without those that match the pattern: they would change how npm or n8n works. */
export const environmentWithout = (names: RegExp): Record<string, string> =>
	Object.fromEntries(
		Object.entries(process.env as Record<string, string>).filter(([name]) => !names.test(name)),
	);

/** The environment of an n8n that listens on loopback only and calls no outside host. */
export function quietEnvironment(options: EnvironmentOptions): Record<string, string> {
	return {
		...environmentWithout(FOREIGN_SETTINGS),
		...Object.fromEntries(SWITCHED_OFF.map((name) => [name, 'false'])),
		NODE_ENV: 'production',
		N8N_USER_FOLDER: options.userFolder,
		N8N_PORT: String(options.port),
		N8N_LISTEN_ADDRESS: LOOPBACK,
		N8N_WEBHOOK_URL: `http://${LOOPBACK}:${options.port}/`,
		N8N_EDITOR_BASE_URL: `http://${LOOPBACK}:${options.port}/`,
		N8N_ENCRYPTION_KEY: options.encryptionKey,
		N8N_SECURE_COOKIE: 'false',
		N8N_ENFORCE_SETTINGS_FILE_PERMISSIONS: 'true',
		N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
		N8N_DISABLED_MODULES: 'instance-ai,chat-hub,insights,mcp,mcp-registry,agents',
		N8N_RUNNERS_MODE: 'external',
		N8N_RUNNERS_AUTH_TOKEN: options.encryptionKey,
		N8N_RUNNERS_BROKER_PORT: String(options.brokerPort),
		N8N_RUNNERS_BROKER_LISTEN_ADDRESS: LOOPBACK,
	};
}

import { LOOPBACK } from '../ports';
import type { Postgres } from '../queue/services';

/** Environment variables with which n8n keeps its data in this PostgreSQL. */
export function postgresEnvironment(postgres: Postgres): Record<string, string> {
	return {
		DB_TYPE: 'postgresdb',
		DB_POSTGRESDB_HOST: LOOPBACK,
		DB_POSTGRESDB_PORT: String(postgres.port),
		DB_POSTGRESDB_DATABASE: postgres.database,
		DB_POSTGRESDB_USER: postgres.user,
		DB_POSTGRESDB_PASSWORD: 'trusted',
	};
}

import type { Json } from './values';

export const API_KEY = 'cpk_engine_0123456789abcdef';

/** What a try may change about the adapter while it runs. */
export const settings = {
	/** Whether products can be written in batches ("in development" in the API document). */
	batch: true,
	/** `both`: parcels and refunds have the document's names beside the engine's own. */
	names: 'both' as 'both' | 'engine',
	/** So many of the next writes are applied, and their connection is closed without an answer. */
	dropAnswers: 0,
	/** Where deliveries really go: nothing here speaks HTTPS. */
	webhookOrigin: undefined as string | undefined,
};

/** What the adapter was asked since the log was cleared. */
export const requests: Array<{ method: string; path: string; body?: Json; status: number }> = [];

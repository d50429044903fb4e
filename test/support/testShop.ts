/** The shop's address in tests without a server. */
export const ORIGIN = 'https://api.shop.example';

export const BASE_URL = `${ORIGIN}/v1`;

export const API_KEY = 'cpk_test_0123456789';

/** The shop that tests without a server speak of. */
export const ORIGIN = 'https://api.shop.example';

export const BASE_URL = `${ORIGIN}/v1`;

export const API_KEY = 'cpk_test_0123456789';

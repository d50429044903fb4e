import { faker as german } from '@faker-js/faker/locale/de';
import { faker as english } from '@faker-js/faker/locale/en';
import { faker as norwegian } from '@faker-js/faker/locale/nb_NO';

/**
 * Vocabulary of the generated shop. Record n picks its words by a hash, so it can be generated without its neighbours.
 */
const { commerce } = english.definitions;

export const STYLES = commerce.product_name.adjective;

export const MATERIALS = commerce.product_name.material;

const LOWEST_CENTS = 950;
const CENTS_APART = 490;

/** A thing, the first part of its SKUs, and its price in euro cents. */
export const THINGS = commerce.product_name.product.map((name, n) => ({
	name,
	code: name.slice(0, 3).toUpperCase(),
	cents: LOWEST_CENTS + n * CENTS_APART,
}));

export const VARIANTS = ['Small', 'Medium', 'Large'];

export const CATEGORY_NAMES = commerce.department;

/** Names come from two countries, so that some are not ASCII. */
const COUNTRIES = [
	{ country: 'DE', ...german.definitions },
	{ country: 'NO', ...norwegian.definitions },
];

/** So many of each that few people share a name. */
const NAMES_PER_COUNTRY = 60;

const takeSome = (names: readonly string[] = []): string[] => names.slice(0, NAMES_PER_COUNTRY);

export const FIRST_NAMES = COUNTRIES.flatMap(({ person }) => takeSome(person.first_name.generic));

export const LAST_NAMES = COUNTRIES.flatMap(({ person }) => takeSome(person.last_name.generic));

export const CITIES = COUNTRIES.flatMap(({ country, location }) =>
	takeSome(location.city_name).map((city) => ({ city, country })),
);

/** Locations of stock (form `sloc_<name>`, Inventory level). */
export const LOCATIONS = ['sloc_main', 'sloc_outlet'] as const;

/** Vocabulary of the generated shop. */
export const STYLES = [
	'Classic',
	'Organic',
	'Recycled',
	'Handmade',
	'Slim',
	'Heavy',
	'Light',
	'Nordic',
	'Vintage',
	'Everyday',
	'Weatherproof',
	'Kids',
	'Travel',
	'Studio',
	'Garden',
	'Alpine',
] as const;

export const MATERIALS = [
	'Cotton',
	'Linen',
	'Wool',
	'Oak',
	'Steel',
	'Ceramic',
	'Leather',
	'Bamboo',
	'Glass',
	'Canvas',
	'Silk',
	'Cork',
	'Copper',
] as const;

/** A thing, the first part of its SKUs, and its price in euro cents. */
export const THINGS = [
	{ name: 'T-Shirt', code: 'TSH', cents: 1990 },
	{ name: 'Hoodie', code: 'HOO', cents: 4990 },
	{ name: 'Mug', code: 'MUG', cents: 1290 },
	{ name: 'Chair', code: 'CHA', cents: 12900 },
	{ name: 'Lamp', code: 'LMP', cents: 6450 },
	{ name: 'Backpack', code: 'BAG', cents: 8900 },
	{ name: 'Notebook', code: 'NTB', cents: 950 },
	{ name: 'Blanket', code: 'BLK', cents: 5490 },
	{ name: 'Bottle', code: 'BTL', cents: 2250 },
	{ name: 'Cutting Board', code: 'CUT', cents: 3400 },
	{ name: 'Scarf', code: 'SCA', cents: 2790 },
] as const;

export const VARIANTS = ['Small', 'Medium', 'Large'] as const;

export const CATEGORY_NAMES = [
	'Clothing',
	'Kitchen',
	'Furniture',
	'Lighting',
	'Bags',
	'Stationery',
	'Bedroom',
	'Outdoor',
	'Gifts',
	'New in',
	'Sale',
	'Accessories',
] as const;

export const FIRST_NAMES = [
	'Ada',
	'Bruno',
	'Chiara',
	'David',
	'Emma',
	'Farid',
	'Greta',
	'Hugo',
	'Ines',
	'Jonas',
	'Kaori',
	'Liam',
	'Mila',
	'Noor',
	'Oskar',
	'Priya',
	'Quentin',
	'Rosa',
	'Søren',
	'Tereza',
] as const;

export const LAST_NAMES = [
	'Almeida',
	'Berg',
	'Castro',
	'Dubois',
	'Eriksen',
	'Fischer',
	'García',
	'Haddad',
	'Ito',
	'Jansen',
	'Kowalska',
	'Lindqvist',
	'Müller',
	'Novák',
	"O'Brien",
	'Petit',
	'Rossi',
	'Sato',
	'Tanaka',
] as const;

export const CITIES = [
	{ city: 'Berlin', country: 'DE' },
	{ city: 'Lyon', country: 'FR' },
	{ city: 'Porto', country: 'PT' },
	{ city: 'Osaka', country: 'JP' },
	{ city: 'Malmö', country: 'SE' },
	{ city: 'Kuwait City', country: 'KW' },
	{ city: 'Kraków', country: 'PL' },
] as const;

/** Where stock lies (form `sloc_<name>`, Inventory level). */
export const LOCATIONS = ['sloc_main', 'sloc_outlet'] as const;

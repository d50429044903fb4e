import type { Extraction } from './fileOfRows';

/** A file, the user's steps with it, the writes that reach the platform, and the report for the user. */
export interface SpreadsheetCase {
	file: string;
	extraction?: Extraction;
	example: { file: string; sample: string };
	/** Fields of an Edit Fields node before the example's rows. */
	columns?: Record<string, string>;
	/** SKUs that the shop has, each as a variant of one product. */
	shopHas?: string[];
	/** Writes that the platform accepted, one per line, sorted. */
	written: string[];
	/** Lines of the report. */
	report: string[];
}

const STOCK = { file: 'stock-from-list.json', sample: 'Sample List' };
const PRICES = { file: 'price-change-from-sheet.json', sample: 'Sample Sheet' };
const BOTH = { file: 'stock-and-prices-from-spreadsheet.json', sample: 'Sample Spreadsheet' };
const BACK = { file: 'catalogue-back-from-spreadsheet.json', sample: 'Sample Sheet' };
const PRODUCTS = { file: 'products-from-shop-export.json', sample: 'Sample Export' };

export const CASES: SpreadsheetCase[] = [
	{
		file: 'shopify-products.csv',
		example: PRODUCTS,
		written: [
			'{"op":"upsert","sku":"MUG-1","handle":"tea-mug","title":"Tea mug","variants":[{"sku":"MUG-1","prices":[{"amount":800,"currency":"EUR"}]}]}',
			'{"op":"upsert","sku":"OC-NAT","handle":"oak-chair","description":"<p>Solid oak</p>","title":"Oak chair","variants":[{"sku":"OC-NAT","title":"Natural","prices":[{"amount":14900,"currency":"EUR"}]},{"sku":"OC-BLK","title":"Black","prices":[{"amount":15900,"currency":"EUR"}]}]}',
		],
		report: [
			'Row 5, SKU "WR-S", handle "wool-rug", price "89.5": Row 6 of the product “wool-rug” cannot be used, so nothing of the product was sent. Correct that row, or remove it.',
			'Row 6, SKU "WR-L", handle "wool-rug", price "dear": \'Input Item: price\' is not an amount. It is "dear". Enter digits, with a point before the decimals and nothing between thousands.',
		],
	},
	{
		file: 'woocommerce-products.csv',
		example: PRODUCTS,
		columns: {
			Handle: '={{ ($json.Parent || $json.SKU).toLowerCase() }}',
			Title: "={{ $json.Type === 'variation' ? '' : $json.Name }}",
			'Variant SKU': "={{ $json.Type === 'variable' ? '' : $json.SKU }}",
			'Option1 Value': "={{ $json.Type === 'variation' ? $json['Attribute 1 value(s)'] : '' }}",
			'Variant Price': "={{ $json['Regular price'] }}",
		},
		written: [
			'{"op":"upsert","sku":"SCARF","handle":"scarf","title":"Wool scarf","variants":[{"sku":"SCARF","prices":[{"amount":2490,"currency":"EUR"}]}]}',
			'{"op":"upsert","sku":"SHIRT-S","handle":"shirt","title":"Linen shirt","variants":[{"sku":"SHIRT-S","title":"S","prices":[{"amount":3900,"currency":"EUR"}]},{"sku":"SHIRT-M","title":"M","prices":[{"amount":3900,"currency":"EUR"}]}]}',
		],
		report: [],
	},
	{
		file: 'google-merchant.tsv',
		extraction: { operation: 'csv', options: { delimiter: '\t' } },
		example: PRODUCTS,
		columns: {
			Handle: '={{ $json.item_group_id }}',
			Title: '={{ $json.title }}',
			'Variant SKU': '={{ $json.id }}',
			'Option1 Value': '={{ $json.size }}',
			'Variant Price': "={{ $json.price.split(' ')[0] }}",
		},
		written: [
			'{"op":"upsert","sku":"LAMP-S","handle":"lamp","title":"Desk lamp","variants":[{"sku":"LAMP-S","title":"S","prices":[{"amount":4500,"currency":"EUR"}]},{"sku":"LAMP-L","title":"L","prices":[{"amount":6000,"currency":"EUR"}]}]}',
			'{"op":"upsert","sku":"VASE","handle":"vase","title":"Vase","variants":[{"sku":"VASE","prices":[{"amount":1900,"currency":"EUR"}]}]}',
		],
		report: [],
	},
	{
		file: 'magento-stock.csv',
		example: STOCK,
		columns: {
			sku: '={{ $json.sku }}',
			location: 'sloc_main',
			quantity: '={{ Number($json.qty) }}',
		},
		shopHas: ['MG-1', 'MG-2', 'MG-3'],
		written: ['"MG-1" at sloc_main: 12'],
		report: [
			'Row 4, SKU "MG-3", quantity "3.5": \'Quantity\' must be a whole number. It is "3.5".',
		],
	},
	{
		file: 'prestashop-prices.csv',
		extraction: { operation: 'csv', options: { delimiter: ';' } },
		example: PRICES,
		columns: {
			sku: '={{ $json.Reference }}',
			price: "={{ $json['Price tax excl.'] }}",
			currency: 'EUR',
		},
		shopHas: ['PS-1', 'PS-2', 'PS-3'],
		written: [
			'PATCH {"variants":[{"title":"PS-1","prices":[],"sku":"PS-1"},{"title":"PS-2","prices":[],"sku":"PS-2"},{"title":"PS-3","prices":[{"amount":650,"currency":"EUR"}],"sku":"PS-3"}]}',
		],
		report: [
			'Row 2, SKU "PS-1", price "4,90", currency "EUR": \'Price\' is not an amount. It is "4,90". Enter digits, with a point before the decimals and nothing between thousands.',
			'Row 3, SKU "PS-2", price "1.204,00", currency "EUR": \'Price\' is not an amount. It is "1.204,00". Enter digits, with a point before the decimals and nothing between thousands.',
		],
	},
	{
		file: 'stock-with-mark.csv',
		example: STOCK,
		shopHas: ['BOM-1', 'BOM-2'],
		written: [],
		report: [
			'Row 2, SKU null, quantity "4": \'SKU\' is empty. Column “\ufeffsku” begins with an invisible mark, which many programs write before a file’s first column: rename it, or read the file without it.',
			'Row 3, SKU null, quantity "5": \'SKU\' is empty. Column “\ufeffsku” begins with an invisible mark, which many programs write before a file’s first column: rename it, or read the file without it.',
		],
	},
	{
		file: 'price-list.csv',
		example: PRICES,
		shopHas: ['PL-1', 'PL-2'],
		written: [
			'PATCH {"variants":[{"title":"PL-1","prices":[{"amount":1400,"currency":"EUR"}],"sku":"PL-1"},{"title":"PL-2","prices":[{"amount":1300,"currency":"EUR"}],"sku":"PL-2"}]}',
		],
		report: [
			'Row 3, SKU "pl-1", price "11.00", currency "EUR": \'SKU\' “pl-1” names no variant of any product. No price was set for it. Check the SKU, upper and lower case included.',
			'Row 7, SKU "PL-404", price "1.00", currency "EUR": \'SKU\' “PL-404” names no variant of any product. No price was set for it. Check the SKU, upper and lower case included.',
		],
	},
	{
		file: 'broken-cells.csv',
		example: BOTH,
		written: [
			'"0042" at sloc_main: 6',
			'"BC-3" at sloc_main: 3',
			'"BC-4" at sloc_main: 4',
			'PATCH {"variants":[{"title":"#N/A","prices":[{"amount":1000,"currency":"EUR"}],"sku":"BC-3"}]}',
			'PATCH {"variants":[{"title":"Rail","prices":[{"amount":1000,"currency":"EUR"}],"sku":"BC-5"}]}',
			'PATCH {"variants":[{"title":"Rod","prices":[{"amount":1000,"currency":"EUR"}],"sku":"0042"}]}',
			'{"op":"upsert","sku":"0042","title":"Rod"}',
			'{"op":"upsert","sku":"BC-3","title":"#N/A"}',
			'{"op":"upsert","sku":"BC-4","title":"Peg"}',
			'{"op":"upsert","sku":"BC-5","title":"Rail"}',
		],
		report: [
			'Row 2, SKU "8.72E+12", title "Shelf": \'SKU\' is "8.72E+12": a spreadsheet has shortened the number, and its digits are lost. Nothing was sent for it. Correct the cell, e.g. by formatting its column as text before the values are entered.',
			'Row 3, SKU "#REF!", title "Hook": \'SKU\' is "#REF!": a formula of the spreadsheet has failed. Nothing was sent for it. Correct the cell, e.g. by formatting its column as text before the values are entered.',
			'Row 5, SKU "BC-4", price "#VALUE!", currency "EUR": \'Price\' is not an amount. It is "#VALUE!". Enter digits, with a point before the decimals and nothing between thousands.',
			'Row 6, SKU "BC-5", stock "#DIV/0!": \'Quantity\' must be a whole number. It is "#DIV/0!".',
			'Blank rows that were skipped: 0',
		],
	},
	{
		file: 'numbers-as-titles.csv',
		example: BOTH,
		written: [
			'"00417" at sloc_main: 2',
			'PATCH {"variants":[{"title":"1984","prices":[{"amount":700,"currency":"EUR"}],"sku":"00417"}]}',
			'PATCH {"variants":[{"title":"2025","prices":[{"amount":710,"currency":"EUR"}],"sku":"00418"}]}',
			'{"op":"upsert","sku":"00417","title":"1984"}',
			'{"op":"upsert","sku":"00418","title":"2025"}',
		],
		report: [],
	},
	{
		file: 'counts-with-dates.csv',
		example: STOCK,
		shopHas: ['CD-1', 'CD-2', 'CD-3'],
		written: ['"CD-1" at sloc_main: 5', '"CD-3" at sloc_main: 7'],
		report: [
			'Row 3, SKU "CD-2", quantity "6", counted_at "45231": \'Updated At\' is not a date. It is 45231, as spreadsheets count days. Format its column as a date, or as text like 2026-01-31.',
		],
	},
	{
		// As docs/bulk.md advises for European files.
		file: 'european.csv',
		extraction: { operation: 'csv', options: { delimiter: ';', encoding: 'latin1' } },
		example: BACK,
		columns: {
			handle: '={{ $json.Artikelnummer.toLowerCase() }}',
			title: '={{ $json.Bezeichnung }}',
			sku: '={{ $json.Artikelnummer }}',
			price: "={{ $json.Preis.replaceAll('.', '').replace(',', '.') }}",
			currency: 'EUR',
			status: "={{ $json.Aktiv === 'ja' ? 'published' : 'draft' }}",
		},
		written: [
			'{"op":"upsert","sku":"EU-1","handle":"eu-1","status":"published","title":"Gem\u00fctlicher Stuhl","variants":[{"sku":"EU-1","prices":[{"amount":123456,"currency":"EUR"}]}]}',
			'{"op":"upsert","sku":"EU-2","handle":"eu-2","status":"draft","title":"Caf\u00e9-Tisch","variants":[{"sku":"EU-2","prices":[{"amount":8990,"currency":"EUR"}]}]}',
		],
		report: [],
	},
	{
		file: 'latin-1.csv',
		example: BOTH,
		written: [
			'"LT-1" at sloc_main: 1',
			'PATCH {"variants":[{"title":"Caf\ufffd table","prices":[{"amount":9900,"currency":"EUR"}],"sku":"LT-1"}]}',
			'{"op":"upsert","sku":"LT-1","title":"Caf\ufffd table"}',
		],
		report: [
			'Row 3, SKU "M\ufffd-2", title "Stool": \'SKU\' is "M\ufffd-2": the file was read in another encoding than it was written in. Nothing was sent for it. Correct the cell, e.g. by formatting its column as text before the values are entered.',
			'Blank rows that were skipped: 0',
		],
	},
	{
		file: 'stock.xlsx',
		extraction: { operation: 'xlsx' },
		example: BOTH,
		written: [
			'"4711" at sloc_main: 3',
			'"XL-3" at sloc_main: 1',
			'PATCH {"variants":[{"title":"Bench","prices":[{"amount":12000,"currency":"EUR"}],"sku":"4711"}]}',
			'PATCH {"variants":[{"title":"Crate","prices":[{"amount":1550,"currency":"EUR"}],"sku":"XL-2"}]}',
			'{"op":"upsert","sku":"4711","title":"Bench"}',
			'{"op":"upsert","sku":"XL-2","title":"Crate"}',
			'{"op":"upsert","sku":"XL-3","title":"Box"}',
		],
		report: [
			`Row 4, SKU "XL-3", price 9.999, currency "EUR": 'Price' is too precise for EUR, which has 2 decimals. It is 9.999. Add the option 'Round to the Currency', or round it in the expression, e.g. {{ (19.99 * 1.05).toFixed(2) }}.`,
			'Blank rows that were skipped: 0',
		],
	},
];

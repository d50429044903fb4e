/**
 * Digits behind the decimal point of every currency of ISO 4217, by which minor units are counted (API
 * document, "Conventions": amounts are integers in minor units). Currencies withdrawn lately are kept, since
 * old orders carry them. Codes for metals, baskets and tests have no minor unit and are left out.
 */
const CODES_BY_EXPONENT: Readonly<Record<number, string>> = {
	0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
	2: `AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF
		CHE CHF CHW CNY COP COU CRC CUC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ
		GYD HKD HNL HRK HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD
		MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD
		RUB SAR SBD SCR SDG SEK SGD SHP SLE SLL SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH
		USD USN UYU UZS VED VES WST XAD XCD XCG YER ZAR ZMW ZWG ZWL`,
	3: 'BHD IQD JOD KWD LYD OMR TND',
	4: 'CLF UYW',
};

const EXPONENTS: ReadonlyMap<string, number> = new Map(
	Object.entries(CODES_BY_EXPONENT).flatMap(([exponent, codes]) =>
		codes.split(/\s+/).map((code) => [code, Number(exponent)] as const),
	),
);

/** Every code of the table, in alphabetical order. */
export const CURRENCY_CODES: readonly string[] = [...EXPONENTS.keys()].sort();

/**
 * How many digits a currency has behind the decimal point.
 *
 * @param code in upper case
 * @returns 0, 2, 3 or 4; undefined for a code that ISO 4217 does not give a minor unit
 */
export function currencyExponent(code: string): number | undefined {
	return EXPONENTS.get(code);
}

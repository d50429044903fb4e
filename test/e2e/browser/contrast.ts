import type { Page } from 'playwright-core';

/** The least contrast between text and its background (WCAG 2.2, level AA). */
const LEAST = 4.5;

/** Texts of the page with too little contrast to their background, with the contrast. */
export async function faintTexts(page: Page): Promise<string[]> {
	// tsx wraps named functions in a helper that the page does not have.
	await page.evaluate('globalThis.__name = (named) => named');
	return await page.evaluate((least) => {
		type Colour = [red: number, green: number, blue: number, alpha: number];
		const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })!;
		const read = (css: string): Colour => {
			canvas.clearRect(0, 0, 1, 1);
			canvas.fillStyle = css;
			canvas.fillRect(0, 0, 1, 1);
			const [red, green, blue, alpha] = canvas.getImageData(0, 0, 1, 1).data;
			return [red, green, blue, alpha];
		};
		const behind = (element: Element | null): Colour => {
			if (element === null) return [255, 255, 255, 255];
			const colour = read(getComputedStyle(element).backgroundColor);
			return colour[3] > 0 ? colour : behind(element.parentElement);
		};
		const luminance = (colour: Colour): number => {
			const [red, green, blue] = colour.map((part) => {
				const share = part / 255;
				return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
			});
			return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
		};
		const faint: string[] = [];
		for (const element of Array.from(document.querySelectorAll('body *'))) {
			const text = Array.from(element.childNodes)
				.filter(({ nodeType }) => nodeType === Node.TEXT_NODE)
				.map(({ textContent }) => textContent?.trim())
				.join('');
			if (text === '' || !element.checkVisibility()) continue;
			const [one, other] = [read(getComputedStyle(element).color), behind(element)]
				.map(luminance)
				.sort((a, b) => b - a);
			const contrast = (one + 0.05) / (other + 0.05);
			if (contrast < least) faint.push(`${text.slice(0, 30)}: ${contrast.toFixed(1)}`);
		}
		return faint;
	}, LEAST);
}

import type { Page } from 'playwright-core';

/** Roles that need a name: users operate them, or find them only by name (WCAG 2.2, 4.1.2 and 1.1.1). */
const NEED_A_NAME = new Set([
	'button',
	'checkbox',
	'combobox',
	'image',
	'link',
	'log',
	'meter',
	'navigation',
	'region',
	'searchbox',
	'spinbutton',
	'switch',
	'table',
	'textbox',
]);

/** Of these roles, a screen reader user cannot distinguish two with the same name. */
const OPERATED = new Set(['button', 'checkbox', 'combobox', 'searchbox', 'spinbutton', 'switch']);

/** The page's accessibility tree: every element as the browser passes it to a screen reader. */
export async function spoken(page: Page) {
	const session = await page.context().newCDPSession(page);
	const { nodes } = await session.send('Accessibility.getFullAXTree');
	await session.detach();
	return nodes
		.filter(({ ignored }) => !ignored)
		.map(({ role, name, properties = [] }) => ({
			role: String(role?.value ?? ''),
			name: String(name?.value ?? '').trim(),
			/** Whether the keyboard can reach it. */
			focusable: properties.some(
				(property) => property.name === 'focusable' && property.value.value === true,
			),
		}));
}

/** Elements that need a name and have none, or have the name of another. */
export function unclear(elements: Awaited<ReturnType<typeof spoken>>): string[] {
	const seen = new Set<string>();
	return elements.flatMap(({ role, name, focusable }) => {
		if (name === '') {
			// Only a program moves the focus to the page's main part.
			const isNameless = NEED_A_NAME.has(role) || (focusable && !PLACES.has(role));
			return isNameless ? [`${role} without a name`] : [];
		}
		if (!OPERATED.has(role)) return [];
		const both = `${role} “${name}”`;
		const isSecond = seen.has(both);
		seen.add(both);
		return isSecond ? [`a second ${both}`] : [];
	});
}

/** Roles that only a program gives the focus, e.g. by the link past the navigation. */
const PLACES = new Set(['main', 'RootWebArea']);

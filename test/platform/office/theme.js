import { el } from './dom.js';

const KEY = 'office-theme';
const root = document.documentElement;

const systemIsDark = () => matchMedia('(prefers-color-scheme: dark)').matches;

const present = () => root.dataset.theme ?? (systemIsDark() ? 'dark' : 'light');

/** Light or dark as the system has it, until the button says otherwise. */
export function startTheme(button) {
	const kept = localStorage.getItem(KEY);
	if (kept === 'light' || kept === 'dark') root.dataset.theme = kept;
	const show = () => {
		const other = present() === 'dark' ? 'light' : 'dark';
		button.replaceChildren(
			el('span', { 'aria-hidden': 'true' }, other === 'dark' ? '☾' : '☀'),
			` ${other === 'dark' ? 'Dark' : 'Light'}`,
		);
		button.setAttribute('aria-label', `Switch to the ${other} theme`);
	};
	button.addEventListener('click', () => {
		root.dataset.theme = present() === 'dark' ? 'light' : 'dark';
		localStorage.setItem(KEY, root.dataset.theme);
		show();
	});
	matchMedia('(prefers-color-scheme: dark)').addEventListener('change', show);
	show();
}

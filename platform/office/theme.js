const KEY = 'office-theme';
const root = document.documentElement;
const system = matchMedia('(prefers-color-scheme: dark)');

const present = () => root.dataset.theme ?? (system.matches ? 'dark' : 'light');

/** Light or dark as the system has it, until the user presses the button. */
export function startTheme(button) {
	const kept = localStorage.getItem(KEY);
	if (kept === 'light' || kept === 'dark') root.dataset.theme = kept;
	const show = () => {
		const isDark = present() === 'dark';
		button.textContent = isDark ? '☀ Light' : '☾ Dark';
		button.setAttribute('aria-label', `Switch to the ${isDark ? 'light' : 'dark'} theme`);
	};
	button.addEventListener('click', () => {
		root.dataset.theme = present() === 'dark' ? 'light' : 'dark';
		localStorage.setItem(KEY, root.dataset.theme);
		show();
	});
	system.addEventListener('change', show);
	show();
}

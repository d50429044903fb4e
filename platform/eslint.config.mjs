import globals from 'globals';

import config from '../test/eslint.config.mjs';

// What the back office runs in a browser.
export default [...config, { files: ['office/**/*.js'], languageOptions: { globals: globals.browser } }];

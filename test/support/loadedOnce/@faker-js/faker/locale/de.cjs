module.exports = globalThis[Symbol.for('loaded once')]('@faker-js/faker/locale/de');

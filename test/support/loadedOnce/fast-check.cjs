module.exports = globalThis[Symbol.for('loaded once')]('fast-check');

module.exports = globalThis[Symbol.for('loaded once')]('yaml');

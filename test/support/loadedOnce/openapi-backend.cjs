module.exports = globalThis[Symbol.for('loaded once')]('openapi-backend');

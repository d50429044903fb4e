module.exports = globalThis[Symbol.for('loaded once')]('n8n-core');

module.exports = globalThis[Symbol.for('loaded once')]('fastify');

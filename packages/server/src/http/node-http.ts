/**
 * The classes of Node's HTTP module. An `import` of a built-in module evaluates all its exports. Two exports
 * of `node:http` load the client of `fetch` and WebSocket, which the server does not use: 14 MiB of memory
 * and a twentieth of the start.
 */
export const { createServer, IncomingMessage, ServerResponse } = process.getBuiltinModule('node:http')

/**
 * The classes of Node's HTTP module.
 *
 * An `import` of a built-in module reads every export of it, and two exports of `node:http` load the client of `fetch`
 * and WebSocket: 14 MiB of memory and a twentieth of the start that the server has no use for.
 */
export const { createServer, IncomingMessage, ServerResponse } = process.getBuiltinModule('node:http')

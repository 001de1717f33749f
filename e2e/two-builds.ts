/**
 * A server that switches to a second build of the panel: it proxies the tests' server and renames all script
 * files from then on.
 */
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { serverUrl } from './fixtures.ts'

export interface TwoBuilds {
  url: string
  /** Switches to the second build, whose scripts have other names. */
  replaceBuild: () => void
  close: () => Promise<void>
}

const texts = /text\/html|javascript/
/** Matches the hash in a script's name: `form-Bj4gKEYb.js`. */
const hashPattern = /(-[\w-]{8})\.js/g
const mark = 'SECOND'

/** Starts the server with the first of two builds of the panel. */
export async function startTwoBuilds(): Promise<TwoBuilds> {
  const target = new URL(serverUrl())
  let isReplaced = false

  const answer = (incomingRequest: IncomingMessage, clientResponse: ServerResponse) => {
    const requestedUrl = incomingRequest.url ?? '/'
    // A file is answered from the build that was current when it was requested.
    const isSecond = isReplaced
    const isProgram = requestedUrl.startsWith('/assets/') && requestedUrl.endsWith('.js')
    if (isSecond && isProgram && !requestedUrl.includes(mark)) return clientResponse.writeHead(404).end()
    const path = requestedUrl.replace(mark, '')
    const headers = { ...incomingRequest.headers, host: target.host, 'accept-encoding': 'identity' }
    const { hostname, port } = target
    const proxiedRequest = request({ hostname, port, path, headers, method: incomingRequest.method }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (chunk: Buffer) => parts.push(chunk))
      response.on('end', () => {
        const body = Buffer.concat(parts)
        const isText = isSecond && texts.test(String(response.headers['content-type']))
        const markedBody = isText ? Buffer.from(body.toString().replaceAll(hashPattern, `$1${mark}.js`)) : body
        const {
          'transfer-encoding': _chunked,
          etag: _etag,
          'last-modified': _changed,
          ...otherHeaders
        } = response.headers
        clientResponse
          .writeHead(response.statusCode ?? 502, { ...otherHeaders, 'content-length': markedBody.length })
          .end(markedBody)
      })
    })
    proxiedRequest.on('error', () => clientResponse.writeHead(502).end())
    return incomingRequest.pipe(proxiedRequest)
  }

  const server = createServer(answer)
  const openSockets = new Set<Duplex>()
  // All sockets are closed at the end, also those of the chat, which the HTTP server no longer tracks.
  server.on('connection', (socket) => openSockets.add(socket))
  server.on('upgrade', (incomingRequest, socket) => {
    const proxiedRequest = request({
      hostname: target.hostname,
      port: target.port,
      path: incomingRequest.url,
      headers: { ...incomingRequest.headers, host: target.host },
    })
    proxiedRequest.on('upgrade', (response, proxiedSocket) => {
      const lines = Object.entries(response.headers).map(([name, value]) => `${name}: ${String(value)}\r\n`)
      socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('')}\r\n`)
      proxiedSocket.pipe(socket).pipe(proxiedSocket)
      openSockets.add(proxiedSocket)
      for (const end of [proxiedSocket, socket]) end.on('error', () => end.destroy())
    })
    proxiedRequest.on('error', () => socket.destroy())
    proxiedRequest.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    replaceBuild: () => {
      isReplaced = true
    },
    close: async () => {
      const serverEnd = new Promise((resolve) => server.close(resolve))
      for (const socket of openSockets) socket.destroy()
      await serverEnd
    },
  }
}

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp, type TestApp, tokenOf } from '../../testing/app.ts'
import { buildUser } from '../../testing/factories.ts'
import { disconnectSockets, connectSocket } from '../../testing/listening.ts'

let testApp: TestApp
let address = ''
let token = ''
beforeAll(async () => {
  testApp = await openTestApp({ settings: { TRUSTED_PROXIES: '127.0.0.1' } })
  await buildUser(testApp.database, 'admin', { username: 'known', email: 'known@example.org' })
  token = await tokenOf(testApp.app, 'known')
  address = await testApp.app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => testApp.app.close())

const silentSockets: Socket[] = []
afterEach(() => {
  disconnectSockets()
  for (const socket of silentSockets.splice(0)) socket.destroy()
})

/**
 * Opens a socket that sends nothing.
 *
 * @returns The first line of the answer.
 */
async function openSilentSocket(client: string): Promise<string> {
  const socket = connect(Number(new URL(address).port), '127.0.0.1')
  silentSockets.push(socket)
  socket.on('error', () => {})
  socket.write(
    [
      'GET /socket.io/?EIO=4&transport=websocket HTTP/1.1',
      'host: a',
      'connection: upgrade',
      'upgrade: websocket',
      'sec-websocket-version: 13',
      `sec-websocket-key: ${Buffer.alloc(16).toString('base64')}`,
      `x-forwarded-for: ${client}`,
      '\r\n',
    ].join('\r\n'),
  )
  const [data] = (await once(socket, 'data')) as [Buffer]
  return data.toString().split('\r\n')[0] ?? ''
}
const switchingLine = 'HTTP/1.1 101 Switching Protocols'

describe('sockets behind a proxy', () => {
  it('limits unauthenticated sockets behind a proxy to 50 for each client', async () => {
    for (let turn = 0; turn < 50; turn += 1) expect(await openSilentSocket('203.0.113.1')).toBe(switchingLine)
    expect(await openSilentSocket('203.0.113.1')).toBe('HTTP/1.1 400 Bad Request')
    // The limit of one client does not affect other clients.
    expect(await openSilentSocket('203.0.113.2')).toBe(switchingLine)
    expect((await connectSocket(address, { token })).socket.connected).toBe(true)
    silentSockets[0]?.destroy()
    await expect.poll(() => openSilentSocket('203.0.113.1')).toBe(switchingLine)
  })
  it('no longer counts sockets behind a proxy once they are authenticated', async () => {
    const extraHeaders = { 'x-forwarded-for': '203.0.113.3' }
    for (let turn = 0; turn < 3; turn += 1) await connectSocket(address, { token }, { extraHeaders })
    for (let turn = 0; turn < 50; turn += 1) expect(await openSilentSocket('203.0.113.3')).toBe(switchingLine)
    expect(await openSilentSocket('203.0.113.3')).toBe('HTTP/1.1 400 Bad Request')
  })
})

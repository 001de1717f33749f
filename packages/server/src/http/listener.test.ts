import { connect, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { type Listener, openListener } from './listener.ts'

let listener: Listener | undefined
const sockets: Socket[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await listener?.close(0)
})

/** Connects and asks. Out: the first line of the answer; empty when the connection is cut instead. */
function ask({ port }: Listener): Promise<{ line: string; socket: Socket }> {
  const socket = connect(port, '127.0.0.1')
  sockets.push(socket)
  return new Promise((resolve) => {
    const done = (line: string) => resolve({ line, socket })
    socket.once('data', (data) => done(data.toString().split('\r\n')[0] ?? ''))
    socket.once('close', () => done(''))
    socket.once('error', () => done(''))
    socket.write('GET /health HTTP/1.1\r\nhost: a\r\n\r\n')
  })
}

test('waits for heads, requests and the next request only so long', async () => {
  listener = await openListener(0, '127.0.0.1')
  expect(listener.server).toMatchObject({ headersTimeout: 15_000, requestTimeout: 120_000, keepAliveTimeout: 65_000 })
})

test('one address has only so many connections; when one ends, another one comes in', async () => {
  const open = await openListener(0, '127.0.0.1', 3)
  listener = open
  const [first] = [await ask(open), await ask(open), await ask(open)]
  expect(first.line).toBe('HTTP/1.1 200 OK')
  expect((await ask(open)).line).toBe('')
  first.socket.destroy()
  await expect.poll(async () => (await ask(open)).line).toBe('HTTP/1.1 200 OK')
})

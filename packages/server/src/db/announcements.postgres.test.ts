import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Announcements } from './announcements.ts'

const url = process.env.TEST_DATABASE_URL

/** A way to the server that can fall silent, as a cut network does: connections stay open and carry nothing. */
async function openWay(target: URL) {
  const pairs: [Socket, Socket][] = []
  let isSilent = false
  const server = createServer((from) => {
    const to = connect(Number(target.port || 5432), target.hostname)
    const pass = (sender: Socket, receiver: Socket) => {
      sender.on('data', (data) => void (isSilent || receiver.write(data)))
      sender.on('error', () => {})
      sender.on('close', () => void (isSilent || receiver.destroy()))
    }
    pass(from, to)
    pass(to, from)
    pairs.push([from, to])
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = new URL(target)
  address.hostname = '127.0.0.1'
  address.port = String((server.address() as AddressInfo).port)
  return {
    url: address.href,
    silence: (silent: boolean) => void (isSilent = silent),
    close: () => {
      for (const pair of pairs) for (const socket of pair) socket.destroy()
      server.close()
    },
  }
}

describe('the listening connection', () => {
  let way: Awaited<ReturnType<typeof openWay>>
  let announcements: Announcements
  const heard: (string[] | 'all')[] = []
  beforeAll(async () => {
    way = await openWay(new URL(String(url)))
    const client = () => new pg.Client({ connectionString: way.url, connectionTimeoutMillis: 200 })
    announcements = new Announcements(client, 'here', { everyMs: 50, limitMs: 500 })
    await announcements.start((names) => heard.push(names === 'all' ? names : [...names]))
  })
  afterAll(async () => {
    await announcements.stop()
    way.close()
  })
  const announce = async (name: string) => {
    const other = new pg.Client({ connectionString: url })
    await other.connect()
    await other.query('select pg_notify($1, $2)', Announcements.message('elsewhere', [name]))
    await other.end()
  }

  it('is noticed to be deaf, counts everything as changed, and listens again', async () => {
    await announce('tags')
    await expect.poll(() => heard).toEqual([['tags']])
    way.silence(true)
    await expect.poll(() => heard.includes('all'), { timeout: 10_000 }).toBe(true)
    way.silence(false)
    await expect
      .poll(
        async () => {
          await announce('news')
          return heard.some((names) => names.includes('news'))
        },
        { timeout: 10_000 },
      )
      .toBe(true)
  })
})

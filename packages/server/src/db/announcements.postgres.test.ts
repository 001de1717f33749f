import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Announcements } from './announcements.ts'
import { openDatabase } from './database.ts'
import { databaseFailure } from './failures.ts'
import { sql } from './sql.ts'

const url = process.env.TEST_DATABASE_URL

/**
 * A route to the server that can become silent, like a cut
 * network: connections stay open but transfer nothing.
 */
async function openGateway(target: URL) {
  const pairs: [Socket, Socket][] = []
  let isSilent = false
  const server = createServer((clientSocket) => {
    const serverSocket = connect(Number(target.port || 5432), target.hostname)
    const passBytes = (sender: Socket, receiver: Socket) => {
      sender.on('data', (data) => void (isSilent || receiver.write(data)))
      sender.on('error', () => {})
      sender.on('close', () => void (isSilent || receiver.destroy()))
    }
    passBytes(clientSocket, serverSocket)
    passBytes(serverSocket, clientSocket)
    pairs.push([clientSocket, serverSocket])
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = new URL(target)
  address.hostname = '127.0.0.1'
  address.port = String((server.address() as AddressInfo).port)
  return {
    url: address.href,
    setSilent: (isMuted: boolean) => void (isSilent = isMuted),
    close: () => {
      for (const pair of pairs) for (const socket of pair) socket.destroy()
      server.close()
    },
  }
}

describe('the listening connection', () => {
  let gateway: Awaited<ReturnType<typeof openGateway>>
  let announcements: Announcements
  const receivedChanges: (string[] | 'all')[] = []
  beforeAll(async () => {
    gateway = await openGateway(new URL(String(url)))
    const client = () => new pg.Client({ connectionString: gateway.url, connectionTimeoutMillis: 200 })
    announcements = new Announcements(client, 'here', { intervalMs: 50, limitMs: 500 })
    await announcements.start((names) => receivedChanges.push(names === 'all' ? names : [...names]))
  })
  afterAll(async () => {
    await announcements.stop()
    gateway.close()
  })
  const announceChange = async (name: string) => {
    const otherClient = new pg.Client({ connectionString: url })
    await otherClient.connect()
    await otherClient.query(Announcements.message('elsewhere', [name]))
    await otherClient.end()
  }

  it('detects a lost listening connection, treats everything as changed, and listens again', async () => {
    await announceChange('tags')
    await expect.poll(() => receivedChanges).toEqual([['tags']])
    gateway.setSilent(true)
    await expect.poll(() => receivedChanges.includes('all'), { timeout: 10_000 }).toBe(true)
    gateway.setSilent(false)
    await expect
      .poll(
        async () => {
          await announceChange('news')
          return receivedChanges.some((names) => names.includes('news'))
        },
        { timeout: 10_000 },
      )
      .toBe(true)
  })
})

describe('a transaction', () => {
  it('announces a transaction to other instances after its commit, even if its connection breaks then', async () => {
    const [writer, listeningInstance] = await Promise.all([
      openDatabase({ url: String(url) }),
      openDatabase({ url: String(url) }),
    ])
    const receivedNames: string[] = []
    try {
      await listeningInstance.listen()
      listeningInstance.onChange((changes) => receivedNames.push(...(changes === 'all' ? ['all'] : changes)))
      await writer.transaction(async (trx) => {
        await trx.query(sql`select 1`)
        trx.changed('tags', 'values')
      })
      await expect.poll(() => receivedNames).toEqual(['tags'])
      const brokenTransaction = writer.transaction(async (trx) => {
        const [session] = await trx.query(sql<{ pid: number }>`select pg_backend_pid() as pid`)
        trx.changed('units', 'values')
        trx.beforeCommit(async () => {
          await listeningInstance.query(sql`select pg_terminate_backend(${session?.pid ?? 0}::int)`)
        })
      })
      // The error message depends on whether the server's termination or the closed connection arrives first.
      await expect(brokenTransaction.catch(databaseFailure)).resolves.toBe('unavailable')
      await expect.poll(() => receivedNames).toEqual(['tags', 'units'])
    } finally {
      await Promise.all([writer.close(), listeningInstance.close()])
    }
  })
})

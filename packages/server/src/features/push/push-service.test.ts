import type { LookupAddress } from 'node:dns'
import { createServer, request as httpRequest, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { browserOf } from '../../testing/push-browser.ts'
import { contactOf } from './index.ts'
import { makePushKeys } from './push-keys.ts'
import { isPublicAddress, publicLookup, type ResolveAddress } from './public-address.ts'
import { openPushService } from './push-service.ts'

const servers: Server[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})

async function startListener(answer: RequestListener): Promise<number> {
  const server = createServer(answer)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

/** Sends a message to a push service that runs in the test, and answers the outcome. */
async function send(port: number, timeout = 5_000) {
  const failures: unknown[] = []
  const transport = openPushService({
    contact: 'mailto:no-reply@example.org',
    failed: (error) => void failures.push(error),
    timeout,
    request: (address, { lookup: _lookup, ...options }, done) =>
      httpRequest({ ...options, host: '127.0.0.1', port, path: address.pathname }, done),
  })
  const { endpoint, keys } = browserOf()
  const browser = { session: 'a', endpoint, ...keys }
  const outcome = await transport(makePushKeys(), browser, { text: '{"title":"A"}', topic: 'notice-1' })
  return { outcome, failures, endpoint }
}

describe('a message to a push service', () => {
  it('encrypts, signs and bounds in time what a push service receives', async () => {
    const receivedRequests: { headers: Record<string, unknown>; body: Buffer }[] = []
    const port = await startListener((request, answer) => {
      const parts: Buffer[] = []
      request.on('data', (bodyPart: Buffer) => void parts.push(bodyPart))
      request.on('end', () => {
        receivedRequests.push({ headers: request.headers, body: Buffer.concat(parts) })
        answer.writeHead(201).end()
      })
    })
    expect((await send(port)).outcome).toBe('accepted')
    expect(receivedRequests[0]?.headers.authorization).toMatch(/^vapid t=[\w-]+\.[\w-]+\.[\w-]+, k=B[\w-]{86}$/)
    expect(receivedRequests[0]?.headers).toMatchObject({
      'content-encoding': 'aes128gcm',
      topic: 'notice-1',
      ttl: '14400',
    })
    expect(receivedRequests[0]?.body.toString('latin1')).not.toContain('title')
  })

  it.each([
    [200, 'accepted'],
    [404, 'gone'],
    [410, 'gone'],
    [400, 'refused'],
    [403, 'refused'],
    [413, 'refused'],
    [429, 'failed'],
    [503, 'failed'],
  ])('returns the outcome of a push for the status %i: %s', async (status, outcome) => {
    const port = await startListener((_request, answer) => void answer.writeHead(status).end('text'))
    expect((await send(port)).outcome).toBe(outcome)
  })

  it('follows no redirect of a push service', async () => {
    let wasFollowed = false
    const otherListener = await startListener((_request, answer) => {
      wasFollowed = true
      answer.end()
    })
    const port = await startListener(
      (_request, answer) => void answer.writeHead(307, { location: `http://127.0.0.1:${otherListener}/` }).end(),
    )
    expect((await send(port)).outcome).toBe('refused')
    expect(wasFollowed).toBe(false)
  })

  it('ends a push after its time limit, and logs no address of the browser', async () => {
    const port = await startListener(() => {})
    const { outcome, failures, endpoint } = await send(port, 50)
    expect(outcome).toBe('failed')
    expect(failures).toHaveLength(1)
    expect(String(failures[0])).not.toContain(endpoint)
  })

  it('does not read an endless answer of a push service', async () => {
    const port = await startListener((_request, answer) => void answer.writeHead(201).write('a'.repeat(100_000)))
    expect((await send(port)).outcome).toBe('accepted')
  })
})

describe('the address of a push service', () => {
  it.each(['1.1.1.1', '142.250.1.1', '2606:4700::1111'])(
    'accepts the public address %s for a push service',
    (address) => {
      expect(isPublicAddress(address)).toBe(true)
    },
  )

  it.each([
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '192.168.1.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '64:ff9b::7f00:1',
    'fc00::1',
    'fe80::1',
    'ff02::1',
    '2001:db8::1',
    '2002:7f00:1::',
    'push.example.org',
  ])('refuses the address %s for a push service', (address) => {
    expect(isPublicAddress(address)).toBe(false)
  })

  const lookUpAddresses = (options: object, ...addresses: string[]) => {
    const foundAddresses = addresses.map((address): LookupAddress => ({
      address,
      family: address.includes(':') ? 6 : 4,
    }))
    const resolveAddress: ResolveAddress = (_host, _options, done) => done(null, foundAddresses)
    return new Promise((settle) => {
      publicLookup(resolveAddress)('push.example.org', options, (error, address, family) =>
        settle(error ? error.message : { address, family }),
      )
    })
  }

  it('checks the address of a push service when the connection opens, whatever the name was before', async () => {
    const refusal = 'The push service has no public address'
    expect(await lookUpAddresses({}, '127.0.0.1')).toBe(refusal)
    expect(await lookUpAddresses({ all: true }, '1.1.1.1', '10.0.0.1')).toBe(refusal)
    expect(await lookUpAddresses({})).toBe(refusal)
    expect(await lookUpAddresses({}, '1.1.1.1')).toEqual({ address: '1.1.1.1', family: 4 })
    expect(await lookUpAddresses({ all: true }, '1.1.1.1')).toMatchObject({
      address: [{ address: '1.1.1.1', family: 4 }],
    })
  })

  it('refuses names of this machine as push services', async () => {
    const failures: unknown[] = []
    const transport = openPushService({ contact: 'mailto:a@example.org', failed: (error) => void failures.push(error) })
    const browser = { session: 'a', ...browserOf().keys, endpoint: 'https://localhost/send/1' }
    expect(await transport(makePushKeys(), browser, { text: '{}', topic: 'a' })).toBe('failed')
    expect(failures).toHaveLength(1)
  })
})

it.each([
  [{ publicUrl: 'https://dala.example.org', mailFrom: 'a@example.org' }, 'https://dala.example.org'],
  [{ publicUrl: 'http://127.0.0.1:1337', mailFrom: 'Dala <no-reply@example.org>' }, 'mailto:no-reply@example.org'],
  [{ publicUrl: 'https://localhost', mailFrom: 'no-reply@localhost' }, 'mailto:no-reply@localhost'],
])('tells push services the contact of %o', (settings, contact) => {
  expect(contactOf(settings)).toBe(contact)
})

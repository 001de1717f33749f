import { createHash } from 'node:crypto'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { inspect } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { StoreSettings } from '../../../settings.ts'
import { type ObjectStore, startObjectStore } from '../../../testing/object-store.ts'
import { drawImage, openUploadApp } from '../../../testing/upload-app.ts'
import { ObjectStorage } from './object-storage.ts'
import type { ListedFile } from './storage.ts'

const nameOf = (index: number) => `${String(index).padStart(32, '0')}.png`
const file = join(mkdtempSync(join(tmpdir(), 'dala-object-')), 'picture')
const bytes = Buffer.from('0123456789'.repeat(9_000))
writeFileSync(file, bytes)

async function listOf(storage: ObjectStorage): Promise<ListedFile[]> {
  const listedFiles: ListedFile[] = []
  for await (const foundFile of storage.list()) listedFiles.push(foundFile)
  return listedFiles
}

let store: ObjectStore
beforeAll(async () => {
  store = await startObjectStore()
})
afterAll(() => store.close())

describe('the object store', () => {
  it('returns a file stored in the object store, whole and in ranges', async () => {
    const storage = new ObjectStorage(store.settings)
    await storage.put(nameOf(1), file, { mime: 'image/png' })
    expect(await storage.size(nameOf(1))).toBe(bytes.length)
    const wholeFile = await storage.read(nameOf(1))
    expect(wholeFile?.size).toBe(bytes.length)
    expect(wholeFile && (await buffer(wholeFile.stream)).equals(bytes)).toBe(true)
    const fileRange = await storage.read(nameOf(1), { start: 11, end: 14 })
    expect([fileRange?.size, fileRange && (await buffer(fileRange.stream)).toString()]).toEqual([4, '1234'])
    await storage.remove(nameOf(1))
    await storage.remove(nameOf(1))
    expect([await storage.size(nameOf(1)), await storage.read(nameOf(1))]).toEqual([undefined, undefined])
  })

  it('lists the files of the object store, and only stored names', async () => {
    const storage = new ObjectStorage(store.settings)
    for (const index of [1, 2]) await storage.put(nameOf(index), file, { mime: 'image/png' })
    writeFileSync(join(store.bucket, `notes.txt._S3rver_object`), 'not ours')
    const listedFiles = await listOf(storage)
    expect(listedFiles.map(({ name }) => name)).toEqual([1, 2].map(nameOf))
    expect(listedFiles.every(({ changedAt }) => Math.abs(Date.now() - changedAt.getTime()) < 60_000)).toBe(true)
  })

  it('never asks the object store for a name of another form', async () => {
    const storage = new ObjectStorage(store.settings)
    for (const name of ['../secret.png', 'notes.txt', '']) {
      await expect(storage.read(name)).rejects.toThrow('no name of a stored file')
      await expect(storage.put(name, file, { mime: 'image/png' })).rejects.toThrow('no name of a stored file')
    }
  })

  it.each<[what: string, change: Partial<StoreSettings>, reason: RegExp]>([
    ['an unknown key', { accessKeyId: 'the-key-of-dala' }, /InvalidAccessKeyId \(status 403\)/],
    ['an unknown bucket', { bucket: 'no-bucket' }, /NoSuchBucket \(status 404\)/],
  ])('explains the refusal of %s by the object store in a sentence without keys', async (_what, change, reason) => {
    const storage = new ObjectStorage({ ...store.settings, ...change })
    for (const call of [() => storage.read(nameOf(1)), () => storage.put(nameOf(1), file, { mime: 'image/png' })]) {
      const error: unknown = await call().catch((caughtError: unknown) => caughtError)
      expect(error).toMatchObject({ name: 'Unavailable', message: expect.stringMatching(reason) as string })
      expect(inspect(error)).not.toMatch(/of-dala|S3RVER/)
    }
  })
})

describe('a failing object store', () => {
  const closeCalls: (() => void)[] = []
  afterEach(() => closeCalls.splice(0).forEach((closeServer) => closeServer()))
  const listenWithHandler = async (handle: (request: IncomingMessage, response: ServerResponse) => void) => {
    const server = createServer(handle)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    closeCalls.push(() => {
      server.closeAllConnections()
      server.close()
    })
    return { ...store.settings, endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
  }

  // Fakes an object store with more files than a page; the test server cannot return pages on this Node.
  it('lists page after page of the object store', async () => {
    const requestedPages: (string | null)[] = []
    const settings = await listenWithHandler(({ url = '' }, response) => {
      const { searchParams } = new URL(url, 'http://store')
      requestedPages.push(searchParams.get('continuation-token'))
      const item = `<Contents><Key>${nameOf(requestedPages.length)}</Key><LastModified>2026-01-02T03:04:05.000Z</LastModified></Contents>`
      const nextPageText =
        requestedPages.length < 3 ? `<NextContinuationToken>to=${requestedPages.length}</NextContinuationToken>` : ''
      const page = `<IsTruncated>${nextPageText !== ''}</IsTruncated>${item}${nextPageText}`
      response.setHeader('content-type', 'application/xml')
      response.end(`<?xml version="1.0" encoding="UTF-8"?><ListBucketResult>${page}</ListBucketResult>`)
    })
    const changedAt = new Date('2026-01-02T03:04:05Z')
    const listedFiles = await listOf(new ObjectStorage(settings))
    expect(listedFiles).toEqual([1, 2, 3].map((index) => ({ name: nameOf(index), changedAt })))
    expect(requestedPages).toEqual([null, 'to=1', 'to=2'])
  })

  it('sends a file again to an overloaded object store, whole and with its checksum', async () => {
    const receivedBodies: unknown[] = []
    const settings = await listenWithHandler((request, response) => {
      void buffer(request).then((body) => {
        const { 'content-md5': sum, 'content-type': type, authorization } = request.headers
        receivedBodies.push([
          request.url,
          sum,
          type,
          body.equals(bytes),
          /Credential=S3RVER\//.test(authorization ?? ''),
        ])
        response.writeHead(receivedBodies.length < 3 ? 503 : 200).end()
      })
    })
    await new ObjectStorage(settings, { pause: 1 }).put(nameOf(7), file, { mime: 'image/png' })
    const sum = createHash('md5').update(bytes).digest('base64')
    const expectedUpload = [`/dala-files/${nameOf(7)}?x-id=PutObject`, sum, 'image/png', true, true]
    expect(receivedBodies).toEqual([expectedUpload, expectedUpload, expectedUpload])
  })

  it('does not send a refused file to the object store again, and logs no answer about the key', async () => {
    let requestCount = 0
    const settings = await listenWithHandler((request, response) => {
      requestCount += 1
      const signatureDetails = '<AWSAccessKeyId>S3RVER</AWSAccessKeyId><StringToSign>S3RVER</StringToSign>'
      const refusal = `<Error><Code>SignatureDoesNotMatch</Code><Message>S3RVER</Message>${signatureDetails}</Error>`
      request.resume().on('end', () => response.writeHead(403, { 'content-type': 'application/xml' }).end(refusal))
    })
    const putAttempt = new ObjectStorage(settings, { pause: 1 }).put(nameOf(7), file, { mime: 'image/png' })
    const error: unknown = await putAttempt.catch((caughtError: unknown) => caughtError)
    const message = 'The object store did not take a file: SignatureDoesNotMatch (status 403).'
    expect([error, requestCount]).toMatchObject([{ name: 'Unavailable', message }, 1])
    expect(inspect(error)).not.toContain('S3RVER')
  })

  it('waits for the object store no longer than the timeout', async () => {
    const settings = await listenWithHandler((request) => void request.resume())
    const storage = new ObjectStorage(settings, { attempts: 1, answer: 100, idle: 100 })
    await expect(storage.read(nameOf(7))).rejects.toThrow(/did not give a file: (?:TimeoutError|ETIMEDOUT)/)
    await expect(storage.put(nameOf(7), file, { mime: 'image/png' })).rejects.toThrow(
      /did not take a file: (?:TimeoutError|ETIMEDOUT)/,
    )
  })

  it('returns nothing rather than wrong bytes when the object store ignores ranges', async () => {
    const settings = await listenWithHandler((_request, response) => void response.end('all of it'))
    await expect(new ObjectStorage(settings).read(nameOf(7), { start: 0, end: 1 })).rejects.toThrow(/other bytes/)
  })
})

it('returns 503 when the object store is unreachable, leaves nothing behind and logs no key', async () => {
  const secret = 'a-secret-nobody-may-read'
  const storeApp = await openUploadApp({ S3_ENDPOINT: 'http://127.0.0.1:9', S3_SECRET_ACCESS_KEY: secret })
  const { status, body } = await storeApp.sendParts([{ bytes: await drawImage(20, 10).png().toBuffer() }])
  expect([status, body]).toMatchObject([
    503,
    { data: null, error: { name: 'ServiceUnavailableError', code: 'server.unavailable' } },
  ])
  expect(JSON.stringify(body)).toContain('please try again')
  expect((await storeApp.ask('GET', '/upload/files')).records).toEqual([])
  expect(storeApp.incomingFiles()).toEqual([])
  expect(storeApp.log()).toContain('The object store did not take a file: ECONNREFUSED.')
  expect(storeApp.log()).not.toContain(secret)
  await storeApp.app.close()
})

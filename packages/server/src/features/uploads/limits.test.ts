import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tokenOf } from '../../testing/app.ts'
import { buildUser } from '../../testing/factories.ts'
import { drawImage, formOf, drawNoise, openUploadApp, type UploadApp } from '../../testing/upload-app.ts'

const drawSmallImage = () => drawImage(20, 10).png().toBuffer()

describe('the quota of a user', () => {
  let uploadApp: UploadApp
  beforeAll(async () => {
    uploadApp = await openUploadApp({ UPLOAD_QUOTA_FILES: '3', UPLOAD_QUOTA_MB: '1' })
  })
  afterAll(() => uploadApp.app.close())

  test('limits the number of files per user, also in concurrent uploads', async () => {
    const bytes = await drawSmallImage()
    expect((await uploadApp.sendParts([{ bytes }, { bytes }])).status).toBe(200)
    const answers = await Promise.all(Array.from({ length: 4 }, () => uploadApp.sendParts([{ bytes }])))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 413, 413, 413])
    expect(answers.find(({ status }) => status === 413)?.body).toMatchObject({
      data: null,
      error: {
        status: 413,
        name: 'PayloadTooLargeError',
        code: 'upload.quota',
        message: 'The space for your files is used up: at most 3 files and 1 MB',
      },
    })
    expect([uploadApp.stored().length, uploadApp.incomingFiles()]).toEqual([3, []])
    const ownAnswer = await uploadApp.sendParts([{ bytes }], { role: 'authenticated' })
    expect(ownAnswer.status).toBe(200)
    // Deleted files free space of the quota; a replacement adds a file for a moment, so it needs that space
    // too.
    await uploadApp.ask('DELETE', `/media/${ownAnswer.records[0]?.id}`, 'authenticated')
    for (let attempt = 0; attempt < 3; attempt += 1)
      expect((await uploadApp.sendParts([{ bytes }], { role: 'authenticated' })).status).toBe(200)
    expect((await uploadApp.sendParts([{ bytes }], { role: 'authenticated' })).status).toBe(413)
  })

  test('doubles the quota of files together with the trash, so that the disk is bounded', async () => {
    const bytes = await drawSmallImage()
    await buildUser(uploadApp.database, 'authenticated', { username: 'churner' })
    const headers = { authorization: `Bearer ${await tokenOf(uploadApp.app, 'churner')}` }
    const add = async () => {
      const { payload, headers: formHeaders } = await formOf([{ bytes }])
      const url = '/api/upload'
      const answer = await uploadApp.app.inject({
        method: 'POST',
        url,
        payload,
        headers: { ...formHeaders, ...headers },
      })
      return [answer.statusCode, answer.json<{ id: number }[]>()[0]?.id] as const
    }
    const ids: number[] = []
    for (let count = 0; count < 6; count += 1) {
      const [status, id] = await add()
      expect([count, status]).toEqual([count, 200])
      ids.push(id ?? 0)
      expect((await uploadApp.ask('DELETE', `/upload/files/${id}`)).status).toBe(200)
    }
    expect((await add())[0]).toBe(413)
    // A restored file belongs to the user again and counts once.
    expect((await uploadApp.ask('POST', `/uploads/${ids[0]}/restore`)).status).toBe(200)
    expect((await add())[0]).toBe(413)
  })

  test('limits the bytes of a user’s files, including smaller copies', async () => {
    const bytes = await drawNoise(560).png().toBuffer()
    expect(bytes.length).toBeLessThan(1_000_000)
    const { status, body } = await uploadApp.sendParts([{ bytes }], { role: 'owner' })
    expect([status, body]).toMatchObject([413, { error: { code: 'upload.quota' } }])
    expect((await uploadApp.sendParts([{ bytes: await drawSmallImage() }], { role: 'owner' })).status).toBe(200)
  })
})

test('refuses uploads with 507 on a nearly full disk and still serves files', async () => {
  const uploadApp = await openUploadApp({ UPLOAD_RESERVE_MB: '1000000' })
  const { status, body } = await uploadApp.sendParts([{ bytes: await drawSmallImage() }])
  expect([status, body]).toMatchObject([507, { error: { code: 'server.disk-full' } }])
  expect((await uploadApp.ask('GET', '/upload/files')).status).toBe(200)
  expect([uploadApp.stored(), uploadApp.incomingFiles()]).toEqual([[], []])
  await uploadApp.app.close()
})

test('applies the maximum size of a file from the settings', async () => {
  const uploadApp = await openUploadApp({ UPLOAD_FILE_MB: '1' })
  const bytes = Buffer.concat([await drawSmallImage(), Buffer.alloc(1_048_576)])
  expect(await uploadApp.sendParts([{ bytes }])).toMatchObject({
    status: 413,
    body: { error: { message: 'The file is too large: the limit is 1 MB' } },
  })
  await uploadApp.app.close()
})

test('runs ten uploads of one user at the same time, and refuses the eleventh with 429', async () => {
  const uploadApp = await openUploadApp()
  const { payload, headers } = await formOf([{ bytes: await drawSmallImage() }])
  const gate = Promise.withResolvers<void>()
  let readingCount = 0
  const allRequestsRead = Promise.withResolvers<void>()
  const slowBody = () =>
    Readable.from(
      (async function* send() {
        yield payload.subarray(0, 50)
        readingCount += 1
        if (readingCount === 10) allRequestsRead.resolve()
        await gate.promise
        yield payload.subarray(50)
      })(),
    )
  const sendUpload = (role: 'admin' | 'authenticated', body: Readable | Buffer) =>
    uploadApp.app.inject({
      method: 'POST',
      url: '/api/upload',
      headers: { ...headers, ...uploadApp.headersOf(role) },
      payload: body,
    })
  const runningUploads = Array.from({ length: 10 }, () => sendUpload('admin', slowBody()))
  await allRequestsRead.promise
  const refusedAnswer = await sendUpload('admin', payload)
  expect([refusedAnswer.statusCode, refusedAnswer.headers['retry-after'], refusedAnswer.json()]).toMatchObject([
    429,
    '5',
    { error: { name: 'RateLimitError', code: 'upload.too-many-at-once' } },
  ])
  expect((await sendUpload('authenticated', payload)).statusCode).toBe(200)
  gate.resolve()
  expect((await Promise.all(runningUploads)).map(({ statusCode }) => statusCode)).toEqual(
    Array.from({ length: 10 }, () => 200),
  )
  expect((await sendUpload('admin', payload)).statusCode).toBe(200)
  expect(uploadApp.incomingFiles()).toEqual([])
  await uploadApp.app.close()
})

describe('an upload on the wire', () => {
  let uploadApp: UploadApp
  let port: number
  beforeAll(async () => {
    uploadApp = await openUploadApp({ UPLOAD_FILE_MB: '1' })
    port = Number(new URL(await uploadApp.app.listen({ port: 0, host: '127.0.0.1' })).port)
  })
  afterAll(() => uploadApp.app.close())

  const head = (length: number) =>
    [
      'POST /api/upload HTTP/1.1',
      'Host: localhost',
      `Authorization: ${uploadApp.headersOf('admin').authorization}`,
      'Content-Type: image/png',
      length > 0 ? `Content-Length: ${length}` : 'Transfer-Encoding: chunked',
      '',
      '',
    ].join('\r\n')

  /**
   * Sends an upload with an endless body.
   *
   * @returns The answer before the connection was closed, and the number of sent bytes.
   */
  const floodBody = (start: string, chunk: Buffer) =>
    new Promise<{ text: string; sent: number }>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1')
      let [text, sentBytes] = ['', 0]
      const sendUpload = () => {
        if (socket.destroyed || sentBytes > 200 * 1_048_576) return
        sentBytes += chunk.length
        socket.write(chunk, sendUpload)
      }
      socket.on('data', (dataPart) => (text += dataPart.toString()))
      socket.on('close', () => resolve({ text, sent: sentBytes }))
      socket.on('error', (error) => (text === '' ? reject(error) : undefined))
      socket.write(start, sendUpload)
    })

  test('cuts an upload with an endless body at the limit, and still sends the response', async () => {
    const bodyPiece = Buffer.concat([
      Buffer.from('10000\r\n'),
      Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
      Buffer.alloc(65_528),
      Buffer.from('\r\n'),
    ])
    const { text } = await floodBody(head(0), bodyPiece)
    expect(text).toContain('HTTP/1.1 413')
    expect(text).toContain('"code":"upload.file-too-large"')
    expect(uploadApp.incomingFiles()).toEqual([])
  })

  test('refuses an upload that declares too large a body before it is read', async () => {
    const { text } = await floodBody(head(50 * 1_048_576), Buffer.alloc(65_536))
    expect(text).toContain('HTTP/1.1 413')
  })

  test('leaves nothing of an upload behind when the client disconnects', async () => {
    const socket = connect(port, '127.0.0.1')
    const begunSignal = new Promise<void>((resolve) => {
      socket.write(head(1_000_000))
      socket.write(Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(10_000)]), () => resolve())
    })
    await begunSignal
    await expect.poll(() => uploadApp.incomingFiles().length).toBe(1)
    socket.destroy()
    await expect.poll(() => uploadApp.incomingFiles()).toEqual([])
    expect(uploadApp.stored()).toEqual([])
  })
})

import { createHash } from 'node:crypto'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../../db/sql.ts'
import { readSettings } from '../../../settings.ts'
import { onSignal } from '../../../signals.ts'
import { documentFile, officeFile, oleFile, videoFile } from '../../../testing/lesson-files.ts'
import { filesOn, places, storeInUse } from '../../../testing/object-store.ts'
import { beginningOf, ResumableClient } from '../../../testing/resumable.ts'
import { openUploadApp, type UploadApp } from '../../../testing/upload-app.ts'
import { openStorage } from '../storage/open-storage.ts'
import { UploadSweep } from '../sweep.ts'
import { openPieces } from './open-pieces.ts'
import { UploadLocks } from './upload-locks.ts'

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const codeOf = ({ status, body }: { status: number; body: unknown }) => {
  const { code } = (body as { error: { code: string } }).error
  return [status, code]
}

describe.each(places)('a resumable upload on %s:', (storageKind) => {
  filesOn(storageKind)

  let uploadApp: UploadApp
  let client: ResumableClient
  beforeAll(async () => {
    uploadApp = await openUploadApp({ UPLOAD_DOCUMENT_MB: '1', UPLOAD_QUOTA_MB: '2' })
    client = new ResumableClient(uploadApp)
  })
  afterAll(() => uploadApp.app.close())
  const readPendingUploads = async () => {
    const [row] = await uploadApp.database.query(
      sql<{ count: number }>`select count(*)::int as count from resumable_uploads where file_id is null`,
    )
    return row?.count
  }

  test('stores a video that arrives in pieces, and returns what is known of it', async () => {
    const bytes = await videoFile('mp4', { seconds: 5, picture: 30_000 })
    let signalled = 0
    const endSignal = onSignal('upload', (signal) => void (signalled += signal.bytes))
    const { status, records, headers, id } = await client.send(bytes, 'Дарс 1.mp4', 'lesson_video', 40_000)
    endSignal()
    expect(signalled).toBe(bytes.length)
    expect([status, headers['upload-offset']]).toEqual([200, String(bytes.length)])
    const [record] = records
    expect(record).toMatchObject({
      name: 'Дарс 1.mp4',
      mime: 'video/mp4',
      ext: '.mp4',
      width: 320,
      height: 180,
      formats: null,
      sha256: sha256(bytes),
      size: Math.round(bytes.length / 10) / 100,
      video: { duration_s: 5, width: 320, height: 180, codecs: ['avc'], size: bytes.length },
    })
    const servedAnswer = await uploadApp.app.inject({ url: String(record?.url) })
    expect(sha256(servedAnswer.rawPayload)).toBe(sha256(bytes))
    // The client did not receive the last answer: it asks for the offset of the upload, and again for the
    // record.
    const repeatedAnswer = await client.ask('HEAD', id)
    const { 'upload-offset': offset, 'upload-file': file } = repeatedAnswer.headers
    expect([offset, file]).toEqual([String(bytes.length), String(record?.id)])
    expect((await client.piece(id, bytes.length, Buffer.alloc(0))).records).toEqual(records)
    expect(codeOf(await client.piece(id, 7, Buffer.from('x')))).toEqual([409, 'upload.offset'])
  })

  test('stores the same bytes of a user once', async () => {
    const bytes = await videoFile('webm')
    const firstFile = await client.send(bytes, 'a.webm', 'lesson_video')
    const filesBefore = uploadApp.stored()
    const secondFile = await client.send(bytes, 'b.webm', 'lesson_video_small')
    expect(secondFile.records.map(({ id }) => id)).toEqual(firstFile.records.map(({ id }) => id))
    expect(uploadApp.stored().filter((name) => /[.]\w+$/.test(name))).toEqual(
      filesBefore.filter((name) => /[.]\w+$/.test(name)),
    )
    const otherFileAnswer = await new ResumableClient(uploadApp, 'owner').send(bytes, 'a.webm', 'lesson_video')
    expect(otherFileAnswer.records[0]?.id).not.toBe(firstFile.records[0]?.id)
  })

  test('warns of an mp4 whose index is at its end', async () => {
    const bytes = await videoFile('mp4', { indexAtEnd: true })
    const { records } = await client.send(bytes, 'late.mp4', 'lesson_video')
    expect(records[0]?.video).toMatchObject({ warning: 'video.index-at-end' })
  })

  test('continues an upload at the stored byte, and names that byte for a wrong offset', async () => {
    const bytes = documentFile('pdf')
    const { id } = await client.begin(bytes.length, 'plan.pdf', 'document')
    expect(await client.offset(id)).toBe(0)
    const firstPiece = await client.piece(id, 0, bytes.subarray(0, 10))
    expect([firstPiece.status, firstPiece.headers['upload-offset']]).toEqual([204, '10'])
    const wrongPiece = await client.piece(id, 3, bytes.subarray(3))
    expect(wrongPiece.body).toMatchObject({ error: { status: 409, code: 'upload.offset', details: { offset: 10 } } })
    expect(await client.offset(id)).toBe(10)
    expect(codeOf(await client.piece(id, 10, Buffer.alloc(500)))).toEqual([422, 'upload.length'])
    expect((await client.piece(id, 10, bytes.subarray(10))).status).toBe(200)
  })

  test.each([
    ['a.mp4', 'lesson_video', () => Buffer.from('<script>alert(1)</script>'.repeat(20)), 'upload.content'],
    ['a.mp4', 'lesson_video', () => videoFile('webm'), 'upload.content'],
    ['a.mp4', 'lesson_video', () => videoFile('hevc'), 'upload.codec'],
    ['a.pdf', 'document', () => documentFile('docx'), 'upload.content'],
    ['a.docx', 'document', () => documentFile('odt'), 'upload.content'],
    ['a.docx', 'document', () => officeFile({ 'word/vbaProject.bin': Buffer.from('x') }), 'upload.macros'],
    ['a.pdf', 'document', () => officeFile({ 'word/vbaProject.bin': Buffer.from('x') }), 'upload.macros'],
    ['a.xlsx', 'document', () => oleFile(['Workbook', '_VBA_PROJECT_CUR']), 'upload.macros'],
    ['a.docx', 'document', () => oleFile(['WordDocument']), 'upload.content'],
    ['a.docx', 'document', () => Buffer.concat([documentFile('docx'), Buffer.from('x')]), 'upload.content'],
    ['a.txt', 'document', () => documentFile('pdf'), 'upload.content'],
    ['a.csv', 'document', () => Buffer.from([0x4d, 0x5a, 0, 1, 2]), 'upload.content'],
    ['a.vtt', 'subtitles', () => Buffer.from('WEBVTT\n\n00:02.000 --> 00:01.000\nx'), 'upload.subtitles'],
  ] as const)('refuses %s as %s with other content, and removes its bytes', async (name, purpose, make, code) => {
    const [formerFiles, bytes] = [uploadApp.stored(), await make()]
    const refusedAnswer = await client.send(bytes, name, purpose)
    expect(codeOf(refusedAnswer)).toEqual([422, code])
    expect((await client.ask('HEAD', refusedAnswer.id)).status).toBe(404)
    expect(uploadApp.stored()).toEqual(formerFiles)
  })

  test.each(['pdf', 'docx', 'odt', 'csv'] as const)('stores a document of the kind %s', async (kind) => {
    const { status, records } = await client.send(documentFile(kind), `Режа.${kind.toUpperCase()}`, 'document')
    expect([status, records[0]?.ext, 'video' in (records[0] ?? {})]).toEqual([200, `.${kind}`, false])
  })

  test('stores a document of a user outside the staff', async () => {
    const userClient = new ResumableClient(uploadApp, 'authenticated')
    const { status, records } = await userClient.send(documentFile('pdf'), 'plan.pdf', 'document')
    expect([status, records[0]?.name]).toEqual([200, 'plan.pdf'])
    expect((await uploadApp.ask('DELETE', `/upload/files/${records[0]?.id}`)).status).toBe(200)
  })

  test('removes an upload that is cancelled', async () => {
    const { id } = await client.begin(100, 'a.pdf', 'document')
    await client.piece(id, 0, Buffer.alloc(50))
    expect((await client.ask('DELETE', id)).status).toBe(204)
    expect((await client.ask('HEAD', id)).status).toBe(404)
    expect((await client.piece(id, 50, Buffer.alloc(50))).status).toBe(404)
    expect(uploadApp.stored().filter((name) => name.startsWith(id))).toEqual([])
  })

  test('removes an upload that is abandoned for a day', async () => {
    const { id } = await client.begin(100, 'a.pdf', 'document')
    await client.piece(id, 0, Buffer.alloc(50))
    const settings = readSettings({ DATA_DIR: uploadApp.dataDir, ...storeInUse()?.environment })
    const [storage, pieceStore] = [openStorage(settings), openPieces(settings)]
    const uploadSweep = new UploadSweep({
      database: uploadApp.database,
      storage,
      pieces: pieceStore,
      dataDir: uploadApp.dataDir,
    })
    await uploadSweep.run(Date.now() + 23 * 3_600_000)
    expect(await client.offset(id)).toBe(50)
    await uploadSweep.run(Date.now() + 25 * 3_600_000)
    expect((await client.ask('HEAD', id)).status).toBe(404)
    expect(await readPendingUploads()).toBe(0)
  })

  test('shows an upload only to the user who began it', async () => {
    const { id } = await client.begin(100, 'a.pdf', 'document')
    const otherClient = new ResumableClient(uploadApp, 'owner')
    expect((await otherClient.ask('HEAD', id)).status).toBe(404)
    expect((await otherClient.piece(id, 0, Buffer.alloc(50))).status).toBe(404)
    expect((await otherClient.ask('DELETE', id)).status).toBe(404)
    expect(await client.offset(id)).toBe(0)
    await client.ask('DELETE', id)
  })

  test('counts unfinished uploads towards the quota', async () => {
    const { id } = await client.begin(1_048_000, 'a.pdf', 'document')
    const secondUpload = await client.begin(1_048_000, 'b.pdf', 'document')
    expect(codeOf(await client.begin(1_048_000, 'c.pdf', 'document'))).toEqual([413, 'upload.quota'])
    // Videos have a quota of their own.
    const video = await client.begin(5_000_000, 'a.mp4', 'lesson_video')
    expect(video.status).toBe(201)
    for (const begunId of [id, secondUpload.id, video.id]) await client.ask('DELETE', begunId)
    const thirdUpload = await client.begin(1_048_000, 'c.pdf', 'document')
    expect(thirdUpload.status).toBe(201)
    await client.ask('DELETE', thirdUpload.id)
  })

  test('keeps the received bytes of an upload whose request is cut', async () => {
    const port = Number(new URL(await uploadApp.app.listen({ port: 0, host: '127.0.0.1' })).port)
    const bytes = await videoFile('mp4', { seconds: 30, picture: 300_000 })
    const { id } = await client.begin(bytes.length, 'cut.mp4', 'lesson_video')
    let offset = 0
    for (let cutIndex = 0; cutIndex < 3; cutIndex += 1) {
      const head = [
        `PATCH /api/upload/resumable/${id} HTTP/1.1`,
        'Host: localhost',
        `Authorization: ${uploadApp.headersOf('admin').authorization}`,
        'Tus-Resumable: 1.0.0',
        'Content-Type: application/offset+octet-stream',
        `Upload-Offset: ${offset}`,
        `Content-Length: ${bytes.length - offset}`,
        '',
        '',
      ].join('\r\n')
      const sentBytes = offset + 1_000_000
      await new Promise<void>((resolve, reject) => {
        const socket = connect(port, '127.0.0.1')
        socket.on('error', reject)
        socket.on('close', () => resolve())
        socket.write(head)
        socket.write(bytes.subarray(offset, sentBytes), () => socket.end(() => socket.destroySoon()))
      })
      // Bytes of an upload that were not read from the connection yet are lost with it.
      await expect.poll(() => client.offset(id)).toBeGreaterThan(sentBytes - 200_000)
      offset = await client.offset(id)
      expect(offset).toBeLessThanOrEqual(sentBytes)
    }
    const { status, records } = await client.piece(id, offset, bytes.subarray(offset))
    expect([status, records[0]?.sha256]).toEqual([200, sha256(bytes)])
  })
})

describe('a resumable upload', () => {
  let uploadApp: UploadApp
  let client: ResumableClient
  beforeAll(async () => {
    uploadApp = await openUploadApp({ UPLOAD_VIDEO_MB: '3' })
    client = new ResumableClient(uploadApp)
  })
  afterAll(() => uploadApp.app.close())

  test.each([
    ['authenticated', 'a.mp4', 'lesson_video', 403, 'access.denied'],
    ['authenticated', 'a.vtt', 'subtitles', 403, 'access.denied'],
    ['public', 'a.pdf', 'document', 401, 'auth.unauthorized'],
    ['admin', 'a.mp4', 'film', 422, 'upload.purpose'],
    ['admin', 'a.html', 'document', 422, 'upload.name'],
    ['admin', 'a', 'document', 422, 'upload.name'],
    ['admin', 'a.pdf', 'lesson_video', 422, 'upload.name'],
  ] as const)(
    'refuses an upload of %s with the name %s for the purpose %s with %i',
    async (role, name, purpose, status, code) => {
      expect(codeOf(await new ResumableClient(uploadApp, role).begin(10, name, purpose))).toEqual([status, code])
    },
  )

  test.each([
    ['without the version of the protocol', { 'tus-resumable': '' }, 412, 'upload.protocol'],
    ['with another version', { 'tus-resumable': '0.2.2' }, 412, 'upload.protocol'],
    ['without metadata', { 'upload-metadata': '' }, 422, 'upload.metadata'],
    ['with broken metadata', { 'upload-metadata': 'filename ###' }, 422, 'upload.metadata'],
    ['without a length', { 'upload-length': '', 'upload-defer-length': '1' }, 422, 'upload.length'],
    ['with no bytes', { 'upload-length': '0' }, 422, 'upload.length'],
    ['beyond the maximum', { 'upload-length': String(4 * 1_048_576) }, 413, 'upload.file-too-large'],
  ])('refuses an upload %s', async (_case, sentHeaders, status, code) => {
    const beginning = { ...beginningOf(10, 'a.mp4', 'lesson_video'), ...sentHeaders }
    expect(codeOf(await client.ask('POST', '', beginning))).toEqual([status, code])
  })

  test('accepts a piece of an upload only as a stream of bytes with its offset', async () => {
    const { id } = await client.begin(10, 'a.pdf', 'document')
    const json = { 'content-type': 'application/json', 'upload-offset': '0' }
    expect((await client.ask('PATCH', id, json, Buffer.from('{}'))).status).toBe(415)
    const type = { 'content-type': 'application/offset+octet-stream' }
    expect(codeOf(await client.ask('PATCH', id, type, Buffer.from('x')))).toEqual([422, 'upload.length'])
    expect((await client.ask('HEAD', '../../etc/passwd')).status).toBe(404)
  })

  test('continues an upload after a restart of the server', async () => {
    const bytes = await videoFile('mp4')
    const { id } = await client.begin(bytes.length, 'a.mp4', 'lesson_video')
    await client.piece(id, 0, bytes.subarray(0, 4_000))
    const pieceStore = openPieces(readSettings({ DATA_DIR: uploadApp.dataDir }))
    expect((await (await pieceStore.open()).getUpload(id)).offset).toBe(4_000)
    expect((await client.piece(id, 4_000, bytes.subarray(4_000))).records[0]?.sha256).toBe(sha256(bytes))
  })

  test('refuses an upload with 507 on a nearly full disk', async () => {
    const fullApp = await openUploadApp({ UPLOAD_RESERVE_MB: '1000000' })
    expect(codeOf(await new ResumableClient(fullApp).begin(10, 'a.pdf', 'document'))).toEqual([507, 'server.disk-full'])
    await fullApp.app.close()
  })

  test('lets one request at a time write to an upload', async () => {
    const uploadLocks = new UploadLocks(uploadApp.database)
    const gate = Promise.withResolvers<void>()
    const order: string[] = []
    const firstLock = uploadLocks.exclusive('a', async () => {
      await gate.promise
      order.push('first')
    })
    const secondLock = uploadLocks.exclusive('a', async () => void order.push('second'))
    await uploadLocks.exclusive('b', async () => void order.push('other'))
    gate.resolve()
    await Promise.all([firstLock, secondLock])
    expect(order).toEqual(['other', 'first', 'second'])
  })
})

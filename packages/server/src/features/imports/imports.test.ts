import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { strToU8, zipSync, type Zippable } from 'fflate'
import { sql } from '../../db/sql.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { formOf, openUploadApp, type UploadApp } from '../../testing/upload-app.ts'

let uploadApp: UploadApp
beforeAll(async () => {
  uploadApp = await openUploadApp()
})
afterAll(() => uploadApp.app.close())
const folder = () => join(uploadApp.dataDir, 'imports')
const storedFiles = () => (existsSync(folder()) ? readdirSync(folder()) : [])

const contentTypes = (type: string) =>
  strToU8(`<Types><Override PartName="/xl/workbook.xml" ContentType="${type}"/></Types>`)
const plainType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml'
// All files in the archive of a sheet have one fixed time, so equal sheets always have the same bytes.
const packParts = (parts: Zippable) => Buffer.from(zipSync(parts, { mtime: '2026-03-01T00:00:00Z' }))
const makeSheetFile = (extraParts: Zippable = {}, type = plainType) =>
  packParts({ '[Content_Types].xml': contentTypes(type), 'xl/workbook.xml': strToU8('<workbook/>'), ...extraParts })

interface SendOptions {
  file?: Buffer
  name?: string
  texts?: Readonly<Record<string, string>>
  headers?: Readonly<Record<string, string>>
  /** Whether the test sends a second file of the same name. */
  isRepeated?: boolean
}
const sendFile = async ({
  file,
  name = 'prices.xlsx',
  texts = { kind: 'pricelists' },
  headers,
  isRepeated = false,
}: SendOptions) => {
  const parts = Array.from({ length: file ? (isRepeated ? 2 : 1) : 0 }, () => ({
    name,
    bytes: file ?? Buffer.alloc(0),
  }))
  const form = await formOf(parts, texts)
  return post({ payload: form.payload, headers: { ...form.headers, ...headers } })
}
const post = async (
  { payload, headers }: { payload: Buffer | string; headers: object },
  role: 'admin' | 'authenticated' | 'public' = 'admin',
) => {
  const sentHeaders = { ...uploadApp.headersOf(role), ...headers }
  const answer = await uploadApp.app.inject({ method: 'POST', url: '/api/insert_excel', headers: sentHeaders, payload })
  return { status: answer.statusCode, body: answer.json<unknown>() }
}
const readBody = async <T>(url: string) => (await uploadApp.ask('GET', url)).body as T

interface One {
  data: { id: number; attributes: Record<string, unknown> }
}
const issues = (body: unknown) =>
  (body as { error: { details: { errors?: { path: string[] }[] } } }).error.details.errors?.map(({ path }) => path[0])

describe('POST /api/insert_excel', () => {
  it('returns the import immediately and stores the sheet where no route can reach it', async () => {
    const file = makeSheetFile({ 'xl/worksheets/sheet1.xml': strToU8('<worksheet/>') })
    const { status, body } = await sendFile({
      file,
      name: '../../Цены\u202e март.xlsx',
      texts: { kind: 'pricelists', date: '2026-03-01' },
    })
    expect([status, body]).toMatchObject([
      200,
      {
        data: {
          attributes: {
            kind: 'pricelists',
            state: 'parsing',
            file_name: 'Цены март.xlsx',
            mapping: { date: '2026-03-01' },
            total: null,
            errors: null,
            created_count: null,
          },
        },
        meta: {},
      },
    ])
    expect(JSON.stringify(body)).not.toContain('stored_file')
    const [row] = await uploadApp.database.query(sql<{ stored_file: string; author_id: number }>`
      select stored_file, author_id from insert_excel where id = ${(body as One).data.id}`)
    expect(row?.author_id).toBe(uploadApp.people.admin)
    const path = join(folder(), row?.stored_file ?? '')
    expect([statSync(path).mode & 0o777, statSync(folder()).mode & 0o777, statSync(path).size]).toEqual([
      0o600,
      0o700,
      file.length,
    ])
    for (const url of [`/uploads/${row?.stored_file}`, `/${row?.stored_file}`, `/imports/${row?.stored_file}`])
      expect((await uploadApp.app.inject({ url })).statusCode).toBeGreaterThanOrEqual(404)
  })

  /** Builds a sheet with a changed number in its end record. */
  const patchEndRecord = (byteOffset: number, value: number, sheet = makeSheetFile()) => {
    const bytes = Buffer.from(sheet)
    const fieldOffset = bytes.length - 22 + byteOffset
    if (byteOffset === 16 || byteOffset === 12) bytes.writeUInt32LE(value, fieldOffset)
    else bytes.writeUInt16LE(value, fieldOffset)
    return bytes
  }
  /** Builds a sheet with a changed number in the last line of its central directory. */
  const patchEntryLine = (byteOffset: number, value: number) => {
    const bytes = Buffer.from(makeSheetFile({ 'xl/last.xml': new Uint8Array(100_000) }))
    bytes.writeUInt32LE(value, bytes.lastIndexOf(Buffer.from('PK\x01\x02', 'latin1')) + byteOffset)
    return bytes
  }
  /** Builds a ZIP64 end record that states a number of files, and nothing else. */
  const endOfManyRows = (count: number) => {
    const bytes = Buffer.alloc(102)
    bytes.write('PK\x03\x04', 0, 'latin1')
    bytes.write('PK\x06\x06', 4, 'latin1')
    bytes.writeUInt32LE(count, 4 + 32)
    bytes.writeUInt32LE(60, 4 + 48)
    bytes.write('PK\x06\x07', 60, 'latin1')
    bytes.writeUInt32LE(4, 60 + 8)
    bytes.write('PK\x05\x06', 80, 'latin1')
    bytes.writeUInt16LE(0xffff, 80 + 8)
    bytes.writeUInt16LE(0xffff, 80 + 10)
    bytes.writeUInt32LE(0xffff_ffff, 80 + 16)
    return bytes
  }
  const sheet = makeSheetFile()
  const listStart = sheet.readUInt32LE(sheet.length - 6)

  const bombFile = Buffer.from(makeSheetFile({ 'xl/big.xml': new Uint8Array(210 * 1_048_576) }))
  it.each<[string, SendOptions, number, string[] | undefined]>([
    ['no file', {}, 422, ['files']],
    ['an empty file', { file: Buffer.alloc(0) }, 422, ['files']],
    ['no kind', { file: makeSheetFile(), texts: {} }, 422, ['kind']],
    ['a kind that cannot be imported', { file: makeSheetFile(), texts: { kind: 'courses' } }, 422, ['kind']],
    ['an invalid date', { file: makeSheetFile(), texts: { kind: 'tags', date: '2026-02-30' } }, 422, ['date']],
    ['several invalid parts', { texts: { kind: 'x', date: 'x' } }, 422, ['kind', 'date', 'files']],
    ['two files', { file: makeSheetFile(), isRepeated: true }, 422, undefined],
    ['a text', { file: Buffer.from('name;price\n') }, 422, undefined],
    ['one byte', { file: Buffer.from('P') }, 422, undefined],
    ['an old workbook', { file: Buffer.from('d0cf11e0a1b11ae1', 'hex') }, 422, undefined],
    ['an archive that is no sheet', { file: packParts({ 'a.txt': strToU8('a') }) }, 422, undefined],
    [
      'a document',
      { file: packParts({ '[Content_Types].xml': contentTypes('x'), 'word/document.xml': strToU8('') }) },
      422,
      undefined,
    ],
    [
      'a document of Numbers',
      { file: packParts({ 'Index/Document.iwa': strToU8(''), 'Metadata/Properties.plist': strToU8('') }) },
      422,
      undefined,
    ],
    [
      'a document of LibreOffice in its own format',
      {
        file: packParts({
          mimetype: strToU8('application/vnd.oasis.opendocument.spreadsheet'),
          'content.xml': strToU8('<office:document-content/>'),
        }),
      },
      422,
      undefined,
    ],
    ['half a sheet', { file: makeSheetFile().subarray(0, 60) }, 422, undefined],
    [
      'a sheet behind something else',
      { file: Buffer.concat([Buffer.from('GIF89a'), makeSheetFile()]) },
      422,
      undefined,
    ],
    ['a sheet with macros', { file: makeSheetFile({ 'xl/vbaProject.bin': strToU8('x') }) }, 422, undefined],
    ['a sheet with old macros', { file: makeSheetFile({ 'xl/macrosheets/sheet1.xml': strToU8('x') }) }, 422, undefined],
    [
      'a sheet that declares macros in its content type',
      { file: makeSheetFile({}, 'application/vnd.ms-excel.sheet.macroEnabled.main+xml') },
      422,
      undefined,
    ],
    ['a sheet that unpacks into far more', { file: bombFile }, 422, undefined],
    [
      'a sheet of thousands of files',
      {
        file: makeSheetFile(
          Object.fromEntries(Array.from({ length: 2_001 }, (_, index) => [`f${index}`, new Uint8Array()])),
        ),
      },
      422,
      undefined,
    ],
    ['a directory of more files than there are', { file: patchEndRecord(10, 3) }, 422, undefined],
    ['a directory of fewer files than there are', { file: patchEndRecord(10, 1) }, 422, undefined],
    ['a directory in many parts', { file: patchEndRecord(8, 1) }, 422, undefined],
    ['a directory that begins elsewhere', { file: patchEndRecord(16, listStart + 1) }, 422, undefined],
    ['a directory that begins beyond the file', { file: patchEndRecord(16, 0xffff_fff0) }, 422, undefined],
    ['a directory that is longer than it states', { file: patchEndRecord(12, 10) }, 422, undefined],
    ['an end record of millions of files', { file: endOfManyRows(40_000_000) }, 422, undefined],
    ['a file that begins beyond the end', { file: patchEntryLine(42, 0x7fff_ffff) }, 422, undefined],
    ['a file that begins within another one', { file: patchEntryLine(42, 0) }, 422, undefined],
    ['a file whose packed bytes go beyond the end', { file: patchEntryLine(20, 0x7fff_ffff) }, 422, undefined],
    ['a file that unpacks into more than it states', { file: patchEntryLine(24, 10) }, 422, undefined],
    ['a file that unpacks into less than it states', { file: patchEntryLine(24, 100_001) }, 422, undefined],
    ['a sheet with something behind it', { file: Buffer.concat([makeSheetFile(), Buffer.alloc(1)]) }, 422, undefined],
    ['a sheet above 10 MB', { file: Buffer.concat([makeSheetFile(), Buffer.alloc(10 * 1_048_576)]) }, 413, undefined],
    ['far more than 10 MB', { file: Buffer.alloc(11 * 1_048_576) }, 413, undefined],
  ])('refuses an import with %s', async (_what, sending, expectedStatus, paths) => {
    const filesBefore = storedFiles()
    const { status, body } = await sendFile(sending)
    expect([status, issues(body)]).toEqual([expectedStatus, paths])
    expect(storedFiles()).toEqual(filesBefore)
  })
  it('accepts a sheet with a comment at its end', async () => {
    const file = Buffer.concat([patchEndRecord(20, 4), Buffer.from('note')])
    expect((await sendFile({ file })).status).toBe(200)
  })
  it('refuses JSON with 422 as an import, and other bodies with 415', async () => {
    const json = { 'content-type': 'application/json' }
    expect((await post({ payload: '{"data":{"kind":"tags"}}', headers: json })).status).toBe(422)
    expect((await post({ payload: 'a', headers: { 'content-type': 'text/csv' } })).status).toBe(415)
    expect((await post({ payload: 'a', headers: { 'content-type': 'multipart/form-data' } })).status).toBe(400)
  })
  it('refuses imports of callers below staff', async () => {
    for (const [role, expectedStatus] of [
      ['authenticated', 403],
      ['public', 401],
    ] as const) {
      expect((await post(await formOf([], { kind: 'tags' }), role)).status).toBe(expectedStatus)
      expect((await uploadApp.ask('GET', '/insert_excel', role)).status).toBe(expectedStatus)
    }
  })
  it('runs an import once for an idempotency key, and refuses another sheet under that key', async () => {
    const headers = { 'idempotency-key': 'import-1' }
    const firstAnswer = await sendFile({ file: makeSheetFile(), headers })
    const files = storedFiles()
    expect((await sendFile({ file: makeSheetFile(), headers })).body).toEqual(firstAnswer.body)
    expect((await sendFile({ file: makeSheetFile({ more: strToU8('x') }), headers })).status).toBe(422)
    expect(storedFiles()).toEqual(files)
  })
})

describe('imports', () => {
  it('lists imports with a count when start or limit are sent, and returns each by its id', async () => {
    const { body } = await sendFile({ file: makeSheetFile(), texts: { kind: 'faqs' } })
    const { id } = (body as One).data
    const list = await readBody('/insert_excel?filters[kind]=faqs&start=0&limit=1')
    expect(list).toMatchObject({ data: [{ id }], count: 1, meta: { pagination: { start: 0, limit: 1, total: 1 } } })
    expect(await readBody('/insert_excel?filters[kind]=faqs')).not.toHaveProperty('count')
    expect(await readBody(`/insert_excel/${id}?populate=author`)).toMatchObject({
      data: { id, attributes: { kind: 'faqs', author: { data: { id: uploadApp.people.admin } } } },
    })
  })
  it('lets nobody delete an import', async () => {
    const { body } = await sendFile({ file: makeSheetFile() })
    const url = `/insert_excel/${(body as One).data.id}`
    expect((await uploadApp.ask('DELETE', url, 'owner')).status).toBe(403)
  })
})

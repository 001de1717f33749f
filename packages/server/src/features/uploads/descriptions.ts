/** What the routes of files say of themselves (contract §10). */
import { catalogue, type ErrorCode, type JsonSchema } from '@dala/model'
import { type Descriptions, exactly, json, listOf, type QueryKey, schemaRef } from '../../http/description.ts'
import { maxFiles } from './limits.ts'
import { formatBoxes } from './stored-names.ts'

export const group = 'Files'
const text: JsonSchema = { type: 'string' }
const whole: JsonSchema = { type: 'integer' }
const number: JsonSchema = { type: 'number' }
const anything: JsonSchema = {}
export const orNull = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: 'null' }] })
const empty: JsonSchema = { type: 'null' }
const object: JsonSchema = { type: 'object' }

/** WebP beside a smaller copy of another kind, where it is smaller still. */
const webp = exactly({ ext: { const: '.webp' }, mime: { const: 'image/webp' }, size: number, url: text })
const copyKeys = {
  name: text,
  hash: text,
  ext: text,
  mime: text,
  width: whole,
  height: whole,
  size: number,
  url: text,
  path: empty,
  webp,
}
const copy = exactly(copyKeys, ['webp'])
const copies = exactly(
  Object.fromEntries(Object.keys(formatBoxes).map((name) => [name, copy])),
  Object.keys(formatBoxes),
)

/** Addresses of the smaller copies, by the name of the size. */
const addressed = exactly(
  Object.fromEntries(
    Object.keys(formatBoxes).map((name) => [name, exactly({ url: text, webp: exactly({ url: text }) }, ['webp'])]),
  ),
  Object.keys(formatBoxes),
)

/** The record as it is answered, flat. */
export const record = exactly({
  id: whole,
  name: text,
  alternativeText: orNull(text),
  caption: orNull(text),
  alt: orNull({ anyOf: [text, object] }),
  captions: orNull({ anyOf: [text, object] }),
  folder: orNull(text),
  focal: orNull(exactly({ x: number, y: number })),
  width: orNull(whole),
  height: orNull(whole),
  formats: orNull(copies),
  hash: orNull(text),
  ext: orNull(text),
  mime: orNull(text),
  size: orNull({ ...number, description: 'Thousands of bytes, two decimals' }),
  url: orNull({ ...text, description: 'Path on the host; the file is also there without `/uploads`' }),
  previewUrl: orNull(text),
  provider: text,
  provider_metadata: anything,
  sha256: orNull({ ...text, description: 'Of the bytes as they came in; null for files from before there was one' }),
  original: orNull({ ...whole, description: 'The file this one was cut from' }),
  crop: { description: 'How it was cut, as the client wrote it; null when it was not' },
  private: {
    type: 'boolean',
    description: 'A field with limited readers holds it, or held it: its bytes are served by `…/address` only',
  },
  createdAt: text,
  updatedAt: text,
})

const info =
  'JSON: name, alternativeText, caption, alt, captions, folder, focal {x, y from 0 to 1}, original (id of the file it was cut from), crop (2 KB); ' +
  'repeated for several files, in their order'
const binary: JsonSchema = { type: 'string', format: 'binary' }
const form: JsonSchema = {
  type: 'object',
  properties: {
    files: { anyOf: [binary, { ...listOf(binary), maxItems: maxFiles }] },
    fileInfo: { anyOf: [text, listOf(text)], description: info },
    ref: { ...text, description: 'Resource of a record that takes the files at once: `news` or `api::news.news`' },
    refId: { ...text, description: 'Its id' },
    field: { ...text, description: 'Its picture field' },
  },
}
const ifUnused: QueryKey = {
  name: 'if_unused',
  description: 'true: refuse with the places of use instead of cutting links',
  schema: { type: 'string', enum: ['true', '1'] },
}
const keys: readonly QueryKey[] = [
  { name: 'id', description: 'Change this file instead of adding one; only its owner and staff may', schema: whole },
  { name: 'name', description: 'Name of a file that is sent as the body itself', schema: text },
]

const listKeys: readonly QueryKey[] = [
  { name: 'filters', description: 'As in `GET /api/uploads`', schema: schemaRef('uploads.Filters') },
  { name: 'start', description: 'Files to skip', schema: whole },
  {
    name: 'limit',
    description: 'Files to answer: 1,000 without start and limit, else 15 when absent, 100 at most',
    schema: whole,
  },
]

/** Areas of the catalogue that belong to other routes. A record that takes files at once may refuse with its own. */
const elsewhere = /^(?:auth|chat|file|query|request|route|server|upload|user)\./
const ofRecords = Object.keys(catalogue).filter((code): code is ErrorCode => code in catalogue && !elsewhere.test(code))
const refused: readonly ErrorCode[] = [
  ...ofRecords,
  'upload.empty',
  'upload.type',
  'upload.broken',
  'upload.too-slow',
  'upload.dimensions',
  'upload.too-many-files',
  'upload.target',
  'upload.file-too-large',
  'upload.quota',
  'upload.replace-used',
  'upload.too-many-at-once',
  'file.not-found',
  'server.disk-full',
]
export const ownOrStaff = { authenticated: 'bounded', admin: 'all', 'super-admin': 'all', owner: 'all' }
export const everybody = { authenticated: 'bounded', admin: 'all', 'super-admin': 'all', owner: 'all' }

const removal = (summary: string) => ({
  group,
  summary,
  query: [ifUnused],
  answers: { 200: json(record) },
  refusals: ['access.denied', 'file.not-found', 'file.in-use', 'record.in-use'] as const,
  roles: ownOrStaff,
})

export const readRefusals = [
  'access.denied',
  'query.parameter',
  'query.operator',
  'query.value',
  'query.direction',
  'query.pagination',
] as const

export const uploadDescriptions: Descriptions = {
  'POST /api/upload': {
    group,
    id: 'files.upload',
    summary: 'Upload pictures, or change one',
    details:
      'JPEG, PNG, WebP and GIF by their content; each is decoded, turned upright and written anew without metadata. ' +
      'A picture may also be the body itself. With `id` the answer is one record, else a list. A picture that is replaced ' +
      'stays at its former addresses too, which then show the new one; below staff only while no record but the own profile uses it.',
    query: keys,
    body: {
      'multipart/form-data': form,
      'image/*': binary,
      'application/json': { type: 'object', properties: { fileInfo: object } },
    },
    answers: { 200: json({ anyOf: [listOf(record), record] }) },
    refusals: refused,
    roles: ownOrStaff,
  },
  'GET /api/upload/files': {
    group,
    id: 'files.list',
    summary: 'List files, bare and flat',
    query: ['search', 'sort', ...listKeys],
    answers: { 200: json(listOf(record)) },
    refusals: readRefusals,
    roles: everybody,
  },
  'GET /api/upload/files/:id': {
    group,
    id: 'files.get',
    summary: 'Read one file’s record',
    answers: { 200: json(record) },
    refusals: ['access.denied', 'file.not-found'],
    roles: everybody,
  },
  'GET /api/upload/files/:id/address': {
    group,
    id: 'files.address',
    summary: 'Get addresses that a file is served at',
    details:
      'Of a private file they are signed and hold for five minutes, `expiresAt` says until when; without a signature ' +
      'its bytes are 404. Of any other file they are those of its record, and `expiresAt` is null.',
    answers: {
      200: json(
        exactly({
          data: exactly({ url: orNull(text), formats: orNull(addressed), expiresAt: orNull(text) }),
        }),
      ),
    },
    refusals: ['access.denied', 'file.not-found'],
    roles: everybody,
  },
  'DELETE /api/upload/files/:id': {
    id: 'files.remove',
    ...removal('Move a file into the trash; its links are cut until it is restored'),
  },
  'DELETE /api/media/:id': {
    id: 'media.remove',
    ...removal('Move a file into the trash, by the address of the panel’s gallery'),
  },
}

/** Contracts of files: uploading, reading and deleting (contract §10). */
import * as z from 'zod'
import { catalogue, type ErrorCode } from '../../errors/errors.ts'
import type { JsonSchema } from '../../fields/kind.ts'
import { maxFiles } from '../uploads.ts'
import type { Contracts } from './contract.ts'
import { dataAnswer, handlerKey } from './parts.ts'

export const routeGroup = 'Files'
const number = z.number()
const texts = z.union([z.string(), z.record(z.string(), z.unknown())]).nullable()

/** A WebP version of a smaller copy of a picture, where it is smaller still. */
const webp = z.strictObject({
  ext: z.literal('.webp'),
  mime: z.literal('image/webp'),
  size: number,
  url: z.string(),
})
const resizedCopy = z.strictObject({
  name: z.string(),
  hash: z.string(),
  ext: z.string(),
  mime: z.string(),
  width: z.int(),
  height: z.int(),
  size: number,
  url: z.string(),
  path: z.null(),
  webp: webp.optional(),
})
const copies = z.strictObject({
  large: resizedCopy.optional(),
  medium: resizedCopy.optional(),
  small: resizedCopy.optional(),
  thumbnail: resizedCopy.optional(),
})

/** Addresses of a smaller copy of a picture. */
const address = z.strictObject({ url: z.string(), webp: z.strictObject({ url: z.string() }).optional() })
const addresses = z.strictObject({
  large: address.optional(),
  medium: address.optional(),
  small: address.optional(),
  thumbnail: address.optional(),
})
const signedAddress = z.strictObject({
  url: z.string().nullable(),
  /** Smaller copies of a picture by the name of their size. */
  formats: addresses.nullable(),
  expiresAt: z.string().nullable(),
})

/** Details of a stored video. */
const video = z.strictObject({
  duration_s: number.describe('In seconds, with three decimals'),
  width: z.int(),
  height: z.int(),
  codecs: z.array(z.string()),
  size: z.int().describe('In bytes'),
  warning: z
    .literal('video.index-at-end')
    .describe('The index of the mp4 is behind its pictures, so that browsers start it late')
    .optional(),
})

/** The flat record of an uploaded file. */
export const file = z.strictObject({
  id: z.int(),
  name: z.string(),
  alternativeText: z.string().nullable(),
  caption: z.string().nullable(),
  alt: texts,
  captions: texts,
  folder: z.string().nullable(),
  focal: z.strictObject({ x: number, y: number }).nullable(),
  width: z.int().nullable(),
  height: z.int().nullable(),
  formats: copies.nullable(),
  hash: z.string().nullable(),
  ext: z.string().nullable(),
  mime: z.string().nullable(),
  size: number.describe('In thousands of bytes, with two decimals').nullable(),
  url: z.string().describe('Path on the host; the file is also served without `/uploads`').nullable(),
  previewUrl: z.string().nullable(),
  provider: z.string(),
  provider_metadata: z.unknown(),
  sha256: z
    .string()
    .describe('Hash of the bytes as they were received; null for files that were stored without one')
    .nullable(),
  original: z.int().describe('Id of the file that this one was cut from').nullable(),
  crop: z.unknown().describe('How the file was cut, as the client sent it; null when it was not cut'),
  private: z
    .boolean()
    .describe(
      'A field with limited readers links to the file, or did so before; its bytes are served only at the addresses from `…/address`',
    ),
  createdAt: z.string(),
  updatedAt: z.string(),
  video: video.describe('Only of a video').optional(),
})

const fileDetails =
  'JSON: name, alternativeText, caption, alt, captions, folder, focal {x, y from 0 to 1}, original (id of the file it was cut from), crop (2 KB); ' +
  'repeated for several files, in their order'
const text: JsonSchema = { type: 'string' }
const binary: JsonSchema = { type: 'string', format: 'binary' }
const uploadForm: JsonSchema = {
  type: 'object',
  properties: {
    files: { anyOf: [binary, { type: 'array', items: binary, maxItems: maxFiles }] },
    fileInfo: { anyOf: [text, { type: 'array', items: text }], description: fileDetails },
    ref: {
      ...text,
      description: 'Resource of a record that the files are added to in the same call: `news` or `api::news.news`',
    },
    refId: { ...text, description: 'Id of the record' },
    field: { ...text, description: 'Picture field of the record' },
  },
}

/**
 * Prefixes of error codes that belong to other routes. A record that accepts files at once may answer with
 * its own.
 */
const otherCodesPattern = /^(?:auth|chat|file|query|request|route|server|upload|user)\./
const recordCodes = Object.keys(catalogue).filter(
  (code): code is ErrorCode => code in catalogue && !otherCodesPattern.test(code),
)

export const ownFilesOrStaff = { authenticated: 'bounded', admin: 'all', 'super-admin': 'all', owner: 'all' }
export const everybodyRights = { authenticated: 'bounded', admin: 'all', 'super-admin': 'all', owner: 'all' }

const removalQuery = {
  group: routeGroup,
  query: z.object({
    if_unused: handlerKey({
      type: 'string',
      enum: ['true', '1'],
      description: 'With true, a file in use is refused with its uses; otherwise its links are removed',
    }),
  }),
  answers: { 200: file },
  refusals: ['access.denied', 'file.not-found', 'file.in-use', 'record.in-use'],
  roles: ownFilesOrStaff,
} as const

export const readRefusals = [
  'access.denied',
  'query.parameter',
  'query.operator',
  'query.value',
  'query.direction',
  'query.pagination',
] as const satisfies readonly ErrorCode[]

export const uploadRoutes = {
  'POST /api/upload': {
    group: routeGroup,
    id: 'files.upload',
    summary: 'Upload pictures, or replace one',
    details:
      'JPEG, PNG, WebP and GIF, recognised by their content. Each picture is decoded, turned upright and encoded again without metadata. ' +
      'The body can also be the picture itself. With `id`, the answer is one record, otherwise a list. The former addresses of a replaced ' +
      'picture show the new one. Callers who are not staff can replace a picture only while no record except their own profile uses it.',
    query: z.object({
      id: handlerKey({
        type: 'integer',
        description: 'Change this file instead of adding one; only for its owner and staff',
      }),
      name: handlerKey({ type: 'string', description: 'Name of a file that is sent as the body itself' }),
    }),
    body: {
      media: {
        'multipart/form-data': uploadForm,
        'image/*': binary,
        'application/json': { type: 'object', properties: { fileInfo: { type: 'object' } } },
      },
    },
    answers: { 200: z.union([z.array(file), file]) },
    refusals: [
      ...recordCodes,
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
    ],
    roles: ownFilesOrStaff,
  },
  'GET /api/upload/files': {
    group: routeGroup,
    id: 'files.list',
    summary: 'List files as a flat array without an envelope',
    shared: ['search', 'sort'],
    query: z.object({
      filters: handlerKey({ $ref: '#/components/schemas/uploads.Filters', description: 'As in `GET /api/uploads`' }),
      start: handlerKey({ type: 'integer', description: 'Number of files to skip' }),
      limit: handlerKey({
        type: 'integer',
        description: 'Number of files: without start and limit 1,000, otherwise 15 by default and at most 100',
      }),
    }),
    answers: { 200: z.array(file) },
    refusals: readRefusals,
    roles: everybodyRights,
  },
  'GET /api/upload/files/:id': {
    group: routeGroup,
    id: 'files.get',
    summary: 'Read the record of a file',
    answers: { 200: file },
    refusals: ['access.denied', 'file.not-found'],
    roles: everybodyRights,
  },
  'GET /api/upload/files/:id/address': {
    group: routeGroup,
    id: 'files.address',
    summary: 'Get the addresses at which a file is served',
    details:
      'The addresses of a private file are signed and valid for five minutes, until `expiresAt`; without a signature, ' +
      'the answer is 404. The addresses of any other file are those of its record, and `expiresAt` is null.',
    answers: { 200: dataAnswer(signedAddress) },
    refusals: ['access.denied', 'file.not-found'],
    roles: everybodyRights,
  },
  'DELETE /api/upload/files/:id': {
    ...removalQuery,
    id: 'files.remove',
    summary: 'Move a file to the trash; its links are removed until it is restored',
  },
  'DELETE /api/media/:id': {
    ...removalQuery,
    id: 'media.remove',
    summary: 'Move a file to the trash, at the address that the gallery uses',
  },
} as const satisfies Contracts

export type FileRecord = z.output<typeof file>
export type VideoDetails = z.output<typeof video>
export type FileAddresses = z.output<typeof signedAddress>

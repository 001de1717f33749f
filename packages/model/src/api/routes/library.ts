/** Contracts of the file library: search, folders and uses of files (contract §10). */
import * as z from 'zod'
import { locales } from '../../locales.ts'
import { maxFilesTogether } from '../uploads.ts'
import type { Contracts } from './contract.ts'
import { data, dataAnswer, handlerKey, id, nullableText, oneOf, pagination, textKey, booleanKey } from './parts.ts'
import { everybodyRights, file, routeGroup, ownFilesOrStaff, readRefusals } from './uploads.ts'

const use = z.strictObject({
  /** Wire name of the resource that uses the file. */
  resource: z.string(),
  id: z.int(),
  field: z.string(),
  name: z.string().describe('Null when the record has no name').nullable(),
})
const fileUses = z.array(use).max(100)
const folder = z.strictObject({ folder: z.string().nullable(), count: z.int() })
const share = z.strictObject({ used: z.int(), most: z.int() })
const usage = z.strictObject({
  files: share.describe('Number of files, videos included'),
  bytes: share.describe('Bytes of all files except videos, with the smaller copies of pictures'),
  video_bytes: share.describe('Bytes of videos, which have a quota of their own'),
})
const refusedFile = z.strictObject({ id: z.int(), name: z.string(), uses: fileUses })
const ids = z.array(id).min(1).max(maxFilesTogether).readonly()
const bodyRefusals = ['access.denied', 'file.not-found', 'request.unprocessable', 'record.in-use'] as const

export const libraryRoutes = {
  'GET /api/upload/library': {
    group: routeGroup,
    id: 'files.library',
    summary: 'List one page of the library',
    details: '`filters[sha256]` finds a stored file with the same bytes.',
    shared: ['sort', 'pagination'],
    query: z.object({
      _q: textKey('Text in names and alternative texts of all languages').optional(),
      filters: handlerKey({ $ref: '#/components/schemas/uploads.Filters', description: 'As in `GET /api/uploads`' }),
      unused: booleanKey('true: files that no record links to'),
      mine: booleanKey('true: files that the caller has uploaded'),
      missing_alt: oneOf(locales, 'Files without an alternative text in this language', 'query.parameter'),
    }),
    answers: {
      200: z.strictObject({
        data: z.array(file),
        meta: z.strictObject({
          pagination,
          originals: z
            .record(z.string(), z.string())
            .describe('For staff: names of the files that other files were cut from, by the id of the cut file'),
        }),
      }),
    },
    refusals: [...readRefusals, 'query.pagination-mixed', 'query.too-large'],
    roles: everybodyRights,
  },
  'GET /api/upload/folders': {
    group: routeGroup,
    id: 'files.folders',
    summary: 'List the folders of files',
    details:
      'A folder is a label of files, with levels separated by slashes, so there are no empty folders. Files without a folder (null) come first.',
    answers: { 200: dataAnswer(z.array(folder)) },
    refusals: ['access.denied'],
    roles: everybodyRights,
  },
  'GET /api/upload/usage': {
    group: routeGroup,
    id: 'files.usage',
    summary: 'Get how much of their space for files the caller has used',
    details: 'Unfinished uploads count with their whole size. Files in the trash do not count.',
    answers: { 200: dataAnswer(usage) },
    refusals: ['access.denied'],
    roles: everybodyRights,
  },
  'GET /api/upload/files/:id/uses': {
    group: routeGroup,
    id: 'files.uses',
    summary: 'List the uses of a file',
    details:
      'Lists uses by records and fields that the caller may read, among the first hundred. `total` counts all uses, ' +
      'including those that the caller may not read.',
    answers: { 200: z.strictObject({ data: fileUses, meta: z.strictObject({ total: z.int() }) }) },
    refusals: ['access.denied', 'file.not-found'],
    roles: everybodyRights,
  },
  'POST /api/upload/move': {
    group: routeGroup,
    id: 'files.move',
    summary: 'Move files to a folder, all or none',
    body: data({ ids, folder: nullableText(255) }),
    answers: { 200: dataAnswer(z.strictObject({ moved: z.array(z.int()) })) },
    refusals: bodyRefusals,
    roles: ownFilesOrStaff,
  },
  'POST /api/upload/remove': {
    group: routeGroup,
    id: 'files.removeSeveral',
    summary: 'Delete files that nothing uses',
    details:
      'Files in use are not deleted; `refused` lists them with their uses. A file can be deleted together with the files that were cut from it.',
    body: data({ ids }),
    answers: { 200: dataAnswer(z.strictObject({ removed: z.array(z.int()), refused: z.array(refusedFile) })) },
    refusals: bodyRefusals,
    roles: ownFilesOrStaff,
  },
} as const satisfies Contracts

/** A use of a file, by a record and a field that the caller may read. */
export type FileUse = z.output<typeof use>
/** The used and the allowed space of a user for files. */
export type FileUsage = z.output<typeof usage>
export type FolderCount = z.output<typeof folder>
export type RefusedFile = z.output<typeof refusedFile>

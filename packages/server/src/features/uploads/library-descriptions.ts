/** What the routes of the library say of themselves (contract §10, ours). */
import { type JsonSchema, locales } from '@dala/model'
import { type Descriptions, exactly, json, listOf, type QueryKey, schemaRef } from '../../http/description.ts'
import { everybody, group, orNull, ownOrStaff, readRefusals, record } from './descriptions.ts'
import { maxTogether } from './limits.ts'

const text: JsonSchema = { type: 'string' }
const whole: JsonSchema = { type: 'integer' }
const use = exactly({
  resource: text,
  id: whole,
  field: text,
  name: orNull({ ...text, description: 'Null where the record has none' }),
})
const uses = { ...listOf(use), maxItems: 100 }
const ids = { ...listOf(whole), minItems: 1, maxItems: maxTogether }
const libraryKeys: readonly QueryKey[] = [
  { name: '_q', description: 'Looks through names and alternative texts of all languages', schema: text },
  { name: 'filters', description: 'As in `GET /api/uploads`', schema: schemaRef('uploads.Filters') },
  { name: 'unused', description: 'true: files that no record links to', schema: { type: 'boolean' } },
  { name: 'mine', description: 'true: files that the caller has uploaded', schema: { type: 'boolean' } },
  {
    name: 'missing_alt',
    description: 'Files without an alternative text in this language',
    schema: { type: 'string', enum: locales },
  },
]
const bodyRefusals = ['access.denied', 'file.not-found', 'request.unprocessable', 'record.in-use'] as const

const originals: JsonSchema = {
  type: 'object',
  additionalProperties: text,
  description: 'For staff: the name of the file that a file was cut from, by the id of the cut',
}

export const libraryDescriptions: Descriptions = {
  'GET /api/upload/library': {
    group,
    id: 'files.library',
    summary: 'One page of the library',
    details: 'A text of `filters[sha256]` finds a file whose bytes are there already.',
    query: ['sort', 'pagination', ...libraryKeys],
    answers: {
      200: json(exactly({ data: listOf(record), meta: exactly({ pagination: schemaRef('Pagination'), originals }) })),
    },
    refusals: [...readRefusals, 'query.pagination-mixed', 'query.too-large'],
    roles: everybody,
  },
  'GET /api/upload/folders': {
    group,
    id: 'files.folders',
    summary: 'List the folders of files',
    details: 'A folder is a label on files, its levels parted by slashes: there are no empty ones. Null stands first.',
    answers: { 200: json(exactly({ data: listOf(exactly({ folder: orNull(text), count: whole })) })) },
    refusals: ['access.denied'],
    roles: everybody,
  },
  'GET /api/upload/files/:id/uses': {
    group,
    id: 'files.uses',
    summary: 'List what uses a file',
    details:
      'Uses by records and fields that the caller may read, among the first hundred. `total` counts all uses: one that ' +
      'the caller may not read is counted and nothing else.',
    answers: { 200: json(exactly({ data: uses, meta: exactly({ total: whole }) })) },
    refusals: ['access.denied', 'file.not-found'],
    roles: everybody,
  },
  'POST /api/upload/move': {
    group,
    id: 'files.move',
    summary: 'Put files into a folder, all or none',
    body: json(exactly({ data: exactly({ ids, folder: orNull({ ...text, maxLength: 255 }) }) })),
    answers: { 200: json(exactly({ data: exactly({ moved: listOf(whole) }) })) },
    refusals: bodyRefusals,
    roles: ownOrStaff,
  },
  'POST /api/upload/remove': {
    group,
    id: 'files.removeSeveral',
    summary: 'Delete files that nothing uses',
    details: 'Files in use stay and are told with what uses them. A file and the cuts of it may go together.',
    body: json(exactly({ data: exactly({ ids }) })),
    answers: {
      200: json(
        exactly({
          data: exactly({ removed: listOf(whole), refused: listOf(exactly({ id: whole, name: text, uses })) }),
        }),
      ),
    },
    refusals: bodyRefusals,
    roles: ownOrStaff,
  },
}

/**
 * Contracts of the translation memory: suggestions, files of translations (TMX), and work for an office of translators
 * (XLIFF).
 */
import * as z from 'zod'
import { locales } from '../../locales.ts'
import { resources } from '../../resources/index.ts'
import { memoryFields, memoryLimits } from '../memory.ts'
import type { Resource } from '../../declaration/define-resource.ts'
import type { Contracts } from './contract.ts'
import {
  dataAnswer,
  id,
  idsKey,
  locale,
  moment,
  okAnswer,
  oneOf,
  optionalIdKey,
  textKey,
  whole,
  wireIssue,
} from './parts.ts'

const group = 'Translation memory'
const readers = { admin: 'all', 'super-admin': 'all', owner: 'all' }
const managers = { 'super-admin': 'all', owner: 'all' }
/** Refusals of a file that is received. */
const fileRefusals = [
  'access.denied',
  'request.unprocessable',
  'memory.file',
  'memory.declarations',
  'memory.format',
  'memory.size',
  'memory.empty',
  'server.busy',
] as const
const translated = Object.values<Resource>(resources)
  .filter((resource) => memoryFields(resource).length > 0)
  .map(({ wire }) => wire)

const binary = { type: 'string', format: 'binary' } as const
const fileForm = (properties: Readonly<Record<string, object>> = {}) => ({
  media: {
    'multipart/form-data': {
      type: 'object',
      properties: { files: binary, ...properties },
      required: ['files', ...Object.keys(properties)],
    },
  },
})

const sourceKey = oneOf(locales, 'Language of the source texts; `ru` when absent', 'query.parameter')
const targetKey = oneOf(locales, 'Language of the translations; `kaa` when absent', 'query.parameter')
const resourceKey = oneOf(translated, 'Resource of the texts', 'query.parameter')

const suggestion = z.strictObject({
  share: z.int().min(memoryLimits.leastShare).max(100).describe('Similarity in percent; 100 is the same text'),
  source: z.string(),
  target: z.string(),
  uses: z
    .array(z.strictObject({ resource: z.string(), id, name: z.string().nullable(), field: z.string() }))
    .max(memoryLimits.uses)
    .describe('Records that the caller may read, the latest first'),
  imported: z.strictObject({ name: z.string(), at: moment }).nullable().describe('The file that brought it, if any'),
})

const importedMemory = z.strictObject({
  id,
  name: z.string().describe('Name of the file'),
  segments: whole.describe('Segments of the file that the memory has, each language counted'),
  at: moment,
})

/** Reasons for which a unit of an imported memory is left out. */
export const skippedUnits = ['language', 'text', 'long', 'twice'] as const

/** Outcomes of a record in a file from an office of translators. */
export const workOutcomes = ['written', 'unchanged', 'empty', 'refused'] as const

/** Reasons for which the translation of a record is refused. */
export const workReasons = ['unknown', 'denied', 'source', 'target', 'marks', 'incomplete', 'values'] as const

const workRecord = z.strictObject({
  resource: z.string(),
  id: id.nullable().describe('Null for a record that the caller may not read, or that is gone'),
  name: z.string().nullable(),
  outcome: z.enum(workOutcomes),
  reason: z
    .enum(workReasons)
    .nullable()
    .describe('Why it is refused; `incomplete` also for a written one that stays outdated'),
  issues: z.array(wireIssue).describe('The refused values'),
  field: z.string().nullable().describe('The text whose inline codes or translation are missing'),
  fields: whole.describe('Number of translated texts'),
})

export const memoryRoutes = {
  'GET /api/memory/suggestions': {
    group,
    id: 'memory.suggestions',
    summary: 'Find earlier translations of a text, and of similar ones',
    details: `At most ${memoryLimits.suggestions}, from ${memoryLimits.leastShare} %, best first. 100 is the same text, 99 differs in letter case, alphabet or punctuation alone. Only texts of records that the caller may read are found, and those of imported files. Texts that were changed a moment ago are found once they have been read.`,
    query: z.object({
      q: textKey('The text to translate: a sentence, or a short text', memoryLimits.textLength).optional(),
      source: sourceKey,
      target: targetKey,
      resource: resourceKey,
      record: optionalIdKey('Record whose own translation is left out'),
      field: textKey('Field whose own translation is left out', 63).optional(),
      locale: oneOf(locales, "Language of names; the caller's language when absent", 'query.parameter'),
    }),
    answers: {
      200: z.strictObject({
        data: z.array(suggestion).max(memoryLimits.suggestions),
        meta: z.strictObject({ reading: z.boolean().describe('Whether texts are still waiting to be read') }),
      }),
    },
    refusals: ['access.denied', 'query.parameter', 'query.value'],
    roles: readers,
  },
  'GET /api/memory/tmx': {
    group,
    id: 'memory.export',
    summary: 'Download the translation memory of two languages as TMX 1.4',
    details: `Texts of records that the caller may read, and those of imported files, each pair once; at most ${memoryLimits.exportedSegments}. Each unit names the field it comes from.`,
    query: z.object({ source: sourceKey, target: targetKey }),
    answers: { 200: { media: { 'application/x-tmx+xml': binary } } },
    refusals: ['access.denied', 'query.parameter', 'query.value', 'server.busy'],
    roles: readers,
  },
  'GET /api/memory/imports': {
    group,
    id: 'memory.imports',
    summary: 'List the imported translation memories, newest first',
    details: 'At most 100.',
    answers: { 200: dataAnswer(z.array(importedMemory)) },
    refusals: ['access.denied'],
    roles: readers,
  },
  'POST /api/memory/imports': {
    group,
    id: 'memory.import',
    summary: 'Import a translation memory from a TMX file',
    details: `A file of at most 10 MB and ${memoryLimits.importedUnits} units, in UTF-8 or UTF-16. It is stored in parts; one that fails midway is listed with the segments that were stored. Units keep those of their languages that the product has. A document type with declarations of its own is refused.`,
    body: fileForm(),
    answers: {
      200: z.strictObject({
        data: importedMemory,
        meta: z.strictObject({
          units: whole.describe('Units of the file'),
          skipped: z.record(z.enum(skippedUnits), whole).describe('Units that were left out, by reason'),
        }),
      }),
    },
    refusals: ['record.not-found', ...fileRefusals],
    roles: managers,
  },
  'DELETE /api/memory/imports/:id': {
    group,
    id: 'memory.remove',
    summary: 'Remove an imported translation memory',
    answers: { 200: okAnswer },
    refusals: ['access.denied', 'record.not-found', 'server.busy'],
    roles: managers,
  },
  'GET /api/memory/work': {
    group,
    id: 'memory.work',
    summary: 'Download texts to translate as XLIFF 2.1',
    details: `Records of a resource without the language, or whose translation is outdated: at most ${memoryLimits.workRecords}, the newest first. Each text is a unit with its name and its limit; marks of rich texts are inline codes.`,
    query: z.object({
      resource: resourceKey,
      source: sourceKey,
      target: targetKey,
      of: oneOf(
        ['missing', 'outdated'],
        'Records without a translation, or with an outdated one; `missing` when absent, unless `ids` names records',
        'query.parameter',
      ),
      ids: idsKey(memoryLimits.workRecords, 'Only these records, by their ids in the source language'),
    }),
    answers: { 200: { media: { 'application/xliff+xml': binary } } },
    refusals: ['access.denied', 'query.parameter', 'query.value', 'memory.no-work', 'server.busy'],
    roles: readers,
  },
  'POST /api/memory/work': {
    group,
    id: 'memory.deliver',
    summary: 'Try or write translations from an XLIFF file',
    details: `\`mode=try\` writes nothing and answers what \`mode=write\` would do. Each record is written in one transaction of its own, with the rights of the caller. A record is refused whole when its source or its translation has changed since the file was made, when inline codes are missing or added, or when the write path refuses a value; the others are written. An outdated translation becomes current only where every text of the source came back changed or is called translated; otherwise its texts are written, it stays outdated, and the first other text is named. A missing translation is written only with every text.`,
    body: fileForm({ mode: { type: 'string', enum: ['try', 'write'] } }),
    answers: {
      200: z.strictObject({
        data: z.array(workRecord).max(memoryLimits.workRecords),
        meta: z.strictObject({
          source: locale,
          target: locale,
          counts: z.record(z.enum(workOutcomes), whole),
        }),
      }),
    },
    refusals: fileRefusals,
    roles: readers,
  },
} as const satisfies Contracts

export type MemorySuggestion = z.output<typeof suggestion>
export type ImportedMemory = z.output<typeof importedMemory>
export type WorkRecord = z.output<typeof workRecord>
export type WorkOutcome = (typeof workOutcomes)[number]

/** The translation memory: its limits, the fields that it reads, and who may use it. */
import type { AccessTable } from '../access/access.ts'
import type { Resource } from '../declaration/define-resource.ts'
import type { Field } from '../fields/field.ts'

/** Limits of the translation memory. */
export const memoryLimits = {
  /** Least similarity of a suggestion, in percent. */
  leastShare: 60,
  /** Most suggestions for one segment, and most places where each was used. */
  suggestions: 3,
  uses: 3,
  /** Most letters of a segment. */
  textLength: 1_000,
  /** Most segments that share rare words with the searched one, and most that are compared letter by letter. */
  candidates: 2_000,
  compared: 40,
  /** Most records with the same source text that are looked at, the newest first. */
  usesPerText: 30,
  /** Most segments of one field that are read; a longer text is in the memory with its beginning. */
  segmentsPerField: 400,
  /** Most segments of an exported file. */
  exportedSegments: 100_000,
  /** Most bytes, translations, elements and nested elements of a file from elsewhere. */
  fileBytes: 10_485_760,
  importedUnits: 50_000,
  elements: 500_000,
  depth: 32,
  /** Most records of a file for a translation office. */
  workRecords: 200,
} as const

/**
 * Rights of staff in the translation memory: who reads suggestions and takes work to an office of translators, and who
 * imports a memory or removes one.
 */
export const memoryAccess = {
  read: 'admin',
  create: 'super-admin',
  remove: 'super-admin',
} as const satisfies AccessTable

const memoryKinds: readonly Field['kind'][] = ['text', 'longText', 'rich']

/**
 * Returns the fields of a resource whose translations the memory keeps: texts for readers in each language.
 *
 * @example
 * memoryFields(resources.tags) // ['name'], not its slug
 */
export const memoryFields = ({ localized, fields }: Pick<Resource, 'localized' | 'fields'>): string[] =>
  localized
    ? Object.entries<Field>(fields).flatMap(([name, field]) => {
        const isUsed =
          field.localized === true &&
          memoryKinds.includes(field.kind) &&
          field.private !== true &&
          !('exact' in field && field.exact) &&
          !('unsearched' in field && field.unsearched)
        return isUsed ? [name] : []
      })
    : []

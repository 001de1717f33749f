/** Prepares checked values for storing: sanitises rich text, fills slugs, hashes secrets. */
import { type Field, type Fields, isScalar, type Resource, slugOf, type ValidationMode } from '@dala/model'
import type { EngineParts } from '../../db/database.ts'
import { sanitizeRich } from '../rich-text.ts'

/**
 * Replaces rich texts of a body by their sanitised form and passwords by their hash.
 *
 * @param fields - The fields of the resource.
 * @param values - Checked values by field.
 * @param parts - The parts of the engine, which hash passwords.
 * @returns The values to store, by field.
 */
export async function prepareValues(
  fields: Fields,
  values: Record<string, unknown>,
  { hashPassword }: EngineParts,
): Promise<Record<string, unknown>> {
  const preparedValues: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(values)) {
    const kind = fields[name]?.kind
    if (kind === 'rich' && typeof value === 'string') preparedValues[name] = sanitizeRich(value)
    else if (kind === 'password' && typeof value === 'string') preparedValues[name] = await hashPassword(value)
    else preparedValues[name] = value
  }
  return preparedValues
}

/** A slug that the write makes from a text, with a number appended when it is taken. */
export interface SlugRequest {
  name: string
  base: string
  localized: boolean
}

/**
 * Finds the empty slugs that are to be made from the field they name. A new document gets all its slugs, a
 * new language only localized ones. An update makes only a slug that was emptied on purpose: saved addresses
 * must not change with a name.
 */
export function slugRequests(
  { fields }: Resource,
  values: Readonly<Record<string, unknown>>,
  mode: ValidationMode,
): SlugRequest[] {
  return Object.entries<Field>(fields).flatMap(([name, field]): SlugRequest[] => {
    if (!isScalar(field) || field.kind !== 'slug' || !('slugFrom' in field) || !field.slugFrom) return []
    const isNew = mode === 'create' || (mode === 'translate' && field.localized === true)
    if (values[name] || !(isNew || name in values) || !(field.slugFrom in values)) return []
    const baseSlug = slugOf(values[field.slugFrom])
    return baseSlug === '' ? [] : [{ name, base: baseSlug, localized: field.localized === true }]
  })
}

/** Returns the first free slug that begins with a base text. */
export function freeSlug(base: string, takenSlugs: ReadonlySet<string>): string {
  let candidate = base
  for (let number = 2; takenSlugs.has(candidate); number += 1) candidate = `${base}-${number}`
  return candidate
}

/**
 * Makes the minimal draft of a record of any resource from its declaration: required values, and records to
 * link to.
 */
import { type Field, isToMany, isToOne, type Resource, roleTypes } from '@dala/model'
import type { Database } from '../db/database.ts'
import { resourceNamed } from '../resources/attributes.ts'
import { buildRecord, buildRole, buildUpload, buildUser, nextNumber } from './factories.ts'

/** Records that drafts link to, by resource: one of each, shared by all drafts. */
export type Targets = Map<string, Promise<number>>

/**
 * Makes a draft with only the required fields.
 *
 * @param database - The database in which linked records are created.
 * @param resource - The resource.
 * @param targets - Linked records that exist already.
 */
export async function leastDraft(
  database: Database,
  resource: Resource,
  targets: Targets,
): Promise<Record<string, unknown>> {
  const draft: Record<string, unknown> = {}
  for (const [name, field] of Object.entries<Field>(resource.fields)) {
    // The draft of a part also links to its whole, so that a record that links to both finds them consistent.
    const isWanted = field.required || (isToOne(field) && field.parent)
    if (!isWanted || (field.readOnly && !isToOne(field))) continue
    // A file behind a field with limited readers is private, so no other field may share it.
    if (isToOne(field) && field.target === 'uploads' && field.readableBy) draft[name] = await buildUpload(database)
    else if (isToOne(field)) draft[name] = await targetOf(database, field.target, targets)
    else if (isToMany(field)) draft[name] = [await targetOf(database, field.target, targets)]
    else draft[name] = leastValue(name, field)
  }
  return draft
}

function targetOf(database: Database, name: string, targets: Targets): Promise<number> {
  const knownTarget = targets.get(name)
  if (knownTarget) return knownTarget
  const pendingTarget = makeTarget(database, name, targets)
  targets.set(name, pendingTarget)
  return pendingTarget
}

async function makeTarget(database: Database, name: string, targets: Targets): Promise<number> {
  if (name === 'users') return buildUser(database, 'authenticated')
  if (name === 'roles') return buildRole(database, 'authenticated')
  if (name === 'uploads') return buildUpload(database)
  return buildRecord(database, name, await leastDraft(database, resourceNamed(name), targets))
}

/**
 * Returns a date that no other draft has.
 *
 * @returns `1950-01-02`, later for a greater number, and always in the past.
 */
export const dayOf = (number: number): string => new Date(Date.UTC(1950, 0, 1 + number)).toISOString().slice(0, 10)

/** Returns a value that no other draft has, where the field has enough values. */
function leastValue(name: string, field: Field): unknown {
  const number = nextNumber()
  switch (field.kind) {
    case 'int':
    case 'decimal':
      return number
    case 'bool':
      return true
    case 'date':
      return dayOf(number)
    case 'dateTime':
      return new Date(Date.UTC(2020, 0, 1, number)).toISOString()
    case 'choice':
      return name === 'type' && field.values === roleTypes ? 'public' : field.values[number % field.values.length]
    case 'translations':
      return { en: `${name} ${number}` }
    case 'json':
      return {}
    case 'email':
      return `mail-${number}@example.org`
    case 'link':
      return `https://example.org/${number}`
    case 'slug':
      return `slug-${number}`
    case 'colour':
      return '#1a2b3c'
    case 'time':
      return '22:00'
    case 'password':
      return 'Harvest-2026'
    default:
      return `${name} ${number}`
  }
}

/** The one writing path: check, then one transaction with rows, links, revision and audit (architecture.md, decision 7). */
import {
  defaultLocale,
  fault,
  type Issue,
  isLocale,
  type Locale,
  type Resource,
  type Validated,
  validate,
  type ValidationMode,
  validationFault,
} from '@dala/model'
import type { Database, Transaction } from '../db/database.ts'
import type { View } from './attributes.ts'
import {
  differences,
  firstChanges,
  lastChanges,
  shownChanges,
  splitByLanguage,
  type Values,
  valuesOf,
} from './changes.ts'
import { type Author, type Change, recordHistory, type Revision } from './history.ts'
import { constraintFault, isDeadlock, releaseDocument, uniqueIssues } from './integrity.ts'
import { linkColumns, linksAround, type ResolvedLink, resolveLinks, writeLinks } from './links.ts'
import { fillSlugs, prepareValues } from './prepare.ts'
import { readStored } from './read.ts'
import {
  familyOf,
  followSource,
  insertDocument,
  insertText,
  lockEntry,
  removeDocument,
  removeText,
  type StoredEntry,
  updateDocument,
  updateText,
} from './store.ts'

export interface WriteContext {
  database: Database
  author: Author
  /** Rows the author may change; what lies outside does not exist for him. */
  view: View
}

type Draft = Readonly<Record<string, unknown>>

const maxAttempts = 3

/**
 * Runs a write in one transaction; constraint errors of the database become the contract's refusals. A write that met
 * another one head-on (a link made while its target is deleted) runs again.
 */
async function writing<T>(
  { database }: WriteContext,
  resource: Resource,
  work: (trx: Transaction) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await database.transaction(async (trx) => {
        const result = await work(trx)
        trx.changed(resource.name)
        return result
      })
    } catch (error) {
      if (attempt < maxAttempts && isDeadlock(error)) continue
      throw constraintFault(error, resource) ?? error
    }
  }
}

/** Checks against the database what `validate` could not, and throws all issues together. */
async function check(
  trx: Transaction,
  resource: Resource,
  validated: Validated,
  document: number,
  locale: Locale | undefined,
  mode: ValidationMode,
): Promise<Map<string, ResolvedLink>> {
  await fillSlugs(trx, resource, validated.values, locale, mode)
  const { resolved, issues } = await resolveLinks(trx, resource, validated.links)
  const all: Issue[] = [
    ...validated.issues,
    ...issues,
    ...(await uniqueIssues(trx, resource, validated.values, document, locale)),
  ]
  if (all.length > 0) throw validationFault(all)
  return resolved
}

/** The times a seed may set. */
function seededTimes(author: Author, draft: Draft): Values {
  if (!author.seeding || typeof draft.createdAt !== 'string') return {}
  return { created_at: draft.createdAt, updated_at: draft.createdAt }
}

/** The language of a new entry: the body's, else the query's, else English (contract §8). */
export function localeOfDraft(draft: Draft, queryLocale: unknown): Locale {
  const wanted = draft.locale ?? queryLocale ?? defaultLocale
  if (!isLocale(wanted)) throw fault('locale.unknown')
  return wanted
}

/**
 * Makes a new document, and its first entry for a localized type.
 *
 * In: who writes, the resource, the inner body, the language. Out: the wire id.
 * Throws: validation faults with all failing fields; see contract §4 for each rule.
 */
export async function createEntry(
  context: WriteContext,
  resource: Resource,
  draft: Draft,
  locale: Locale | undefined,
): Promise<number> {
  const validated = validate(resource, draft, 'create', { readOnlyToo: context.author.seeding === true })
  return writing(context, resource, async (trx) => {
    const links = await check(trx, resource, validated, 0, locale, 'create')
    const { shared, localized } = splitByLanguage(resource, await prepareValues(resource.fields, validated.values))
    const times = seededTimes(context.author, draft)
    const { columns, targets } = linkColumns(links)
    const document = await insertDocument(trx, resource, shared, {
      ...columns,
      ...(locale ? { source_locale: locale } : times),
    })
    const entry = locale ? await insertText(trx, resource, document, locale, localized, times) : document
    const lists = new Map([...links].filter(([, { attribute }]) => attribute.place.in === 'table'))
    const linked = await writeLinks(trx, resource, document, lists)
    for (const { attribute } of links.values()) trx.changed(attribute.target.name)

    const revisions: Revision[] = [
      { changes: { ...firstChanges(resource, shared), ...firstChanges(resource, targets), ...linked } },
    ]
    if (locale) revisions.push({ locale, changes: firstChanges(resource, localized) })
    await recordHistory(trx, context.author, resource, 'create', document, entry, revisions)
    return entry
  })
}

/**
 * Adds a language to the document that `id` names.
 *
 * Shared fields and relations in the body change the whole family; absent ones stay as they are (contract §8).
 * Out: the new wire id. Throws: 400 for a missing, unknown or used locale and for missing localized fields; 404.
 */
export async function addTranslation(
  context: WriteContext,
  resource: Resource,
  id: number,
  draft: Draft,
): Promise<number> {
  const { locale } = draft
  if (locale === undefined || locale === null || locale === '') throw fault('locale.missing')
  if (!isLocale(locale)) throw fault('locale.invalid')
  const validated = validate(resource, draft, 'translate')
  return writing(context, resource, async (trx) => {
    const member = await lockEntry(trx, resource, id)
    const current = member && (await readStored(trx, resource, id, context))
    if (!member || !current) throw fault('record.not-found')
    const family = await familyOf(trx, resource, member.document)
    if (family.has(locale)) throw fault('locale.used')
    const links = await check(trx, resource, validated, member.document, locale, 'translate')
    const { shared, localized } = splitByLanguage(resource, await prepareValues(resource.fields, validated.values))
    const entry = await insertText(
      trx,
      resource,
      member.document,
      locale,
      localized,
      seededTimes(context.author, draft),
    )
    await followSource(trx, resource, { ...member, entry, locale }, false)
    const changes = await changeShared(trx, resource, member.document, current, shared, links)
    await recordHistory(trx, context.author, resource, 'create', member.document, entry, [
      { changes },
      { locale, changes: firstChanges(resource, localized) },
    ])
    return entry
  })
}

/** Changes what all languages share, links included, and moves the versions of the family once. */
async function changeShared(
  trx: Transaction,
  resource: Resource,
  document: number,
  current: Draft,
  shared: Values,
  links: ReadonlyMap<string, ResolvedLink>,
): Promise<Record<string, Change>> {
  const linked = await writeLinks(trx, resource, document, links)
  const changes = differences(resource, shared, current)
  if (Object.keys(changes).length + Object.keys(linked).length > 0) {
    await updateDocument(trx, resource, document, valuesOf(changes))
  }
  return { ...changes, ...linked }
}

/**
 * Changes an entry in place.
 *
 * In: the wire id and a partial inner body; `version`, when given, must be the stored one.
 * Localized fields change this entry, everything else the whole family. Out: the wire id. A body that changes nothing
 * moves nothing. Throws: 404 outside the caller's rows, 409 with `details.current` for a stale version, 400 faults.
 */
export async function updateEntry(
  context: WriteContext,
  resource: Resource,
  id: number,
  draft: Draft,
): Promise<number> {
  const validated = validate(resource, draft, 'update')
  return writing(context, resource, async (trx) => {
    const stored = await lockEntry(trx, resource, id)
    const current = stored && (await readStored(trx, resource, id, context))
    if (!stored || !current) throw fault('record.not-found')
    if (isStale(draft.version, current.version)) throw fault('record.stale', { details: { current } })

    const links = await check(trx, resource, validated, stored.document, stored.locale, 'update')
    const { shared, localized } = splitByLanguage(resource, await prepareValues(resource.fields, validated.values))
    await writeChanges(trx, context.author, resource, stored, current, { shared, localized, links })
    return id
  })
}

function isStale(given: unknown, version: unknown): boolean {
  return given !== undefined && given !== null && Number(given) !== version
}

async function writeChanges(
  trx: Transaction,
  author: Author,
  resource: Resource,
  stored: StoredEntry,
  current: Draft,
  { shared, localized, links }: { shared: Values; localized: Values; links: ReadonlyMap<string, ResolvedLink> },
): Promise<void> {
  const sharedChanges = await changeShared(trx, resource, stored.document, current, shared, links)
  const ownChanges = differences(resource, localized, current)
  const documentMoves = Object.keys(sharedChanges).length > 0
  if (Object.keys(ownChanges).length > 0) {
    await updateText(trx, resource, stored.entry, valuesOf(ownChanges), !documentMoves)
  }
  // Saving a translation's texts says that it was compared with its source, changed or not.
  if (Object.keys(localized).length > 0) await followSource(trx, resource, stored, Object.keys(ownChanges).length > 0)
  await recordHistory(trx, author, resource, 'update', stored.document, stored.entry, [
    { changes: shownChanges(resource, sharedChanges) },
    ...(stored.locale ? [{ locale: stored.locale, changes: shownChanges(resource, ownChanges) }] : []),
  ])
}

/**
 * Deletes an entry; with the last language, or with `allLanguages`, the document.
 *
 * Throws: 404 outside the caller's rows; 409 with resource and count while a link that must not be cut points here.
 */
export async function removeEntry(
  context: WriteContext,
  resource: Resource,
  id: number,
  allLanguages: boolean,
): Promise<void> {
  return writing(context, resource, async (trx) => {
    const stored = await lockEntry(trx, resource, id)
    if (!stored) throw fault('record.not-found')
    const family = stored.locale ? await familyOf(trx, resource, stored.document) : new Map<Locale, number>()
    const leaving = allLanguages ? [...family] : stored.locale ? [[stored.locale, stored.entry] as const] : []
    const revisions: Revision[] = []
    const snapshot = await readStored(trx, resource, id, context)
    if (!snapshot) throw fault('record.not-found')
    const gone = !stored.locale || leaving.length === family.size
    if (gone) {
      const links = await linksAround(trx, resource, stored.document)
      revisions.push({ changes: { ...lastChanges(resource, snapshot, false), ...links } })
    }
    for (const [locale, entry] of leaving) {
      const text = entry === id ? snapshot : await readStored(trx, resource, entry, context)
      revisions.push({ locale, changes: lastChanges(resource, text ?? {}, true) })
    }
    if (gone) {
      await releaseDocument(trx, resource, stored.document)
      await removeDocument(trx, resource, stored.document)
    } else for (const [locale, entry] of leaving) await removeText(trx, resource, { ...stored, entry, locale })
    await recordHistory(trx, context.author, resource, 'remove', stored.document, stored.entry, revisions)
  })
}

/**
 * The one writing path: checks first, then one transaction with rows, links, revision and audit (decision 7).
 */
import {
  type Caller,
  defaultLocale,
  fault,
  type Field,
  type Issue,
  isLocale,
  isScalar,
  isToOne,
  type LinkChange,
  type Locale,
  parentPairsOf,
  rankOfRole,
  type Resource,
  type ValidatedRecord,
  validateRecord,
  type ValidationMode,
  validationFault,
} from '@dala/model'
import type { Database, EngineParts, Queries, Transaction } from '../../db/database.ts'
import { sql, type Template } from '../../db/sql.ts'
import { documentTable, textTable } from '../../db/schema.ts'
import { linkOf, type View } from '../attributes.ts'
import type { FieldValues } from './behaviour.ts'
import { differences, firstChanges, shownChanges, splitByLanguage, type Values, valuesOf } from './changes.ts'
import { loadWriteContext, type WriteFindings, lockEntry, type StoredEntry } from './examine.ts'
import type { Author, Revision } from '../history/history.ts'
import { constraintFault, isDeadlock, uniqueIssue } from './integrity.ts'
import { lastChangeOf } from '../history/last-change.ts'
import { linkLockedFirst, lockTargetsFirst } from './lock-order.ts'
import { linkColumns, type ListChange, listChanges, listIssues, resolveLinks, toOneValues } from './links.ts'
import {
  linkedFiles,
  makeFilesPrivate,
  namedIssues,
  privacyOfCut,
  privateIssues,
  applyPrivacy,
} from './private-files.ts'
import { freeSlug, prepareValues, slugRequests } from './prepare.ts'
import { readCurrentRecord } from '../read/read.ts'
import { takeAdmissibleValues, checkOrderedPairs, checkSteps, settleParents, parentsToFill } from './rules.ts'
import { changeEntry, insertDocument, insertText } from './store.ts'

export interface WriteContext {
  database: Database
  author: Author
  /**
   * Rows that the author of the write may change and fields that they may write. Everything else does not
   * exist for them.
   */
  view: View
  /** Whether the server itself writes, which may set read-only fields and states. */
  isTrusted?: true
  /**
   * Whether the server writes, but the caller chose the links of the body and their rights limit the targets.
   */
  boundLinks?: true
  /**
   * Links of the write whose targets the caller's rights do not limit, because the server has chosen them.
   */
  checkedLinks?: readonly string[]
  /**
   * Whether the write changes only the spelling of texts: their translations stay as current or outdated as
   * they are.
   */
  isRespelled?: true
  /**
   * Number of changes of the source that a translation shows, where the author has not compared it with the present
   * source: it stays outdated while the source has more. A number below the stored one changes nothing.
   */
  seenChanges?: number
  /** Open transaction for the write; when absent, the write opens its own. */
  trx?: Transaction
  /**
   * Whether only a read of the answer follows in the transaction: the writing statement is sent without
   * waiting for it.
   */
  mustSendWrite?: true
}

export const isTrusted = ({ author, isTrusted }: WriteContext) => isTrusted === true || author.seeding === true

/**
 * Returns the caller whose rows limit the targets of links: only below staff, and for links that they chose
 * themselves.
 */
export function readerOf(context: WriteContext): Caller | undefined {
  const { caller } = context.author
  const isBound = !isTrusted(context) || (context.boundLinks && !context.author.seeding)
  return isBound && rankOfRole(caller.role) < rankOfRole('admin') ? caller : undefined
}

/** Body of a write without its envelope. */
export type Draft = Readonly<Record<string, unknown>>

const maxAttempts = 3

/**
 * Runs writes of records in one transaction. The work runs again after a conflict with a concurrent write,
 * such as a link to a target that is being deleted. It must therefore have no effects outside the
 * transaction.
 *
 * @param database - The database that is written to.
 * @param runTask - The writes.
 * @param last - Makes the answer from the result of the work with one statement, which is sent with the
 *   commit.
 * @returns The answer of `last`, or the result of the work without `last`, after the commit.
 */
export async function withDeadlockRetry<T>(database: Database, runTask: (trx: Transaction) => Promise<T>): Promise<T>
export async function withDeadlockRetry<T, A>(
  database: Database,
  runWork: (trx: Transaction) => Promise<T>,
  finishAnswer: (result: T, queries: Queries) => Promise<A>,
): Promise<A>
export async function withDeadlockRetry<T>(
  database: Database,
  runWork: (trx: Transaction) => Promise<T>,
  finishAnswer?: (result: T, queries: Queries) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await (finishAnswer ? database.transaction(runWork, finishAnswer) : database.transaction(runWork))
    } catch (error) {
      if (attempt === maxAttempts || !isDeadlock(error)) throw error
    }
  }
}

/**
 * Runs one write in its context's transaction, or in its own. Constraint errors become the contract's
 * refusals. With `values` it neither adds nor deletes a record.
 */
export async function runInTransaction<T>(
  { database, trx }: Pick<WriteContext, 'database' | 'trx'>,
  resource: Resource,
  runWork: (trx: Transaction) => Promise<T>,
  eventKind: 'rows' | 'values' = 'rows',
): Promise<T> {
  const run = async (openTransaction: Transaction) => {
    try {
      const result = await runWork(openTransaction)
      openTransaction.changed(documentTable(resource), eventKind)
      return result
    } catch (error) {
      throw constraintFault(error, resource) ?? error
    }
  }
  return trx ? run(trx) : withDeadlockRetry(database, run)
}

/** Returns the creation times that a seed may set. */
export function seededTimes(author: Author, draft: Draft): Values {
  if (!author.seeding || typeof draft.createdAt !== 'string') return {}
  return { created_at: draft.createdAt, updated_at: draft.createdAt }
}

/** Returns the language of a new entry: the body's, else the query's, else English (contract §8). */
export function localeOfDraft(draft: Draft, queryLocale: unknown): Locale {
  const requestedLocale = draft.locale ?? queryLocale ?? defaultLocale
  if (!isLocale(requestedLocale)) throw fault('locale.unknown')
  return requestedLocale
}

/** A body that passed the checks that need no database. */
export interface CheckedDraft {
  draft: Draft
  validatedRecord: ValidatedRecord
  /** Values of the body as they will be stored: sanitised, hashed. */
  preparedValues: Values
}

/** Checks a body before a transaction is opened or a row is locked, because hashing a password is slow. */
export async function checkDraft(
  context: WriteContext,
  resource: Resource,
  sentDraft: Draft,
  mode: ValidationMode,
): Promise<CheckedDraft> {
  const isTrustedWrite = isTrusted(context)
  const { caller } = context.author
  const scope = { caller, writable: context.view.writableNames, isNew: mode === 'create' }
  const draft = isTrustedWrite ? sentDraft : takeAdmissibleValues(resource, sentDraft, scope)
  const validatedDraft = validateRecord(resource, draft, mode, { readOnlyToo: isTrustedWrite })
  const filledDraft = parentsToFill(resource, draft)
  validatedDraft.issues = validatedDraft.issues.filter(({ path: [name] }) => !filledDraft.has(String(name)))
  if (!isTrustedWrite && mode === 'create') {
    for (const [name, field] of Object.entries<Field>(resource.fields)) {
      if (isToOne(field) && field.readOnly && field.setToCaller) validatedDraft.links[name] = { set: [caller.id] }
    }
  }
  const preparedDraft =
    validatedDraft.issues.length > 0
      ? {}
      : await prepareValues(resource.fields, validatedDraft.values, context.database.parts)
  return { draft, validatedRecord: validatedDraft, preparedValues: preparedDraft }
}

/**
 * Returns the columns of link targets that rules and behaviours need.
 *
 * @param parts - The parts of the engine, which have the behaviours.
 * @param resource - The resource that is written.
 * @returns Columns of the target, by link.
 */
export function targetColumnsOf(parts: EngineParts, resource: Resource): Record<string, string[]> {
  const columnsByLink: Record<string, string[]> = {}
  for (const { child, linkField: linkFieldName } of parentPairsOf(resource))
    (columnsByLink[child] ??= []).push(linkFieldName)
  for (const [link, names] of Object.entries(parts.behaviourOf(resource)?.targetColumns ?? {})) {
    columnsByLink[link] = [...(columnsByLink[link] ?? []), ...names]
  }
  return columnsByLink
}

export interface SettledChange {
  scalars: Values
  /** Documents that the written record's to-one links point at, by field. */
  toOneColumns: Values
  lists: ListChange[]
  listChanges: Revision['changes']
  findings: WriteFindings
}

interface Target {
  operation: 'create' | 'translate' | 'update'
  storedEntry?: StoredEntry
  locale: Locale | undefined
}

/** The entry that a body is for, as known before it is read: SQL of its document and of its language. */
interface ExaminedTarget {
  operation: Target['operation']
  /** SQL of the document that the body is for; undefined for a new one. */
  document?: Template<unknown>
  locale: Locale | Template<unknown> | undefined
}

/** Loads from the database what the checks of a body need. */
function examineDraft(
  trx: Transaction,
  context: WriteContext,
  resource: Resource,
  { validatedRecord }: CheckedDraft,
  { operation, document, locale }: ExaminedTarget,
): Promise<WriteFindings> {
  const targetColumns = targetColumnsOf(trx.parts, resource)
  return loadWriteContext(trx, {
    resource,
    links: validatedRecord.links,
    targetColumns: applyPrivacy(resource, targetColumns),
    unchangedTargets: document ? unchangedTargets(resource, targetColumns, validatedRecord.links, document) : {},
    unique: uniqueValues(resource, validatedRecord.values),
    slugs: slugRequests(resource, validatedRecord.values, operation),
    document,
    locale,
    family: operation === 'translate',
    ids: operation === 'create' && context.mustSendWrite === true,
    reader: readerOf(context),
    checkedLinks: context.checkedLinks,
    lockedLink: linkLockedFirst(trx.parts, resource),
  })
}

/**
 * Locks an entry and loads what the body needs for it. Both statements are sent together; the second one sees
 * the tables as of the lock.
 */
async function lockAndExamine(
  trx: Transaction,
  context: WriteContext,
  resource: Resource,
  checkedDraft: CheckedDraft,
  { id, ...writeDetails }: { id: number; operation: 'translate' | 'update'; locale?: Locale },
): Promise<{ stored: StoredEntry | undefined; findings: WriteFindings }> {
  const ownSql = entrySql(resource, id)
  const [, lockedEntry, findings] = await Promise.all([
    lockTargetsFirst(trx, resource, { ids: [id], links: [checkedDraft.validatedRecord.links] }),
    lockEntry(trx, resource, id, context),
    examineDraft(trx, context, resource, checkedDraft, { ...ownSql, ...writeDetails }),
  ])
  return { stored: lockedEntry, findings }
}

/** SQL of a record's document and language, by its wire id. */
function entrySql(
  resource: Resource,
  id: number,
): { document: Template<unknown>; locale: Template<unknown> | undefined } {
  if (!resource.localized) return { document: sql`${id}::int`, locale: undefined }
  const texts = sql.table(textTable(resource))
  return {
    document: sql`(select document_id from ${texts} where id = ${id}::int)`,
    locale: sql`(select locale from ${texts} where id = ${id}::int)`,
  }
}

/** Throws all invalid fields of a write together, then applies the rules and the resource's behaviour. */
export async function applyRules(
  trx: Transaction,
  context: WriteContext,
  resource: Resource,
  { draft, validatedRecord, preparedValues }: CheckedDraft,
  { operation, storedEntry, locale }: Target,
  findings: WriteFindings,
): Promise<SettledChange> {
  const valuesBefore = storedEntry?.values ?? {}
  const slugs = slugRequests(resource, validatedRecord.values, operation)
  if (operation === 'translate' && locale && findings.family.has(locale)) throw fault('locale.used')

  for (const { name, base } of slugs) preparedValues[name] = freeSlug(base, findings.slugs.get(name) ?? new Set())
  const { resolved, issues } = resolveLinks(resource, validatedRecord.links, findings)
  const { lists, changes } = listChanges(resolved, findings, operation === 'create')
  const linkedFileList = linkedFiles(resource, resolved, findings, valuesBefore)
  const allIssues: Issue[] = [
    ...validatedRecord.issues,
    ...issues,
    ...listIssues(resource, changes),
    ...[...findings.cycles].map((name): Issue => ({ path: [name], code: 'validation.cycle', params: { field: name } })),
    ...[...findings.takenFields].map(uniqueIssue),
    ...missingSlugs(resource, preparedValues, validatedRecord.issues.length > 0 ? 'update' : operation),
    ...privateIssues(linkedFileList),
    ...(await namedIssues(trx, resource, preparedValues)),
  ]
  if (allIssues.length > 0) throw validationFault(allIssues)
  await makeFilesPrivate(trx, linkedFileList)

  const toOneColumns = toOneValues(resolved, valuesBefore)
  const change = { ...preparedValues, ...toOneColumns, ...privacyOfCut(resource, toOneColumns, findings) }
  const readCurrentFacts = (link: string) => {
    const target = link in toOneColumns ? toOneColumns[link] : valuesBefore[link]
    return typeof target === 'number' ? findings.targetValues.get(link)?.get(target) : undefined
  }
  const { caller } = context.author
  const isTrustedWrite = isTrusted(context)
  if (operation === 'update' && !isTrustedWrite) checkSteps(resource, caller, valuesBefore, change)
  checkOrderedPairs(resource, valuesBefore, change)
  Object.assign(change, settleParents(resource, valuesBefore, change, readCurrentFacts))
  const heldBackNames = new Set<string>()
  const settledValues = await trx.parts.behaviourOf(resource)?.settleValues({
    operation,
    caller,
    isTrusted: isTrustedWrite,
    draft,
    valuesBefore: storedEntry?.values,
    document: storedEntry?.document,
    values: change,
    lists: Object.fromEntries(Object.entries(changes).map(([name, { after }]) => [name, after])),
    leaveListUnchanged: (list) => heldBackNames.add(list),
    target: readCurrentFacts,
    locale,
    now: new Date().toISOString(),
    trx,
  })
  const { scalars, links } = splitLinks(resource, { ...change, ...settledValues })
  for (const { attribute } of resolved.values()) trx.changed(documentTable(attribute.target), 'values')
  if (heldBackNames.size === 0) return { scalars, toOneColumns: links, lists, listChanges: changes, findings }
  const heldBackStorages = [...heldBackNames].map((name) => linkOf(resource, name).place)
  const isStored = ({ place }: ListChange) =>
    !heldBackStorages.some(
      (heldBackStorage) =>
        heldBackStorage.in === 'table' &&
        heldBackStorage.table === place.table &&
        heldBackStorage.ownColumn === place.ownColumn,
    )
  const shownChanges = Object.fromEntries(Object.entries(changes).filter(([name]) => !heldBackNames.has(name)))
  return { scalars, toOneColumns: links, lists: lists.filter(isStored), listChanges: shownChanges, findings }
}

/** Returns unchanged links whose target a rule needs, with SQL that the target equals. */
export function unchangedTargets(
  resource: Resource,
  targetColumns: Readonly<Record<string, unknown>>,
  links: Readonly<Record<string, LinkChange>>,
  document: Template<unknown>,
): Record<string, Template<unknown>> {
  const documents = sql.table(documentTable(resource))
  const conditions: Record<string, Template<unknown>> = {}
  for (const link of Object.keys(targetColumns)) {
    const { place } = linkOf(resource, link)
    if (link in links || place.in !== 'column') continue
    conditions[link] = sql`any(array(select ${sql.ref(place.column)} from ${documents} where id = ${document}))`
  }
  return conditions
}

/** Returns the values of a body that must be unique. */
function uniqueValues(resource: Resource, values: Values): Values {
  return Object.fromEntries(
    Object.entries(values).filter(
      ([name, value]) => resource.fields[name]?.unique && value !== null && value !== undefined,
    ),
  )
}

/** Returns required slugs of a write that could not be made, because their text has no usable letter. */
function missingSlugs(resource: Resource, filledValues: Values, operation: Target['operation']): Issue[] {
  if (operation === 'update') return []
  return Object.entries<Field>(resource.fields).flatMap(([name, field]): Issue[] => {
    const isMissing = isScalar(field) && field.kind === 'slug' && field.required && !filledValues[name]
    const isWrittenHere = operation === 'create' || field.localized === true
    return isMissing && isWrittenHere ? [{ path: [name], code: 'validation.required', params: { field: name } }] : []
  })
}

function splitLinks(resource: Resource, values: FieldValues): { scalars: Values; links: Values } {
  const scalarValues: Values = {}
  const links: Values = {}
  for (const [name, value] of Object.entries(values)) {
    const field = resource.fields[name]
    if (field && isToOne(field)) links[name] = value
    else scalarValues[name] = value
  }
  return { scalars: scalarValues, links }
}

/**
 * Creates a document, and its first entry for a localized resource.
 *
 * @returns The wire id.
 * @throws Validation faults with all failing fields; contract §4 has each rule.
 */
export async function createEntry(
  context: WriteContext,
  resource: Resource,
  draft: Draft,
  locale: Locale | undefined,
): Promise<number> {
  return createFamily(context, resource, [{ draft, locale }])
}

/** One language of a new document, with its body. */
interface FamilyMember {
  draft: Draft
  locale: Locale | undefined
}

/**
 * Tells whether a new document can be created in one statement with its languages: the later ones need no
 * look-up and no behaviour.
 *
 * @param parts - The parts of the engine, which have the behaviours.
 * @param resource - The resource of the document.
 * @param drafts - The bodies of the languages after the first.
 * @returns False where a slug must be made, a value is unique, or the resource has a behaviour.
 */
export function isPlainFamily(parts: EngineParts, resource: Resource, drafts: readonly Draft[]): boolean {
  if (parts.behaviourOf(resource) !== undefined) return false
  const lookedUpFields = Object.entries<Field>(resource.fields).filter(
    ([, field]) => field.localized && (field.kind === 'slug' || field.unique),
  )
  return (
    lookedUpFields.length === 0 &&
    drafts.every((draft) => Object.keys(draft).every((name) => isOfLanguage(resource, name)))
  )
}

const isOfLanguage = (resource: Resource, name: string) =>
  name === 'createdAt' || name === 'locale' || resource.fields[name]?.localized === true

/**
 * Creates a document with its languages in one statement.
 *
 * @param context - The author and the transaction.
 * @param resource - The resource of the document.
 * @param members - The first language, or the document alone; then more languages of a plain family.
 * @returns The wire id of the first entry.
 */
export async function createFamily(
  context: WriteContext,
  resource: Resource,
  [firstMember, ...otherMembers]: readonly [FamilyMember, ...{ draft: Draft; locale: Locale }[]],
): Promise<number> {
  const { draft, locale } = firstMember
  const checkedDraft = await checkDraft(context, resource, draft, 'create')
  const translatedEntries = await Promise.all(
    otherMembers.map(async (otherMember) => ({
      ...otherMember,
      checked: await checkDraft(context, resource, otherMember.draft, 'translate'),
    })),
  )
  const issues = translatedEntries.flatMap((translatedEntry) => translatedEntry.checked.validatedRecord.issues)
  if (issues.length > 0) throw validationFault(issues)
  return runInTransaction(context, resource, async (trx) => {
    const [, findings] = await Promise.all([
      lockTargetsFirst(trx, resource, { links: [checkedDraft.validatedRecord.links] }),
      examineDraft(trx, context, resource, checkedDraft, { operation: 'create', locale }),
    ])
    const change = await applyRules(trx, context, resource, checkedDraft, { operation: 'create', locale }, findings)
    const { shared: sharedValues, localized } = splitByLanguage(resource, change.scalars)
    const seededMoments = seededTimes(context.author, draft)
    const trace = { author: context.author, resource, operation: 'create' } as const
    const revisions: Revision[] = [
      {
        changes: {
          ...firstChanges(resource, sharedValues),
          ...firstChanges(resource, change.toOneColumns),
          ...change.listChanges,
        },
      },
    ]
    if (locale) revisions.push({ locale, changes: firstChanges(resource, localized) })
    const { entry } = await insertDocument(trx, {
      resource,
      sharedValues,
      columns: { ...linkColumns(resource, change.toOneColumns), ...(!locale && seededMoments) },
      ...(locale && { text: { locale, values: localized, columns: seededMoments } }),
      lists: change.lists,
      trace: { ...trace, revisions },
      ids: findings.ids,
      translations: translatedEntries.map((translation) => ({
        locale: translation.locale,
        values: translation.checked.preparedValues,
        columns: seededTimes(context.author, translation.draft),
        trace: {
          ...trace,
          revisions: [
            { locale: translation.locale, changes: firstChanges(resource, translation.checked.preparedValues) },
          ],
        },
      })),
    })
    return entry
  })
}

/** Returns the changes of a record's values that all languages share, and whether there are any. */
export function familyChanges(
  resource: Resource,
  sharedValues: Values,
  change: Omit<SettledChange, 'findings'>,
  valuesBefore: FieldValues,
) {
  const scalarChanges = differences(resource, sharedValues, valuesBefore)
  const links = differences(resource, change.toOneColumns, valuesBefore)
  const changes = { ...scalarChanges, ...links, ...change.listChanges }
  return { scalars: scalarChanges, links, changes, moves: Object.keys(changes).length > 0 }
}

/**
 * Adds a language to the document that `id` names. Shared fields and relations in the body change the whole
 * family; absent ones stay unchanged (contract §8).
 *
 * @returns The new wire id.
 * @throws 400 for a missing, unknown or used locale and for missing localized fields; 404.
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
  const checkedDraft = await checkDraft(context, resource, draft, 'translate')
  return runInTransaction(context, resource, async (trx) => {
    const examinedWrite = { id, operation: 'translate', locale } as const
    const { stored: storedEntry, findings } = await lockAndExamine(trx, context, resource, checkedDraft, examinedWrite)
    if (!storedEntry) throw fault('record.not-found')
    const change = await applyRules(
      trx,
      context,
      resource,
      checkedDraft,
      { operation: 'translate', storedEntry, locale },
      findings,
    )
    const { shared, localized } = splitByLanguage(resource, change.scalars)
    const family = familyChanges(resource, shared, change, storedEntry.values)
    return insertText(trx, {
      resource,
      document: storedEntry.document,
      locale,
      values: localized,
      columns: {
        seen_changes: Math.min(context.seenChanges ?? Infinity, storedEntry.sourceChanges),
        ...seededTimes(context.author, draft),
      },
      sharedValues: valuesOf(family.scalars),
      links: linkColumns(resource, valuesOf(family.links)),
      familyMoves: family.moves,
      lists: change.lists,
      trace: {
        author: context.author,
        resource,
        operation: 'create',
        revisions: [
          { changes: shownChanges(resource, family.changes) },
          { locale, changes: firstChanges(resource, localized) },
        ],
      },
    })
  })
}

/**
 * Changes an entry in place. Localized fields change this entry, all others the whole family. A body without
 * changes increases no version.
 *
 * @param id - The wire id.
 * @param draft - A partial inner body; `version`, when given, must be the stored one.
 * @returns The wire id.
 * @throws 404 outside the caller's rows; 409 with `details.current`, `changedBy` and `changedAt` for a stale
 *   version; 400 faults; 422 for a transition that is not allowed.
 */
export async function updateEntry(
  context: WriteContext,
  resource: Resource,
  id: number,
  draft: Draft,
): Promise<number> {
  const checkedDraft = await checkDraft(context, resource, draft, 'update')
  return runInTransaction(
    context,
    resource,
    async (trx) => {
      const examinedWrite = { id, operation: 'update' } as const
      const { stored, findings } = await lockAndExamine(trx, context, resource, checkedDraft, examinedWrite)
      if (!stored) throw fault('record.not-found')
      if (isStale(draft.version, stored.version)) {
        const currentEntry = await readCurrentRecord(trx, resource, id, context.author.caller)
        throw fault('record.stale', {
          details: { current: currentEntry, ...(await lastChangeOf(trx, resource, stored)) },
        })
      }
      const target = { operation: 'update', storedEntry: stored, locale: stored.locale } as const
      const change = await applyRules(trx, context, resource, checkedDraft, target, findings)
      await writeChange(
        trx,
        context.author,
        resource,
        stored,
        { ...change, isRespelled: context.isRespelled, seenChanges: context.seenChanges },
        context.mustSendWrite,
      )
      return id
    },
    'values',
  )
}

export function isStale(body: unknown, version: number): boolean {
  return body !== undefined && body !== null && Number(body) !== version
}

/**
 * Writes additional values that rules and behaviours
 * returned, as their own revision; none without differences.
 *
 * @param trx - The transaction of the write.
 * @param author - The author of the write.
 * @param resource - The resource of the entry.
 * @param storedEntry - The entry, locked.
 * @param values - Values by field, to-one links as documents.
 */
export async function writeAdditionalValues(
  trx: Transaction,
  author: Author,
  resource: Resource,
  storedEntry: StoredEntry,
  values: FieldValues,
): Promise<void> {
  const { scalars, links } = splitLinks(resource, values)
  await writeChange(trx, author, resource, storedEntry, { scalars, toOneColumns: links, lists: [], listChanges: {} })
}

export async function writeChange(
  trx: Transaction,
  author: Author,
  resource: Resource,
  storedEntry: StoredEntry,
  change: Omit<SettledChange, 'findings'> & { isRespelled?: true | undefined; seenChanges?: number | undefined },
  isSent?: true,
): Promise<void> {
  const { shared, localized } = splitByLanguage(resource, change.scalars)
  const family = familyChanges(resource, shared, change, storedEntry.values)
  const textChanges = differences(resource, localized, storedEntry.values)
  const ownMoves = Object.keys(textChanges).length > 0
  const isSource = storedEntry.locale === storedEntry.sourceLocale
  const { sourceChanges } = storedEntry
  const seenChanges = Math.min(Math.max(change.seenChanges ?? sourceChanges, storedEntry.seenChanges), sourceChanges)
  // Saving a translation's texts confirms that it was compared with its source, changed or not.
  const followsSource =
    !change.isRespelled && !isSource && Object.keys(localized).length > 0 && storedEntry.seenChanges !== seenChanges
  await changeEntry(trx, {
    resource,
    document: storedEntry.document,
    entry: storedEntry.entry,
    sharedValues: valuesOf(family.scalars),
    links: linkColumns(resource, valuesOf(family.links)),
    localized: valuesOf(textChanges),
    familyMoves: family.moves,
    sourceMoves: isSource && ownMoves && !change.isRespelled,
    seenChanges: followsSource ? seenChanges : undefined,
    lists: change.lists,
    isSent,
    trace: {
      author,
      resource,
      operation: 'update',
      revisions: [
        { changes: shownChanges(resource, family.changes) },
        ...(storedEntry.locale ? [{ locale: storedEntry.locale, changes: shownChanges(resource, textChanges) }] : []),
      ],
    },
  })
}

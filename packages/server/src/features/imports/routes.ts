/**
 * Registers the routes of imports from sheets: start, correct, commit and revert (contract §12, market §5).
 */
import { createHash, randomUUID } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type Caller,
  callerLanguage,
  fault,
  importLimits,
  type ImportMapping,
  type ImportName,
  isImportable,
  isLocale,
  type Issue,
  localeOf as languageOfContent,
  mayImport,
  type Resource,
  toMoment,
  unprocessableFault,
} from '@dala/model'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/database.ts'
import type { WorkQueue } from '../../db/work-queue.ts'
import { disguises } from '../../http/disguises.ts'
import { addRoutes } from '../../http/contract-routes.ts'
import { receiveForm, type ReceivedForm } from '../../http/receive-form.ts'
import { streamedBodyOf } from '../../http/streamed-bodies.ts'
import { resourceNamed, resources } from '../../resources/attributes.ts'
import { authoriseCaller } from '../../resources/authorise.ts'
import {
  type EnteredCall,
  enterFeature,
  type FeatureRoutes,
  listWithCount,
  presentEntry,
} from '../../resources/feature-routes.ts'
import { answerIdempotently } from '../../resources/write/idempotency.ts'
import { pageSql } from '../../resources/read/pages.ts'
import { badParameter } from '../../resources/read/context.ts'
import { readPagination } from '../../resources/read/parse-query.ts'
import { presentPagination } from '../../resources/read/read.ts'
import { idOf } from '../../resources/routes.ts'
import { createEntry, withDeadlockRetry } from '../../resources/write/write.ts'
import { loadDirectory } from './names/directories.ts'
import { districtReport } from './prices/district-report.ts'
import { writeErrorsSheet } from './errors-sheet.ts'
import {
  correctRows,
  type ImportChange,
  type ImportPlan,
  type ImportRecord,
  imports,
  loadImport,
  mappingOf,
  pageOfRows,
  saveImport,
} from './import-store.ts'
import { findNames } from './names/names-found.ts'
import { findChangedSince, importFieldsOf, missingNamesOf, previewSomeRows } from './preview.ts'
import { type Correction, readCorrection, applyColumns } from './read-correction.ts'
import { nameKey } from './names/resolve-names.ts'
import { revertRows } from './revert.ts'
import { type ImportParts, runImport, unfinishedImports } from './runner.ts'
import { assertSheet } from './sheet/content-check.ts'
import { writeTemplate } from './template.ts'

export interface ImportRoutes extends FeatureRoutes, Omit<ImportParts, 'database' | 'folder'> {
  /** Data folder, below which sheets are stored; no route serves its files. */
  dataDir: string
  queue: WorkQueue
}

const queueName = 'imports'
/** Limits of the form of an import: a sheet has at most 10 MB (market §5). */
const formLimits = { fileBytes: 10 * 1_048_576, secondFile: 'file.not-xlsx' } as const
/** Maximum number of running imports of one user. */
const maxOpenImports = 5
/** Signal for a check within a request, which continues when its client disconnects. */
const neverAbortedSignal = new AbortController().signal
/** Maximum number of imported rows that a request checks itself; more are left to the queue. */
const maxRowsInRequest = 2_000
const mediaType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** Returns the resources that a caller may import. */
const importableKinds = (caller: Caller): Resource[] =>
  Object.values(resources).filter((resource) => isImportable(resource) && mayImport(resource, caller))

/** Cleans the client's name of the sheet: one line without path parts. */
const cleanSheetName = (name: string) =>
  [...(name.toWellFormed().replace(disguises, '').split(/[/\\]/).at(-1) ?? '')].slice(0, 255).join('') || 'sheet.xlsx'

const isDayText = (date: unknown): date is string =>
  typeof date === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(date) && toMoment(date) !== undefined

/**
 * Parses the form of an import.
 *
 * @throws 422 naming each invalid part.
 */
function readForm({ texts, file }: ReceivedForm, kinds: readonly Resource[]) {
  const issues: Issue[] = []
  const [kind, date, locale] = [texts.get('kind'), texts.get('date'), texts.get('locale')]
  const names = kinds.map(({ name }) => name)
  if (kind === undefined) issues.push({ path: ['kind'], code: 'validation.required', params: { field: 'kind' } })
  else if (!names.includes(kind))
    issues.push({ path: ['kind'], code: 'validation.choice', params: { field: 'kind', values: names.join(', ') } })
  if (date !== undefined && date !== '' && !isDayText(date))
    issues.push({ path: ['date'], code: 'validation.date', params: { field: 'date' } })
  if (locale !== undefined && locale !== '' && !isLocale(locale))
    issues.push({ path: ['locale'], code: 'validation.choice', params: { field: 'locale', values: 'en, ru, uz, kaa' } })
  if (!file) issues.push({ path: ['files'], code: 'file.not-xlsx', params: { field: 'files' } })
  if (issues.length > 0 || !file) throw unprocessableFault(issues)
  // The day of imported prices is part of the mapping of columns.
  const formMapping = { ...(date && { date }), ...(locale && { locale }) }
  return { kind, mapping: Object.keys(formMapping).length > 0 ? formMapping : null, file }
}

/** Registers the routes of imports, and the background job of an import. */
export function registerImports(app: FastifyInstance, routes: ImportRoutes): void {
  const { database, dataDir, queue, writers } = routes
  const folder = join(dataDir, 'imports')
  const parts: ImportParts = { database, folder, writers }
  queue.register(queueName, {
    findUnfinished: () => unfinishedImports(parts),
    run: (id, signal) => runImport(parts, id, signal),
  })
  const wakeQueue = (trx: Transaction, id: number) => trx.afterCommit(() => queue.wake(queueName, id))

  /**
   * Finds an import that the caller may see, of a resource that they may import.
   *
   * @throws 403 and 404.
   */
  async function enterImport(
    request: FastifyRequest,
  ): Promise<{ entered: EnteredCall; id: number; resource: Resource }> {
    const enteredCall = await enterFeature(routes, imports, 'create', request)
    const { caller } = enteredCall
    const id = idOf(request)
    await presentEntry(
      database,
      imports,
      id,
      { ...enteredCall, query: { fields: ['kind'] } },
      authoriseCaller(imports, 'get', caller),
    )
    const { kind } = await loadImport(database, id)
    const resource = importableKinds(caller).find(({ name }) => name === kind)
    if (!resource) throw fault('access.denied')
    return { entered: enteredCall, id, resource }
  }

  /**
   * Checks the version and the state of an import.
   *
   * @throws 409 with the present import for a stale version, and for a state without possible changes.
   */
  async function assertCurrentVersion(
    trx: Transaction,
    record: ImportRecord,
    version: number,
    importCall: EnteredCall,
  ) {
    if (record.state !== 'preview')
      throw fault('import.state', { params: { state: record.state }, details: { state: record.state } })
    if (record.version === version) return
    const { data } = await presentEntry(trx, imports, record.id, { ...importCall, query: {} })
    throw fault('record.stale', { details: { current: data } })
  }

  addRoutes(
    app,
    async () => (await import('@dala/model/api/imports')).importRoutes,
    {
      'GET /api/insert_excel': async ({ request }) =>
        listWithCount(routes, imports, await enterFeature(routes, imports, 'list', request)),
      'GET /api/insert_excel/kinds': async ({ request }) => {
        const { caller } = await enterFeature(routes, imports, 'create', request)
        const kinds = importableKinds(caller)
        return { data: kinds.map((resource) => ({ kind: resource.name, fields: importFieldsOf(resource, caller) })) }
      },
      'GET /api/insert_excel/template': async ({ request, reply, query }) => {
        const { caller } = await enterFeature(routes, imports, 'create', request)
        const { kind: name, locale: language = callerLanguage(caller), date, region } = await query()
        const kind = importableKinds(caller).find((resource) => resource.name === name)
        if (!kind) throw badParameter('kind')
        const order = { kind: kind.name, language, date, region: region === undefined ? undefined : Number(region) }
        return sendSheet(reply, `${kind.wire}-template`, await writeTemplate(database, caller, order))
      },
      'POST /api/insert_excel': async ({ request, reply }) => start(request, reply),
      'GET /api/insert_excel/:id/rows': async ({ request, query }) => {
        const { entered, id, resource } = await enterImport(request)
        const { filter = 'all', _q: search = '' } = await query()
        const pagination = readPagination(entered.query.pagination)
        const record = await loadImport(database, id)
        const foundNames = await findNames(database, importFieldsOf(resource, entered.caller), entered.caller, search)
        const { rows, total } = await pageOfRows(
          database,
          id,
          filter,
          { search, found: foundNames },
          pageSql(pagination),
        )
        return {
          data: rows,
          meta: { pagination: presentPagination(pagination, total), summary: record.summary, version: record.version },
        }
      },
      'PUT /api/insert_excel/:id': async ({ request, reply, body }) => {
        const { entered, id, resource } = await enterImport(request)
        const correction = readCorrection((await body()).data, importFieldsOf(resource, entered.caller))
        const nextImport = await correctImport({ entered, id, resource }, correction)
        if (nextImport === 'now') await runImport(parts, id, neverAbortedSignal)
        if (nextImport === 'queue') {
          reply.status(202)
          await queue.wake(queueName, id)
        }
        return presentEntry(database, imports, id, entered)
      },
      'POST /api/insert_excel/:id/commit': async ({ request, reply, body }) => {
        const { entered, id } = await enterImport(request)
        const { caller } = entered
        const { version, mode, confirm_warnings } = (await body()).data
        const warnings = confirm_warnings === true
        const importBefore = await loadImport(database, id)
        if (importBefore.state === 'preview' && importBefore.version === version) {
          assertReadyImport(importBefore, mode, warnings)
          const count = await findChangedSince(parts, importBefore, caller, warnings)
          if (count > 0) throw fault('import.changed', { params: { count }, details: { count } })
        }
        return answerIdempotently({ database, caller, request, reply }, async (trx) => {
          const record = await loadImport(trx, id, true)
          await assertCurrentVersion(trx, record, version, entered)
          const plan = { by: caller.id, address: request.ip, requestId: request.id, commit: { mode, warnings } }
          const total = (record.summary?.create ?? 0) + (record.summary?.update ?? 0)
          await saveImport(trx, id, {
            state: 'committing',
            plan,
            failure: null,
            progress: { step: 'writing', done: 0, total },
          })
          wakeQueue(trx, id)
          reply.status(202)
          return presentEntry(trx, imports, id, entered)
        })
      },
      'POST /api/insert_excel/:id/revert': async ({ request, reply }) => {
        const { entered, id } = await enterImport(request)
        const { caller, author } = entered
        return answerIdempotently({ database, caller, request, reply }, async (trx) => {
          const record = await loadImport(trx, id, true)
          if (record.state !== 'done')
            throw fault('import.state', { params: { state: record.state }, details: { state: record.state } })
          await revertRows(trx, parts, record, author)
          return presentEntry(trx, imports, id, entered)
        })
      },
      'GET /api/insert_excel/:id/errors': async ({ request, reply, query }) => {
        const { entered, id, resource } = await enterImport(request)
        const { caller } = entered
        const { locale = callerLanguage(caller) } = await query()
        const record = await loadImport(database, id)
        const bytes = await writeErrorsSheet(database, caller, record, locale)
        return sendSheet(reply, `${resource.wire}-errors-${id}`, bytes)
      },
      'GET /api/insert_excel/:id/districts': async ({ request, query }) => {
        const { entered, id } = await enterImport(request)
        const { locale = entered.caller.language } = await query()
        return districtReport(database, await loadImport(database, id), languageOfContent(locale))
      },
    },
    {
      'POST /api/insert_excel': { config: { bodies: ['parts'] } },
      'PUT /api/insert_excel/:id': { config: { maxKeys: importLimits.corrected * 60 } },
    },
  )

  /** Starts an import of an uploaded sheet. */
  async function start(request: FastifyRequest, reply: FastifyReply) {
    const enteredCall = await enterFeature(routes, imports, 'create', request)
    const { caller, author } = enteredCall
    const receivedSheet =
      streamedBodyOf(request) === 'parts'
        ? await receiveForm(request, formLimits)
        : { texts: new Map(), file: undefined }
    const { kind, mapping, file } = readForm(receivedSheet, importableKinds(caller))
    await assertSheet(file.bytes)
    const name = `${randomUUID()}.xlsx`
    const digest = createHash('sha256').update(file.bytes).digest('hex')
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await writeFile(join(folder, name), file.bytes, { flag: 'wx', mode: 0o600 })
    let isKept = false
    try {
      const idempotencyInput = JSON.stringify([kind, mapping, digest])
      return await answerIdempotently(
        { database, caller, request, reply },
        async (trx) => {
          await assertFewImports(trx, caller)
          const draft = {
            kind,
            mapping,
            digest,
            file_name: cleanSheetName(file.name),
            stored_file: name,
            author: caller.id,
          }
          const id = await createEntry({ database, author, view: {}, isTrusted: true, trx }, imports, draft, undefined)
          trx.afterCommit(() => void (isKept = true))
          wakeQueue(trx, id)
          return presentEntry(trx, imports, id, enteredCall)
        },
        idempotencyInput,
      )
    } finally {
      // No import uses the uploaded file: the write was refused, or this was a repetition of an earlier
      // request.
      if (!isKept) await rm(join(folder, name), { force: true })
    }
  }

  /** Stores a correction, and returns where the affected rows are checked again. */
  async function correctImport(
    { entered, id, resource }: Awaited<ReturnType<typeof enterImport>>,
    correction: Correction,
  ): Promise<'queue' | 'done' | 'now'> {
    const { caller } = entered
    const targets = await targetsOf(resource, caller, correction)
    return withDeadlockRetry(database, async (trx) => {
      const record = await loadImport(trx, id, true)
      await assertCurrentVersion(trx, record, correction.version, entered)
      await correctRows(trx, id, correction)
      const { sheet, headingRow } = correction
      const mapping = correctedMapping(resource, caller, mappingOf(record), correction, targets)
      const change: ImportChange = { mapping, failure: null }
      if (sheet !== undefined || headingRow !== undefined) {
        const sheetName = sheet ?? record.reading?.sheet
        const plan: ImportPlan = {
          by: caller.id,
          ...(sheetName !== undefined && { sheet: sheetName }),
          ...(headingRow !== undefined && { headingRow }),
        }
        const decidedNames = mapping.names.filter(({ target }) => target !== null)
        await saveImport(trx, id, { ...change, mapping: { ...mapping, names: decidedNames }, state: 'parsing', plan })
        return 'queue'
      }
      if (!changesMapping(correction)) {
        await saveImport(trx, id, change)
        await previewSomeRows(trx, { ...record, mapping }, caller, rowsOf(correction))
        return 'done'
      }
      await saveImport(trx, id, { ...change, state: 'parsing', plan: { by: caller.id, isRead: true } })
      return (record.summary?.total ?? 0) <= maxRowsInRequest ? 'now' : 'queue'
    })
  }

  /**
   * Returns the records of resolved names in an import's correction.
   *
   * @throws 422 for one that does not exist for the caller.
   */
  async function targetsOf(
    resource: Resource,
    caller: Caller,
    { names }: Correction,
  ): Promise<Map<string, ImportName['target']>> {
    const targets = new Map<string, ImportName['target']>()
    const fields = new Map(importFieldsOf(resource, caller).map((field) => [field.key, field]))
    for (const { key, name, target } of names) {
      const linkedType = fields.get(key)?.target
      if (target === null || linkedType === undefined) continue
      const directory = await loadDirectory(database, {
        resource: resourceNamed(linkedType),
        caller,
        targetColumns: [],
        names: [`#${target}`],
      })
      const linkTarget = directory.ofId(target)
      if (!linkTarget)
        throw unprocessableFault([
          {
            path: ['names'],
            code: 'validation.relationMissing',
            params: { field: 'names', count: 1, type: linkedType },
          },
        ])
      targets.set(nameKey(key, name), { id: linkTarget.id, name: linkTarget.name })
    }
    return targets
  }
}

/**
 * Limits the running imports of a user.
 *
 * @throws 429 when there are too many.
 */
async function assertFewImports(trx: Transaction, caller: Caller): Promise<void> {
  const [countRow] = await trx.query(
    sql<{ count: number }>`select count(*)::int as count from insert_excel
      where author_id = ${caller.id} and state in ('parsing', 'committing') and created_at > now() - interval '1 hour'`,
  )
  if ((countRow?.count ?? 0) >= maxOpenImports) throw fault('bulk.busy', { retryAfter: 10 })
}

/**
 * Checks that an import can be committed as requested.
 *
 * @throws 422 otherwise.
 */
function assertReadyImport(record: ImportRecord, mode: string, warnings: boolean): void {
  const { open_columns: openCount } = mappingOf(record)
  const { create = 0, update = 0, error = 0, warning = 0 } = record.summary ?? {}
  if (openCount > 0) throw fault('import.open', { params: { count: openCount }, details: { count: openCount } })
  if (mode === 'all_or_nothing' && error > 0)
    throw fault('import.faulty', { params: { count: error }, details: { count: error } })
  if (mode === 'all_or_nothing' && warning > 0 && !warnings)
    throw fault('import.warnings', { params: { count: warning }, details: { count: warning } })
  if (create + update - (warnings ? 0 : warning) <= 0) throw fault('import.nothing')
}

const rowsOf = ({ rows, skip, keep, confirm, unconfirm }: Correction): number[] => [
  ...new Set([...rows.map(({ row }) => row), ...skip, ...keep, ...confirm, ...unconfirm]),
]

/** Whether a correction changes how all rows are read. */
const changesMapping = ({ columns, names, date }: Correction) =>
  columns.size > 0 || names.length > 0 || date !== undefined

/** Returns the mapping with the decisions of a correction. */
function correctedMapping(
  resource: Resource,
  caller: Caller,
  mapping: ImportMapping,
  correction: Correction,
  targets: ReadonlyMap<string, ImportName['target']>,
): ImportMapping {
  const { date, mustRemember = mapping.remember, aliases = mapping.aliases } = correction
  const decidedNames = new Map(correction.names.map((name) => [nameKey(name.key, name.name), name]))
  const names = mapping.names.filter(({ key, name }) => !decidedNames.has(nameKey(key, name)))
  for (const [nameId, { key, name, target }] of decidedNames) {
    const earlierName = mapping.names.find((mappedName) => nameKey(mappedName.key, mappedName.name) === nameId)
    const chosenTarget = target === null ? null : (targets.get(nameId) ?? null)
    names.push({
      key,
      name,
      rows: earlierName?.rows ?? 0,
      target: chosenTarget,
      candidates: earlierName?.candidates ?? [],
      isRemembered: false,
    })
  }
  const { date: formerDate, ...otherFields } = mapping
  // A skipped name in an import that gets a record is loaded after all.
  const leftNames = (correction.leftNames ?? mapping.left ?? []).filter(
    ({ key, name }) => !targets.has(nameKey(key, name)),
  )
  const day = date === undefined ? formerDate : (date ?? undefined)
  const nextMapping = {
    ...otherFields,
    ...(day !== undefined && { date: day }),
    columns: applyColumns(mapping, correction.columns),
    names,
    remember: mustRemember,
    aliases,
    left: leftNames,
    left_rest: correction.isRestLeft ?? mapping.left_rest ?? false,
  }
  return { ...nextMapping, missing: missingNamesOf(resource, importFieldsOf(resource, caller), nextMapping) }
}

function sendSheet(reply: FastifyReply, name: string, bytes: Uint8Array): FastifyReply {
  return reply
    .type(mediaType)
    .header('cache-control', 'no-store')
    .header('content-disposition', `attachment; filename="${name}.xlsx"`)
    .send(Buffer.from(bytes))
}

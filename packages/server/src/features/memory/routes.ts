/** Registers the routes of the translation memory. */
import { Readable } from 'node:stream'
import {
  type Caller,
  decideAccess,
  fault,
  type Locale,
  memoryAccess,
  memoryLimits,
  type OperationName,
  type Resource,
  unprocessableFault,
} from '@dala/model'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sql } from '../../db/sql.ts'
import type { FeatureContext } from '../../domain/feature.ts'
import { addRoutes } from '../../http/contract-routes.ts'
import { receiveForm } from '../../http/receive-form.ts'
import { streamedBodyOf } from '../../http/streamed-bodies.ts'
import { resources } from '../../resources/attributes.ts'
import { writeAudit } from '../../resources/history/audit.ts'
import { badParameter } from '../../resources/read/context.ts'
import { idOf } from '../../resources/routes.ts'
import { FileWork } from './file-work.ts'
import { suggestTranslations } from './suggest.ts'

const formLimits = { fileBytes: memoryLimits.fileBytes, secondFile: 'request.unprocessable' } as const

/** Returns the two languages of a request. */
function languagesOf({ source = 'ru', target = 'kaa' }: { source?: Locale | undefined; target?: Locale | undefined }) {
  if (source === target) throw badParameter('target')
  return { source, target }
}

const resourceOfWire = (wire: string | undefined): Resource | undefined =>
  Object.values(resources).find((resource) => resource.wire === wire)

const sendFile = (reply: FastifyReply, type: string, name: string, content: string | Readable) =>
  reply
    .type(type)
    .header('cache-control', 'no-store')
    .header('content-disposition', `attachment; filename="${name}"`)
    .send(content)

/** Registers suggestions, files of translations, and work for offices of translators. */
export function registerMemory(app: FastifyInstance, { database, totals, callerOf, writers }: FeatureContext): void {
  const enter = async (request: FastifyRequest, operation: OperationName): Promise<Caller> => {
    const caller = await callerOf(request)
    if (decideAccess(memoryAccess, operation, caller) === false) throw fault('access.denied')
    return caller
  }
  const fileWork = new FileWork()
  const auditExport = (caller: Caller, request: FastifyRequest, details: Readonly<Record<string, string>>) =>
    database.transaction((trx) =>
      writeAudit(trx, {
        action: 'export',
        user: caller.id,
        address: request.ip,
        requestId: request.id,
        details,
      }),
    )
  /** Reads the file of a form. */
  const receiveFile = async (request: FastifyRequest) => {
    const form = streamedBodyOf(request) === 'parts' ? await receiveForm(request, formLimits) : undefined
    if (!form?.file)
      throw unprocessableFault([{ path: ['files'], code: 'validation.required', params: { field: 'files' } }])
    return { file: form.file, texts: form.texts }
  }

  addRoutes(
    app,
    async () => (await import('@dala/model/api/memory')).memoryRoutes,
    {
      'GET /api/memory/suggestions': async ({ request, query }) => {
        const caller = await enter(request, 'get')
        const { q: text = '', source, target, resource: wire, record, field, locale = caller.language } = await query()
        const resource = resourceOfWire(wire)
        const own =
          resource && record !== undefined && field !== undefined ? { resource, entry: record, field } : undefined
        const wanted = { ...languagesOf({ source, target }), text, own, locale }
        const data = await suggestTranslations(database, caller, wanted)
        const [state] = await database.query(
          sql<{ reading: boolean }>`select exists (select 1 from memory_changes) as reading`,
        )
        return { data, meta: { reading: state?.reading === true } }
      },
      'GET /api/memory/tmx': async ({ request, reply, query }) => {
        const caller = await enter(request, 'list')
        const languages = languagesOf(await query())
        await auditExport(caller, request, { route: '/api/memory/tmx', format: 'tmx', ...languages })
        const { exportMemory } = await import('./export-memory.ts')
        const name = `dala-${languages.source}-${languages.target}.tmx`
        return sendFile(reply, 'application/x-tmx+xml', name, Readable.from(exportMemory(database, caller, languages)))
      },
      'GET /api/memory/imports': async ({ request }) => {
        await enter(request, 'list')
        const { listImports } = await import('./import-memory.ts')
        return { data: await listImports(database) }
      },
      'POST /api/memory/imports': async ({ request }) => {
        const caller = await enter(request, 'create')
        const { file } = await receiveFile(request)
        const { importMemory } = await import('./import-memory.ts')
        return fileWork.run(caller.id, () => importMemory(database, caller, request, file))
      },
      'DELETE /api/memory/imports/:id': async ({ request }) => {
        const caller = await enter(request, 'remove')
        const { removeImport } = await import('./import-memory.ts')
        await fileWork.run(caller.id, () => removeImport(database, caller, request, idOf(request)))
        return { ok: true as const }
      },
      'GET /api/memory/work': async ({ request, reply, query }) => {
        const caller = await enter(request, 'list')
        const { resource: wire, ids, of = ids ? undefined : 'missing', ...tags } = await query()
        const resource = resourceOfWire(wire)
        if (!resource) throw badParameter('resource')
        const { source, target } = languagesOf(tags)
        const [{ readWork, toWorkFile }, { writeXliff }] = await Promise.all([
          import('./work-texts.ts'),
          import('./xliff.ts'),
        ])
        const conditions = {
          ...(of && { [of === 'missing' ? 'missing_locale' : 'outdated_locale']: target }),
          ...(ids && { filters: { id: { $in: ids } } }),
        }
        const work = { resource, source, target, query: conditions, limit: memoryLimits.workRecords }
        const records = await fileWork.run(caller.id, () => readWork({ database, totals }, caller, work))
        if (records.length === 0) throw fault('memory.no-work')
        const files = records.map((record) => toWorkFile(resource, record, source, target))
        await auditExport(caller, request, {
          route: '/api/memory/work',
          format: 'xliff',
          resource: resource.name,
          count: String(files.length),
          source,
          target,
        })
        const name = `${resource.wire}-${source}-${target}.xlf`
        return sendFile(reply, 'application/xliff+xml', name, writeXliff(source, target, files))
      },
      'POST /api/memory/work': async ({ request }) => {
        const caller = await enter(request, 'get')
        const { file, texts } = await receiveFile(request)
        const mode = texts.get('mode')
        if (mode !== 'try' && mode !== 'write')
          throw unprocessableFault([
            { path: ['mode'], code: 'validation.choice', params: { field: 'mode', values: 'try, write' } },
          ])
        const { deliverWork } = await import('./deliver-work.ts')
        const author = { caller, address: request.ip, requestId: request.id }
        const delivery = { database, totals, writers, author, isTrial: mode === 'try' }
        return fileWork.run(caller.id, () => deliverWork(delivery, file.bytes))
      },
    },
    {
      'POST /api/memory/imports': { config: { bodies: ['parts'] } },
      'POST /api/memory/work': { config: { bodies: ['parts'] } },
    },
  )
}

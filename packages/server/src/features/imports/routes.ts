/** Imports from sheets: taking one in, and telling of them (contract §12, product/market.md §5). */
import { createHash, randomUUID } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Field, type Issue, toMoment, unprocessable } from '@dala/model'
import type { FastifyInstance } from 'fastify'
import { streamedBodyOf } from '../../http/streamed-bodies.ts'
import { resourceNamed } from '../../resources/attributes.ts'
import { enterFeature, type FeatureRoutes, listWithCount, presentEntry } from '../../resources/feature-routes.ts'
import { answerOnce } from '../../resources/idempotency.ts'
import { createEntry } from '../../resources/write.ts'
import { receiveSheet, type ReceivedSheet } from './receive-sheet.ts'
import { assertSheet } from './sheet-check.ts'

export interface ImportRoutes extends FeatureRoutes {
  /** The data folder; sheets lie below it, out of reach of the file routes. */
  dataDir: string
}

const imports = resourceNamed('insert_excel')
const kindField: Field | undefined = imports.fields.kind
const kinds = kindField?.kind === 'choice' ? kindField.values : []

/** Characters that disguise a name: controls, line ends, marks that turn the direction of text. */
const disguises = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** The client's name of the sheet, as a label for people: one line without path parts. */
const labelOf = (name: string) =>
  [...(name.toWellFormed().replace(disguises, '').split(/[/\\]/).at(-1) ?? '')].slice(0, 255).join('') || 'sheet.xlsx'

/** What the form says. Throws 422 naming each wrong part. */
function readForm({ texts, file }: ReceivedSheet) {
  const issues: Issue[] = []
  const [kind, date] = [texts.get('kind'), texts.get('date')]
  if (kind === undefined) issues.push({ path: ['kind'], code: 'validation.required', params: { field: 'kind' } })
  else if (!kinds.includes(kind))
    issues.push({ path: ['kind'], code: 'validation.choice', params: { field: 'kind', values: kinds.join(', ') } })
  const isDay = date === undefined || date === '' || (/^\d{4}-\d{2}-\d{2}$/.test(date) && toMoment(date) !== undefined)
  if (!isDay) issues.push({ path: ['date'], code: 'validation.date', params: { field: 'date' } })
  if (!file) issues.push({ path: ['files'], code: 'file.not-xlsx', params: { field: 'files' } })
  if (issues.length > 0 || !file) throw unprocessable(issues)
  // The day that the sheet's prices are of belongs to how its columns are read.
  return { kind, mapping: date ? { date } : null, file }
}

/** Registers the routes. */
export function registerImports(app: FastifyInstance, routes: ImportRoutes): void {
  const { database, dataDir } = routes
  const folder = join(dataDir, 'imports')

  app.get('/api/insert_excel', async (request) =>
    listWithCount(routes, imports, await enterFeature(routes, imports, 'list', request)),
  )

  app.post('/api/insert_excel', { config: { bodies: ['parts'] } }, async (request, reply) => {
    const entered = await enterFeature(routes, imports, 'create', request)
    const { caller, author } = entered
    const received =
      streamedBodyOf(request) === 'parts' ? await receiveSheet(request) : { texts: new Map(), file: undefined }
    const { kind, mapping, file } = readForm(received)
    await assertSheet(file.bytes)
    const name = `${randomUUID()}.xlsx`
    const digest = createHash('sha256').update(file.bytes).digest('hex')
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await writeFile(join(folder, name), file.bytes, { flag: 'wx', mode: 0o600 })
    let isKept = false
    try {
      const once = JSON.stringify([kind, mapping, digest])
      return await answerOnce(
        { database, caller, request, reply },
        async (trx) => {
          const draft = { kind, mapping, file_name: labelOf(file.name), stored_file: name, author: caller.id }
          const id = await createEntry({ database, author, view: {}, trusted: true, trx }, imports, draft, undefined)
          trx.afterCommit(() => void (isKept = true))
          return presentEntry(trx, imports, id, entered)
        },
        once,
      )
    } finally {
      // Nobody knows of it: the write was refused, or this was an earlier request once more.
      if (!isKept) await rm(join(folder, name), { force: true })
    }
  })
}

/** Registers the routes of shares: made and withdrawn by staff, opened without an account (statistics §6). */
import { parse } from 'node:querystring'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  callerLanguage,
  Fault,
  fault,
  isWrittenLocale,
  maxShareDays,
  passcodeLength,
  rankOfRole,
  type WrittenLocale,
} from '@dala/model'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { hashPassword, verifyPassword } from '../../../domain/accounts/passwords.ts'
import { addressKey, assertCallerNotLocked, countFailure } from '../../../domain/accounts/throttle.ts'
import type { FeatureContext } from '../../../domain/feature.ts'
import { addRoutes } from '../../../http/contract-routes.ts'
import { resourceNamed } from '../../../resources/attributes.ts'
import { enterFeature } from '../../../resources/feature-routes.ts'
import { writeAudit } from '../../../resources/history/audit.ts'
import { createKeyedQueue, createLimiter } from '../../../resources/limiter.ts'
import { idOf } from '../../../resources/routes.ts'
import { assertReadableReport, type ReportReaders, type StoredQuery } from '../read-report.ts'
import { noticePage, passcodePage, sharePage } from './page.ts'
import { countSharedReport, readSharedReport } from './read-shared.ts'
import {
  countOpening,
  findOpenShare,
  findShare,
  insertShare,
  isTicketFor,
  listShares,
  type OpenShare,
  makeTicket,
  withdrawShare,
} from './store.ts'

const statistics = resourceNamed('statistics')

/** Maximum number of shares that one person makes in an hour. */
const hourlyLimit = { failures: 60, seconds: 3_600 }
/** Maximum number of shared pages that one address opens in a minute. */
const openings = { failures: 60, seconds: 60 }
/** Wrong passcodes after which a share is locked, and for how long. */
const wrongPasscodes = { failures: 10, seconds: 900 }
/** Maximum number of passcodes of one share that wait for their turn. */
const waitingPasscodes = 20
/** Maximum numbers of shared pages that are counted concurrently, and that wait. */
const countingLimits = { maxRunning: 2, maxWaiting: 20 }

const style = readFileSync(join(import.meta.dirname, 'page.css'))

interface PageRequest {
  format?: string | undefined
  locale?: WrittenLocale | undefined
  ticket?: string
  passcode?: string
}

const textIn = (values: Readonly<Record<string, unknown>>, name: string): string => {
  const value = values[name]
  return typeof value === 'string' ? value : ''
}

/** Reads the form of a shared page. */
function readForm(body: unknown): PageRequest {
  const values: Readonly<Record<string, unknown>> = typeof body === 'string' ? parse(body) : {}
  const locale = textIn(values, 'locale')
  return {
    format: textIn(values, 'format'),
    ...(isWrittenLocale(locale) && { locale }),
    ticket: textIn(values, 'ticket'),
    passcode: textIn(values, 'passcode').slice(0, passcodeLength.max + 1),
  }
}

const secretOf = ({ params }: FastifyRequest): string =>
  typeof params === 'object' && params !== null && 'secret' in params ? String(params.secret) : ''

/** Registers the routes that staff call. */
export function registerShares(app: FastifyInstance, context: FeatureContext, readers: ReportReaders): void {
  const { database, settings } = context

  const enterStaff = async (request: FastifyRequest) => {
    const { caller } = await enterFeature(context, statistics, 'get', request)
    if (rankOfRole(caller.role) < rankOfRole('admin')) throw fault('access.denied')
    return caller
  }

  addRoutes(app, async () => (await import('@dala/model/api/report-shares')).staffShareRoutes, {
    'GET /api/statistics/shares': async ({ request }) => {
      await enterStaff(request)
      return { data: await listShares(database), meta: {} }
    },
    'POST /api/statistics/shares': async ({ request, body }) => {
      const caller = await enterStaff(request)
      const { data } = await body()
      const { key, passcode, expires_at: expiresAt } = data
      const query: StoredQuery = data.query ?? {}
      const locale = data.locale ?? callerLanguage(caller)
      const milliseconds = Date.parse(expiresAt) - Date.now()
      if (milliseconds <= 0 || milliseconds > maxShareDays * 86_400_000)
        throw fault('report.expiry', { params: { days: maxShareDays } })
      // A page has no figures of one person.
      if (query.filters?.consultant !== undefined)
        throw fault('report.filter', { params: { key: 'filters[consultant]' } })
      await assertReadableReport(database, caller, key)
      await countFailure(database, [{ key: `report-share:${caller.id}`, limit: hourlyLimit }], () => Promise.resolve())
      // A query that the report does not accept is refused now, also for a page that is counted later.
      const countedPage = await countSharedReport(database, readers, caller, { key, query, locale })
      const frozenPage = data.frozen === true ? countedPage : null
      const passcodeHash = passcode ? await hashPassword(passcode) : null
      return database.transaction(async (trx) => {
        const { id, secret } = await insertShare(trx, caller, {
          key,
          query,
          locale,
          frozen: frozenPage,
          passcodeHash,
          expiresAt,
        })
        await writeAudit(trx, {
          action: 'report.share',
          user: caller.id,
          address: request.ip,
          requestId: request.id,
          resource: statistics.name,
          details: { key, share: String(id) },
        })
        const url = `${settings.publicUrl}/api/statistics/shared/${secret}`
        return { data: { ...(await findShare(trx, id)), url }, meta: {} }
      })
    },
    'DELETE /api/statistics/shares/:id': async ({ request }) => {
      const caller = await enterStaff(request)
      const id = idOf(request)
      return database.transaction(async (trx) => {
        const { key } = await findShare(trx, id)
        if (await withdrawShare(trx, id))
          await writeAudit(trx, {
            action: 'report.withdraw',
            user: caller.id,
            address: request.ip,
            requestId: request.id,
            resource: statistics.name,
            details: { key, share: String(id) },
          })
        return { data: await findShare(trx, id), meta: {} }
      })
    },
  })
}

/** Registers the routes of the pages, which read a form and need no account. */
export function registerSharedPages(app: FastifyInstance, context: FeatureContext, readers: ReportReaders): void {
  const { database, settings } = context
  const boundedReads = createLimiter(countingLimits)
  const queueByShare = createKeyedQueue(waitingPasscodes)
  app.removeContentTypeParser('application/x-www-form-urlencoded')
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: 4_096 },
    (_request, body, done) => done(null, body),
  )

  const send = (reply: FastifyReply, status: number, page: string) =>
    reply
      .status(status)
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      .header('x-robots-tag', 'noindex, nofollow, noarchive')
      .send(page)

  /** Sends the opened page of a share, or its PDF. */
  const sendOpenedPage = async (
    request: FastifyRequest,
    reply: FastifyReply,
    share: OpenShare,
    pageRequest: PageRequest,
  ) => {
    const locale = pageRequest.locale ?? share.locale
    const document = await boundedReads(() => readSharedReport(database, readers, share, locale))
    if (!document) return send(reply, 404, noticePage('gone', settings.palette))
    if (request.method !== 'HEAD') await countOpening(database, share.id)
    if (pageRequest.format !== 'pdf') {
      const ticket = share.passcodeHash === null ? undefined : makeTicket(share.passcodeHash, Date.now())
      return send(
        reply,
        200,
        sharePage(document, {
          ticket,
          expiresAt: share.expiresAt,
          isFrozen: share.frozen !== null,
          timeZone: database.calendar.zone,
          palette: settings.palette,
        }),
      )
    }
    const { pdfOf } = await import('../pdf.ts')
    return reply
      .type('application/pdf')
      .header('cache-control', 'no-store')
      .header('x-robots-tag', 'noindex, nofollow, noarchive')
      .header('content-disposition', `attachment; filename="${share.key}.pdf"`)
      .send(await boundedReads(() => pdfOf(document)))
  }

  /** Answers a page; a refusal for too many openings or passcodes is a page too. */
  const answer = async (
    request: FastifyRequest,
    reply: FastifyReply,
    showShare: (share: OpenShare) => Promise<FastifyReply>,
  ): Promise<FastifyReply> => {
    try {
      await countFailure(database, [{ key: `shared-${addressKey(request.ip)}`, limit: openings }], () =>
        Promise.resolve(),
      )
      const share = await findOpenShare(database, secretOf(request))
      return share ? await showShare(share) : send(reply, 404, noticePage('gone', settings.palette))
    } catch (error) {
      if (!(error instanceof Fault) || (error.status !== 429 && error.status !== 503)) throw error
      reply.header('retry-after', String(error.retryAfter ?? 60))
      return send(reply, 429, noticePage('busy', settings.palette))
    }
  }

  addRoutes(app, async () => (await import('@dala/model/api/report-shares')).sharedPageRoutes, {
    'GET /api/statistics/shared/page.css': async ({ reply }) =>
      reply.type('text/css; charset=utf-8').header('cache-control', 'public, max-age=3600').send(style),
    'GET /api/statistics/shared/:secret': ({ request, reply, query }) =>
      answer(request, reply, async (share) => {
        const pageRequest = await query()
        if (share.passcodeHash !== null)
          return send(
            reply,
            200,
            passcodePage({ locale: pageRequest.locale ?? share.locale, palette: settings.palette, isWrong: false }),
          )
        return sendOpenedPage(request, reply, share, pageRequest)
      }),
    'POST /api/statistics/shared/:secret': ({ request, reply }) =>
      answer(request, reply, async (share) => {
        const pageRequest = readForm(request.body)
        const { passcodeHash } = share
        if (passcodeHash === null || isTicketFor(passcodeHash, pageRequest.ticket ?? '', Date.now()))
          return sendOpenedPage(request, reply, share, pageRequest)
        const counters = [{ key: `share:${share.id}`, limit: wrongPasscodes }]
        // Concurrent passcodes of a share are counted one after the other.
        const isRight = await queueByShare(share.id, async () => {
          await assertCallerNotLocked(database, counters)
          if (await verifyPassword(passcodeHash, pageRequest.passcode ?? '')) return true
          await countFailure(database, counters, () => Promise.resolve())
          return false
        })
        if (isRight) return sendOpenedPage(request, reply, share, pageRequest)
        return send(
          reply,
          403,
          passcodePage({ locale: pageRequest.locale ?? share.locale, palette: settings.palette, isWrong: true }),
        )
      }),
  })
}

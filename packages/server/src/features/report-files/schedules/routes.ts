/** Registers the routes of schedules: saved reports that are sent by letter regularly (statistics §6). */
import { type AuditAction, type Caller, callerLanguage, fault, type ReportSchedule } from '@dala/model'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Queries } from '../../../db/database.ts'
import type { FeatureContext } from '../../../domain/feature.ts'
import { addRoutes } from '../../../http/contract-routes.ts'
import { resourceNamed } from '../../../resources/attributes.ts'
import { enterFeature } from '../../../resources/feature-routes.ts'
import { writeAudit } from '../../../resources/history/audit.ts'
import { idOf } from '../../../resources/routes.ts'
import { isStale } from '../../../resources/write/write.ts'
import { assertReadableReport, type SavedReportReaders } from '../read-report.ts'
import { assertMaySend, assertReaders, assertTotals, type Recipients } from './recipients.ts'
import {
  deleteSchedule,
  findSchedule,
  insertSchedule,
  listSchedules,
  listSendings,
  localNow,
  lockSchedule,
  restoreSchedule,
  type ScheduleValues,
  updateSchedule,
} from './store.ts'

const statistics = resourceNamed('statistics')

interface GivenRecipients {
  users?: readonly number[] | null | undefined
  addresses?: readonly string[] | null | undefined
}

const recipientsOf = ({ users, addresses }: GivenRecipients): Recipients => ({
  users: users ?? [],
  addresses: [...new Set(addresses ?? [])],
})

/** Throws 422 unless a schedule has either a day of the week or a day of the month. */
function assertDay({ weekday, month_day: monthDay }: Pick<ScheduleValues, 'weekday' | 'month_day'>): void {
  if ((weekday === null) === (monthDay === null)) throw fault('report.sending-day')
}

/** Registers the routes of schedules. */
export function registerSchedules(app: FastifyInstance, context: FeatureContext, readers: SavedReportReaders): void {
  const { database, settings } = context

  const enter = async (request: FastifyRequest) => (await enterFeature(context, statistics, 'get', request)).caller

  /** Checks all that a schedule needs when it is made, changed and resumed, and returns its saved report. */
  const assertUsable = async (trx: Queries, caller: Caller, savedId: number, values: ScheduleValues) => {
    assertDay(values)
    const savedReport = await readers.findSavedReport(trx, caller, savedId)
    await assertReadableReport(trx, caller, savedReport.key)
    assertMaySend(caller, values)
    assertTotals(savedReport, values)
    return savedReport
  }

  const noteAction = (
    trx: Queries,
    request: FastifyRequest,
    caller: Caller,
    action: AuditAction,
    row: ReportSchedule,
  ) =>
    writeAudit(trx, {
      action,
      user: caller.id,
      address: request.ip,
      requestId: request.id,
      resource: statistics.name,
      details: {
        key: row.key,
        schedule: String(row.id),
        ...(row.recipients.addresses.length > 0 && { addresses: row.recipients.addresses.join(', ') }),
      },
    })

  addRoutes(app, async () => (await import('@dala/model/api/report-schedules')).reportScheduleRoutes, {
    'GET /api/statistics/schedules': async ({ request, reply }) => {
      const caller = await enter(request)
      reply.header('cache-control', 'private, no-cache')
      const { day, hour } = await localNow(database)
      return {
        data: await listSchedules(database, caller),
        meta: { tz: database.calendar.zone, day, hour, mail: settings.smtpUrl !== undefined },
      }
    },
    'POST /api/statistics/schedules': async ({ request, body }) => {
      const caller = await enter(request)
      const { data } = await body()
      const { weekday = null, month_day: monthDay = null, hour, format, locale } = data
      const values: ScheduleValues = {
        weekday,
        month_day: monthDay,
        hour,
        format,
        locale: locale ?? callerLanguage(caller),
        active: true,
        ...recipientsOf(data.recipients),
      }
      return database.transaction(async (trx) => {
        const savedReport = await assertUsable(trx, caller, data.saved, values)
        await assertReaders(trx, values)
        const row = await findSchedule(trx, caller, await insertSchedule(trx, caller, savedReport, values))
        await noteAction(trx, request, caller, 'report.schedule', row)
        return { data: row, meta: {} }
      })
    },
    'PUT /api/statistics/schedules/:id': async ({ request, body }) => {
      const caller = await enter(request)
      const id = idOf(request)
      const { data } = await body()
      return database.transaction(async (trx) => {
        const currentSchedule = await lockSchedule(trx, caller, id)
        if (!currentSchedule.own) throw fault('access.denied')
        if (isStale(data.version, currentSchedule.version))
          throw fault('record.stale', { details: { current: currentSchedule } })
        const hasDay = data.weekday !== undefined || data.month_day !== undefined
        const days = hasDay ? { weekday: data.weekday ?? null, month_day: data.month_day ?? null } : currentSchedule
        const newRecipients = data.recipients && recipientsOf(data.recipients)
        const values: ScheduleValues = {
          weekday: days.weekday,
          month_day: days.month_day,
          hour: data.hour ?? currentSchedule.hour,
          format: data.format ?? currentSchedule.format,
          locale: data.locale ?? currentSchedule.locale,
          active: data.active ?? currentSchedule.active,
          users: newRecipients?.users ?? currentSchedule.recipients.users.map((user) => user.id),
          addresses: newRecipients?.addresses ?? currentSchedule.recipients.addresses,
        }
        // A schedule that is only paused needs nothing of what it lacks.
        if (values.active) await assertUsable(trx, caller, currentSchedule.saved ?? 0, values)
        else assertDay(values)
        if (newRecipients) {
          assertMaySend(caller, newRecipients)
          await assertReaders(trx, newRecipients)
        }
        await updateSchedule(trx, id, values)
        const row = await findSchedule(trx, caller, id)
        await noteAction(trx, request, caller, 'report.schedule', row)
        return { data: row, meta: {} }
      })
    },
    'DELETE /api/statistics/schedules/:id': async ({ request }) => {
      const caller = await enter(request)
      const id = idOf(request)
      return database.transaction(async (trx) => {
        const row = await lockSchedule(trx, caller, id)
        await deleteSchedule(trx, id)
        await noteAction(trx, request, caller, 'report.unschedule', row)
        return { data: row, meta: {} }
      })
    },
    'POST /api/statistics/schedules/:id/restore': async ({ request }) => {
      const caller = await enter(request)
      return database.transaction(async (trx) => {
        const row = await restoreSchedule(trx, caller, idOf(request))
        await noteAction(trx, request, caller, 'report.schedule', row)
        return { data: row, meta: {} }
      })
    },
    'GET /api/statistics/schedules/:id/sendings': async ({ request, reply }) => {
      const caller = await enter(request)
      reply.header('cache-control', 'private, no-cache')
      const { id } = await findSchedule(database, caller, idOf(request))
      return { data: await listSendings(database, id), meta: {} }
    },
  })
}

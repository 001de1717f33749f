/**
 * Reads recent changes by others: lines of the audit, or transitions of the caller's consultations.
 */
import { type Caller, homeAuditActions, type HomeChange, isLocale } from '@dala/model'
import { sql } from '../../db/sql.ts'
import { resourceNamed, resources, viewOfResource } from '../../resources/attributes.ts'
import type { FeatureRoutes } from '../../resources/feature-routes.ts'
import { personSql } from '../../domain/conversations/desk.ts'
import { runScopedQuery } from '../../resources/read/scoped.ts'
import { readFlatEntries, textOf } from './rows.ts'

type ChangesRoutes = Pick<FeatureRoutes, 'database' | 'totals'>

/** Maximum number of recent events that the home page shows. */
const maxShownEvents = 8
/** Maximum number of audit lines that are read: a run of lines is one event. */
const maxLines = 40
/** Names of private resources, and of resources whose changes are counted elsewhere. */
const hiddenResources = ['listviews', 'chatmessages', 'chatrooms']
/** Pause in milliseconds that ends a run of audit lines. */
const maxPause = 3_600_000

type Line = Omit<HomeChange, 'record'> & { entry: number | null }

const personOf = (value: unknown): HomeChange['by'] => {
  if (typeof value !== 'object' || value === null || !('id' in value)) return null
  const { id, first_name, last_name, username } = value as Record<string, unknown>
  const name = [first_name, last_name].map(textOf).filter(Boolean).join(' ') || textOf(username)
  return { id: Number(id), name: name ?? '' }
}

/** Joins consecutive audit lines of one user, action and resource into one event. */
function joinConsecutiveLines(lines: readonly Line[]): Line[] {
  const events: (Line & { first: string })[] = []
  for (const line of lines) {
    const lastEvent = events.at(-1)
    const isSame =
      lastEvent &&
      lastEvent.by?.id === line.by?.id &&
      lastEvent.action === line.action &&
      lastEvent.resource === line.resource &&
      Date.parse(lastEvent.first) - Date.parse(line.at) <= maxPause
    if (!isSame) {
      if (events.length === maxShownEvents) break
      events.push({ ...line, first: line.at })
      continue
    }
    // A record that was saved twice is one record of the home page's event.
    if (lastEvent.entry !== line.entry) {
      lastEvent.count += 1
    }
    lastEvent.first = line.at
  }
  return events.map(({ first: _first, ...event }) => event)
}

/** Reads the titles of records by resource and id, as their lists show them to the caller. */
async function titlesOf(routes: ChangesRoutes, caller: Caller, events: readonly Line[]) {
  const idsByResource = new Map<string, Set<number>>()
  for (const { resource, entry, action, count } of events) {
    if (resource === null || entry === null || count > 1 || action === 'record.remove') continue
    if (!Object.hasOwn(resources, resource)) continue
    idsByResource.set(resource, (idsByResource.get(resource) ?? new Set()).add(entry))
  }
  const titles = new Map<string, HomeChange['record']>()
  for (const [name, ids] of idsByResource) {
    const resource = resourceNamed(name)
    const fields = [...new Set([...(resource.titleFields ?? []), resource.title])].filter(
      (field) => field in resource.fields,
    )
    const entries = await readFlatEntries(routes, {
      caller,
      resource: name,
      query: {
        ...(resource.localized && { locale: 'all' }),
        filters: { id: { $in: [...ids].map(String) } },
        fields: [...fields, ...(resource.localized ? ['locale'] : [])],
      },
      limit: ids.size,
    })
    for (const entry of entries) {
      const titleNames = (resource.titleFields ?? [])
        .map((field) => textOf(entry[field]))
        .filter(Boolean)
        .join(' ')
      const title = titleNames || textOf(entry[resource.title])
      titles.set(`${name}/${entry.id}`, { id: entry.id, title, locale: isLocale(entry.locale) ? entry.locale : null })
    }
  }
  return titles
}

async function auditChanges(routes: ChangesRoutes, caller: Caller): Promise<HomeChange[]> {
  const entries = await readFlatEntries(routes, {
    caller,
    resource: 'audit',
    query: {
      filters: { action: { $in: [...homeAuditActions] }, resource: { $notIn: hiddenResources } },
      fields: ['action', 'resource', 'entry', 'createdAt'],
      populate: { user: { fields: ['username', 'first_name', 'last_name'] } },
      sort: 'id:desc',
    },
    limit: maxLines,
  })
  const events = joinConsecutiveLines(
    entries.map(({ id, action, resource, entry, createdAt, user }) => ({
      id,
      at: String(createdAt),
      by: personOf(user),
      action: String(action),
      resource: textOf(resource),
      entry: typeof entry === 'number' ? entry : null,
      count: 1,
    })),
  )
  const titles = await titlesOf(routes, caller, events)
  return events.map(({ entry, ...event }) => ({ ...event, record: titles.get(`${event.resource}/${entry}`) ?? null }))
}

interface StepRow {
  id: number
  at: string
  by: unknown
  action: string
  record: number
  question: string | null
  language: string | null
}

/** Reads transitions of the caller's consultations, newest first. */
async function stepChanges({ database }: ChangesRoutes, caller: Caller): Promise<HomeChange[]> {
  const consultations = resourceNamed('consultations')
  const view = viewOfResource(consultations, caller, 'list')
  if (!view) return []
  const query = { filters: { consultant: { id: { $eq: String(caller.id) } } } }
  const rows = await runScopedQuery(
    database,
    { resource: consultations, caller, view, query },
    ({ from, where, document }) => {
      const columnRef = (column: string) => sql.ref(`${document}.${column}`)
      return sql<StepRow>`
      select s.id, s.created_at as at, ${personSql(sql`s.user_id`)} as by, s.action, ${columnRef('id')} as record,
             left(${columnRef('question')}, 200) as question, ${columnRef('language')} as language
        from ${from} join consultation_steps s on s.consultation_id = ${columnRef('id')}
       where ${where} order by s.id desc limit ${maxShownEvents}`
    },
  )
  return rows.map(({ id, at, by, action, record, question, language }) => ({
    id,
    at,
    by: personOf(by),
    action: `step.${action}`,
    resource: 'consultations',
    record: { id: record, title: question, locale: isLocale(language) ? language : null },
    count: 1,
  }))
}

/**
 * Reads the recent changes of the home page.
 *
 * @param routes - The database and its totals.
 * @param caller - The user.
 * @returns At most eight events, newest first; null for callers with nothing to read.
 */
export async function readHomeChanges(routes: ChangesRoutes, caller: Caller): Promise<HomeChange[] | null> {
  if (viewOfResource(resourceNamed('audit'), caller, 'list')) return auditChanges(routes, caller)
  return caller.isConsultant ? stepChanges(routes, caller) : null
}

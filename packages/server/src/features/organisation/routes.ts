/** Registers the routes of the organisation's settings, which are for owners only. */
import {
  type ErrorCode,
  fault,
  type OrganisationChange,
  type OrganisationKey,
  organisationKeys,
  type OrganisationPicture,
  type OrganisationSetting,
  organisationSettings,
  type OrganisationState,
  type OrganisationValue,
  type OrganisationValues,
  unprocessableFault,
} from '@dala/model'
import type { FastifyInstance } from 'fastify'
import type { Queries } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import { ownerOf } from '../../domain/accounts/owner-of.ts'
import type { FeatureContext } from '../../domain/feature.ts'
import { readStored } from '../../domain/operations/organisation.ts'
import { addRoutes } from '../../http/contract-routes.ts'
import { fileTable } from '../../resources/attributes.ts'
import { organisationTable } from '../../resources/mentions.ts'
import { writeAudit } from '../../resources/history/audit.ts'
import { environmentSettings } from '../../settings.ts'

const shownChanges = 50

const isPicture = (value: OrganisationValue): value is OrganisationPicture =>
  typeof value === 'object' && value !== null && 'id' in value

/** Changed values by key; null returns a setting to its default. */
type Changes = { readonly [K in OrganisationKey]?: OrganisationValues[K] | null | undefined }

/** Reads the last changes from the audit, whose lines have the values as JSON. */
async function readHistory({ query }: Pick<Queries, 'query'>): Promise<OrganisationChange[]> {
  const rows = await query(sql<{
    id: number
    at: string
    user: number | null
    name: string
    key: OrganisationKey
    before: OrganisationValue | null
    after: OrganisationValue | null
  }>`
    select a.id, a.created_at as at, u.id as "user",
           coalesce(nullif(concat_ws(' ', nullif(u.name, ''), nullif(u.surname, '')), ''), u.username) as name,
           a.details ->> 'setting' as key, (a.details ->> 'before')::jsonb as before, (a.details ->> 'after')::jsonb as after
      from audit a left join users u on u.id = a.user_id and u.removed_at is null
     where a.action = 'organisation.change' and a.details ->> 'setting' = any(${organisationKeys}::text[])
     order by a.id desc limit ${sql.lit(shownChanges)}`)
  return rows.map(({ id, at, user, name, key, before, after }) => ({
    id,
    at,
    by: user === null ? null : { id: user, name },
    key,
    before,
    after,
  }))
}

/** Kinds of pictures that all browsers draw and that do not move. */
const logoKinds = ['image/jpeg', 'image/png', 'image/webp']

interface StoredFile {
  name: string
  url: string
  mime: string | null
  bytes: number | null
  private: boolean
}

/**
 * Reads a chosen picture, and locks its record so that it is not removed as unused meanwhile.
 *
 * @returns The picture with its present name and address.
 * @throws 422 for a file that is not there, private, not such a picture, or too large.
 */
async function readPicture(
  { query }: Pick<Queries, 'query'>,
  key: OrganisationKey,
  { id }: Pick<OrganisationPicture, 'id'>,
  maxBytes: number,
): Promise<OrganisationPicture> {
  const [file] = await query(sql<StoredFile>`
    select name, url, mime, (size * 1000)::float8 as bytes, private from ${sql.table(fileTable)} where id = ${id} for key share`)
  const refuse = (code: ErrorCode, params = {}) => unprocessableFault([{ path: [key], code, params }])
  if (!file) throw refuse('validation.relationMissing')
  if (file.private) throw refuse('validation.filePrivate')
  if (!logoKinds.includes(file.mime ?? '')) throw refuse('upload.type')
  if ((file.bytes ?? 0) > maxBytes) throw refuse('upload.file-too-large', { size: `${maxBytes / 1_000_000} MB` })
  return { id, name: file.name, url: file.url }
}

/** Registers the routes of the settings. */
export function registerOrganisation(
  app: FastifyInstance,
  { database, settings, organisation, callerOf }: FeatureContext,
): void {
  const present = async (): Promise<OrganisationState> => {
    const [stored, history] = await Promise.all([readStored(database), readHistory(database)])
    return {
      version: stored.version,
      settings: organisationKeys.map((key) => organisation.stateOf(key, stored)),
      environment: environmentSettings.map(({ name, reason }) => ({
        name,
        is_set: settings.configured.has(name),
        reason,
      })),
      history,
    }
  }

  addRoutes(app, async () => (await import('@dala/model/api/organisation')).organisationRoutes, {
    'GET /api/organisation': async ({ request, reply }) => {
      await ownerOf(request, callerOf)
      reply.header('cache-control', 'no-store')
      return { data: await present() }
    },
    'PUT /api/organisation': async ({ request, reply, body }) => {
      const caller = await ownerOf(request, callerOf)
      const { version, values } = (await body()).data
      const changes: Changes = values
      const keys = organisationKeys.filter((key) => changes[key] !== undefined)
      for (const key of keys) {
        const variable = organisation.lockOf(key)
        if (variable !== undefined) throw fault('organisation.locked', { params: { variable } })
      }
      await database.transaction(async (trx) => {
        // Owners change the settings one after the other, because the version is that of all rows.
        await trx.query(sql`lock table organisation_settings in share row exclusive mode`)
        const stored = await readStored(trx)
        if (stored.version !== version) throw fault('record.stale')
        for (const key of keys) {
          const declared: OrganisationSetting = organisationSettings[key]
          const { [key]: changed = null } = changes
          const value =
            declared.kind === 'picture' && isPicture(changed)
              ? await readPicture(trx, key, changed, declared.maxBytes)
              : changed
          const [before, after] = [JSON.stringify(stored.values[key] ?? null), JSON.stringify(value)]
          if (before === after) continue
          await trx.query(sql`
            insert into organisation_settings as s (key, value) values (${key}, nullif(${after}::jsonb, 'null'))
            on conflict (key) do update set value = excluded.value, version = s.version + 1`)
          const line = {
            action: 'organisation.change',
            user: caller.id,
            details: { setting: key, before, after },
          } as const
          await writeAudit(trx, { ...line, address: request.ip, requestId: request.id })
        }
        trx.changed(organisationTable)
        trx.afterCommit(() => organisation.refresh())
      })
      reply.header('cache-control', 'no-store')
      return { data: await present() }
    },
  })
}

import { decideAccess, type Field, isLink, type Resource, resources } from '@dala/model'
import { sql } from '../../db/sql.ts'
import { describe, expect, it } from 'vitest'
import { contentOf } from '../../testing/content.ts'
import { leastDraft, type Targets } from '../../testing/drafts.ts'
import { build } from '../../testing/factories.ts'
import { fullDraft } from '../../testing/full-drafts.ts'
import { ownedBy } from '../../testing/owned-by.ts'
import { startResourceApp } from '../../testing/resource-app.ts'

const here = startResourceApp()
interface Job {
  data: { id: number; changed: number; refused: number }
}
const asOwner = async (url: string, body: object) => {
  const answer = await here.ask('POST', url, body, 'owner')
  expect(answer.status).toBe(200)
  return (answer.body as Job).data
}

/**
 * Resources that bulk edits write, except accounts, resources with routes of their own, and those with a
 * fixed set of codes.
 */
const excludedResources = ['users', 'staff', 'roles', 'tradingposttypes', 'chatrooms', 'consultations']
const written = Object.values<Resource>(resources).filter(
  ({ name, single, noTrash, access }) =>
    !single &&
    !noTrash &&
    !excludedResources.includes(name) &&
    decideAccess(access, 'update', { role: 'owner', isConsultant: false }) !== false,
)

describe('an undo of every field', () => {
  const shared: Targets = new Map()
  it.each(written.map((resource) => [resource.name, resource] as const))(
    'restores every field of %s when a bulk edit is undone',
    async (name, resource) => {
      if (!shared.has('tradingposttypes')) {
        shared.set('tradingposttypes', build(here.database, 'tradingposttypes', { name: { en: 'S' }, code: 'selling' }))
      }
      // The database accepts one price list for each set of link targets, so drafts do not share these
      // targets.
      const targets = name === 'pricelists' ? new Map() : shared
      const least = await leastDraft(here.database, resource, targets)
      const id = await build(here.database, name, { ...least, ...ownedBy(name, here.people.owner) })
      const values = await fullDraft(here.database, resource, targets)
      if (name === 'lessons') values.parts = [{ id: 'part-1', title: 'One', content: '<p>á</p>' }]
      // Rules and absences are those of people who answer customers.
      if (name === 'routingrules') values.person = here.people.consultant
      if (name === 'absences') values.user = here.people.consultant
      // A file in a field with limited readers becomes private, which no undo reverts.
      const privateFileFields = Object.entries<Field>(resource.fields).filter(
        ([, field]) => isLink(field) && field.target === 'uploads' && field.readableBy,
      )
      const files = privateFileFields.map(([field]) => Number(values[field]))
      await here.database.query(sql`update uploads set private = true where id = any(${files}::int[])`)
      const before = await contentOf(here.database)
      const job = await asOwner('/bulk', {
        data: { resource: resource.wire, action: { kind: 'edit', rows: [{ id, values }] } },
      })
      expect(job).toMatchObject({ changed: 1, refused: 0 })
      expect(await contentOf(here.database)).not.toBe(before)
      expect(await asOwner(`/bulk/${job.id}/undo`, {})).toMatchObject({ changed: 1, refused: 0 })
      expect(await contentOf(here.database)).toBe(before)
    },
  )
})

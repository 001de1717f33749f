import { decideAccess, type Field, isLink, type Resource, resources } from '@dala/model'
import { sql } from '../../db/sql.ts'
import { describe, expect, it } from 'vitest'
import { contentOf } from '../../testing/content.ts'
import { leastDraft, type Targets } from '../../testing/drafts.ts'
import { buildRecord } from '../../testing/factories.ts'
import { fullDraft } from '../../testing/full-drafts.ts'
import { ownedBy } from '../../testing/owned-by.ts'
import { startResourceApp } from '../../testing/resource-app.ts'

const resourceApp = startResourceApp()
interface Job {
  data: { id: number; changed: number; refused: number }
}
const askAsOwner = async (url: string, body: object) => {
  const answer = await resourceApp.ask('POST', url, body, 'owner')
  expect(answer.status).toBe(200)
  return (answer.body as Job).data
}

/**
 * Resources that bulk edits write, except accounts, resources with routes of their own, and those with a
 * fixed set of codes.
 */
const excludedResources = ['users', 'staff', 'roles', 'tradingposttypes', 'chatrooms', 'consultations']
const writtenResources = Object.values<Resource>(resources).filter(
  ({ name, single, noTrash, access }) =>
    !single &&
    !noTrash &&
    !excludedResources.includes(name) &&
    decideAccess(access, 'update', { role: 'owner', isConsultant: false }) !== false,
)

describe('an undo of every field', () => {
  const sharedTargets: Targets = new Map()
  it.each(writtenResources.map((resource) => [resource.name, resource] as const))(
    'restores every field of %s when a bulk edit is undone',
    async (name, resource) => {
      if (!sharedTargets.has('tradingposttypes')) {
        sharedTargets.set(
          'tradingposttypes',
          buildRecord(resourceApp.database, 'tradingposttypes', { name: { en: 'S' }, code: 'selling' }),
        )
      }
      // The database accepts one price list for each set of link targets, so drafts do not share these
      // targets.
      const targets = name === 'pricelists' ? new Map() : sharedTargets
      const leastValues = await leastDraft(resourceApp.database, resource, targets)
      const id = await buildRecord(resourceApp.database, name, {
        ...leastValues,
        ...ownedBy(name, resourceApp.people.owner),
      })
      const values = await fullDraft(resourceApp.database, resource, targets)
      if (name === 'lessons') values.parts = [{ id: 'part-1', title: 'One', content: '<p>á</p>' }]
      // Rules and absences are those of people who answer customers.
      if (name === 'routingrules') values.person = resourceApp.people.consultant
      if (name === 'absences') values.user = resourceApp.people.consultant
      // A file in a field with limited readers becomes private, which no undo reverts.
      const privateFileFields = Object.entries<Field>(resource.fields).filter(
        ([, field]) => isLink(field) && field.target === 'uploads' && field.readableBy,
      )
      const files = privateFileFields.map(([field]) => Number(values[field]))
      await resourceApp.database.query(sql`update uploads set private = true where id = any(${files}::int[])`)
      const contentBefore = await contentOf(resourceApp.database)
      const job = await askAsOwner('/bulk', {
        data: { resource: resource.wire, action: { kind: 'edit', rows: [{ id, values }] } },
      })
      expect(job).toMatchObject({ changed: 1, refused: 0 })
      expect(await contentOf(resourceApp.database)).not.toBe(contentBefore)
      expect(await askAsOwner(`/bulk/${job.id}/undo`, {})).toMatchObject({ changed: 1, refused: 0 })
      expect(await contentOf(resourceApp.database)).toBe(contentBefore)
    },
  )
})

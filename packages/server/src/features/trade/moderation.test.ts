import { type PostReview, decisionUndoSeconds } from '@dala/model'
import { describe, expect, it } from 'vitest'
import { sql } from '../../db/sql.ts'
import { buildRecord, buildUpload, buildTranslation } from '../../testing/factories.ts'
import { buildPerson, type TestPerson } from '../../testing/people.ts'
import { startResourceApp } from '../../testing/resource-app.ts'
import { statementsOf } from '../../testing/statements.ts'
import { DecisionNotices } from './decision-notices.ts'

const people: Record<string, TestPerson> = {}
const ids: Record<string, number> = {}
const resourceApp = startResourceApp(async (app) => {
  const { database } = app
  people.admin = await buildPerson(app, 'admin', { name: 'Marat' })
  people.colleague = await buildPerson(app, 'admin', { name: 'Gulnara' })
  people.author = await buildPerson(app, 'authenticated', { language: 'kaa', confirmed: true })
  people.reader = await buildPerson(app, 'authenticated', { language: 'en' })
  people.neighbour = await buildPerson(app, 'authenticated')
  ids.type = await buildRecord(database, 'tradingposttypes', { name: { en: 'T' }, code: 'selling' })
  ids.kg = await buildRecord(database, 'units', { name: { en: 'kg' }, kind: 'mass', factor: 1 })
  ids.tonne = await buildRecord(database, 'units', { name: { en: 't' }, kind: 'mass', factor: 1000 })
  for (const [code, applies_to] of [
    ['contact', 'decision'],
    ['blurred', 'needs_changes'],
    ['fraud', 'report'],
  ])
    await buildRecord(database, 'moderationreasons', {
      code,
      applies_to,
      label: { en: `Label ${code}`, kaa: `Belgi ${code}` },
      text: { en: `Text ${code}`, kaa: `Tekst ${code}` },
    })
})
const person = (name: string): TestPerson => {
  const foundPerson = people[name]
  if (!foundPerson) throw new Error(name)
  return foundPerson
}

type Attributes = Record<string, unknown> & { version: number; status: string }
const post = (status: string, draft: object = {}) =>
  buildRecord(resourceApp.database, 'tradinposts', {
    title: 'Melons',
    description: 'Sweet',
    tradingposttype: ids.type,
    user: person('author').id,
    status,
    price: 5,
    ...draft,
  })
/** Makes waiting posts, ten at a time: a transaction waits three seconds for one of the ten connections. */
async function makePosts(count: number): Promise<number[]> {
  const made: number[] = []
  while (made.length < count)
    made.push(...(await Promise.all(Array.from({ length: Math.min(10, count - made.length) }, () => post('on_hold')))))
  return made
}
const readStoredPost = async (id: number) =>
  (await resourceApp.read<{ data: { attributes: Attributes } }>(`/tradinposts/${id}?populate=images`)).data.attributes
const versionOf = async (id: number) => (await readStoredPost(id)).version
const putPost = (personName: string, id: number, data: object) =>
  person(personName).ask('PUT', `/tradinposts/${id}`, { data })
const moderatePost = async (personName: string, id: number, data: Record<string, unknown>) =>
  person(personName).ask('POST', `/tradinposts/${id}/moderate`, { data: { version: await versionOf(id), ...data } })
const undoDecision = (personName: string, id: number) => person(personName).ask('POST', `/tradinposts/${id}/undo`)
const dataOf = <T>({ body }: { body: unknown }) => (body as { data: T }).data
const review = async (id: number) => dataOf<PostReview>(await person('admin').ask('GET', `/tradinposts/${id}/review`))
/** Deletes the decisions of earlier tests, so that nobody is notified of them. */
const deleteDecisions = () => resourceApp.database.query(sql`delete from post_decisions`)
/** Moves all decisions on trading posts past the time to undo them. */
const passUndoTime = () =>
  resourceApp.database.query(
    sql`update post_decisions set notify_at = notify_at - make_interval(secs => ${decisionUndoSeconds}::int)`,
  )
/** Empties all inboxes, and deletes pending letters. */
const clearNotices = async () => {
  await resourceApp.database.query(sql`delete from notices`)
  await resourceApp.database.query(sql`delete from mails`)
}
/**
 * Collects all notices of decisions: the inboxes as their owners read them, the inbox table, and the letters.
 */
const readNotifiedUsers = async () => ({
  inboxes: await Promise.all(
    Object.entries(people).map(async ([personName, testPerson]) => [
      personName,
      dataOf<object[]>(await testPerson.ask('GET', '/notices')).length,
    ]),
  ),
  notices: await resourceApp.database.query(sql`select user_id, kind from notices order by id`),
  letters: await resourceApp.database.query(sql`select recipient, template, payload from mails order by id`),
})
const nobodyNotified = () => ({
  inboxes: Object.keys(people).map((personName) => [personName, 0]),
  notices: [],
  letters: [],
})
const statuses = ['on_hold', 'processed', 'needs_changes', 'rejected', 'expired', 'archived']

describe('POST /api/tradinposts/:id/moderate', () => {
  const legalTransitions: Readonly<Record<string, readonly string[]>> = {
    on_hold: ['processed', 'needs_changes', 'rejected'],
    processed: ['on_hold', 'archived'],
    expired: ['processed'],
  }
  const cases = statuses.flatMap((fromStatus) =>
    statuses.map((toStatus) => ({
      from: fromStatus,
      to: toStatus,
      isLegal: legalTransitions[fromStatus]?.includes(toStatus) ?? false,
    })),
  )
  it.each(cases)('accepts the transition of a post from $from to $to: $isLegal', async ({ from, to, isLegal }) => {
    const id = await post(from)
    const answer = await moderatePost('admin', id, { to, reason: ['contact'] })
    expect(answer.status).toBe(isLegal ? 200 : 422)
    expect((await readStoredPost(id)).status).toBe(isLegal ? to : from)
    expect(answer.body).toMatchObject(isLegal ? { data: {} } : { error: { code: 'state.step', details: { from, to } } })
  })
  it.each(['needs_changes', 'rejected'])('requires a listed reason to decide %s', async (toStatus) => {
    const id = await post('on_hold')
    for (const [reason, code] of [
      [undefined, 'state.reason'],
      [[], 'state.reason'],
      ['fraud', 'moderation.reason'],
      ['unknown', 'moderation.reason'],
      [3, 'request.unprocessable'],
    ] as const)
      expect(await moderatePost('admin', id, { to: toStatus, reason })).toMatchObject({
        status: 422,
        body: { error: { code } },
      })
    expect((await moderatePost('admin', id, { to: toStatus, reason: 'contact' })).status).toBe(200)
    expect(await readStoredPost(id)).toMatchObject({ status: toStatus, reason: 'Belgi contact' })
  })
  it('lists every error in the body of a decision', async () => {
    const id = await post('on_hold')
    const body = { data: { to: 'gone', reason: [1], public_note: 3, staff_note: 'x'.repeat(2001) } }
    const answer = await person('admin').ask('POST', `/tradinposts/${id}/moderate`, body)
    const { errors } = (answer.body as { error: { details: { errors: { path: string[] }[] } } }).error.details
    expect([answer.status, errors.map(({ path }) => path[0])]).toEqual([
      422,
      ['to', 'reason', 'public_note', 'staff_note', 'version'],
    ])
  })
  it('refuses a decision on a stale version of a post and returns the present version', async () => {
    const id = await post('on_hold')
    await putPost('admin', id, { price: 7 })
    const answer = await moderatePost('admin', id, { to: 'processed', version: 1 })
    expect(answer).toMatchObject({ status: 409, body: { error: { details: { current: { price: 7, version: 2 } } } } })
  })
  it.each(['author', 'reader'])('refuses a decision about a post by its %s', async (personName) => {
    const id = await post('on_hold')
    expect((await moderatePost(personName, id, { to: 'processed' })).status).toBe(403)
  })
})

describe('an edit of a public post', () => {
  const secret = 'Unseen words'
  it('shows an edit of a public post only to its author and moderators', async () => {
    const picture = await buildUpload(resourceApp.database, { owner: person('author').id })
    const id = await post('processed')
    await putPost('author', id, { title: secret, description: secret, price: 7_654_321, images: [picture] })
    const readingRoutes = [
      `/tradinposts/${id}?populate=*`,
      '/tradinposts?populate=*&locale=all',
      `/tradinposts?_q=${encodeURIComponent('Unseen')}`,
      `/tradinposts?filters[title][$containsi]=unseen`,
      `/search?q=Unseen`,
      `/tradinposts/${id}/history`,
      `/tradinposts/${id}/edit`,
      `/tradinposts/${id}/decisions`,
      `/tradinposts/${id}/review`,
      `/tradinposts/${id}/duplicates`,
    ]
    for (const routeName of readingRoutes) {
      const { body } = await person('reader').ask('GET', routeName)
      expect([routeName, JSON.stringify(body).includes('Unseen'), JSON.stringify(body).includes('7654321')]).toEqual([
        routeName,
        false,
        false,
      ])
    }
    const file = await resourceApp.app.inject({
      method: 'POST',
      url: '/api/export',
      headers: { authorization: `Bearer ${person('reader').token}` },
      payload: { data: { resource: 'tradinposts', format: 'csv', columns: ['title', 'description', 'price'] } },
    })
    expect([file.statusCode, file.body.includes('Unseen'), file.body.includes('Melons')]).toEqual([200, false, true])
    for (const personName of ['author', 'admin']) {
      const edit = dataOf<{ changes: { field: string }[] }>(
        await person(personName).ask('GET', `/tradinposts/${id}/edit`),
      )
      expect([personName, edit.changes.map(({ field }) => field).toSorted()]).toEqual([
        personName,
        ['description', 'images', 'price', 'title'],
      ])
    }
  })
  it('publishes an approved edit of a post, and keeps the date and the place in the list', async () => {
    const picture = await buildUpload(resourceApp.database, { owner: person('author').id })
    const id = await post('processed', {
      createdAt: '2026-01-01T00:00:00.000Z',
      expires_at: '2030-01-01T00:00:00.000Z',
    })
    const ru = await buildTranslation(resourceApp.database, 'tradinposts', id, 'ru', { title: 'Дыни' })
    await putPost('author', id, { title: 'New', price: 9, images: [picture], unit: ids.kg })
    await putPost('author', ru, { title: 'Новое' })
    expect((await moderatePost('admin', id, { to: 'processed' })).status).toBe(200)
    expect(await readStoredPost(id)).toMatchObject({
      title: 'New',
      price: 9,
      status: 'processed',
      createdAt: '2026-01-01T00:00:00.000Z',
      expires_at: '2030-01-01T00:00:00.000Z',
      edit_state: null,
      waiting_since: null,
      images: { data: [{ id: picture }] },
    })
    expect(await readStoredPost(ru)).toMatchObject({ title: 'Новое' })
  })
  it('drops a refused edit, returns an edit that needs changes, and keeps the public text', async () => {
    for (const [toStatus, edit_state] of [
      ['rejected', null],
      ['needs_changes', 'returned'],
    ] as const) {
      const id = await post('processed')
      await putPost('author', id, { title: secret })
      expect((await moderatePost('admin', id, { to: toStatus, reason: 'contact' })).status).toBe(200)
      expect(await readStoredPost(id)).toMatchObject({ title: 'Melons', status: 'processed', edit_state, reason: null })
      await putPost('author', id, { price: 6 })
      const edit = dataOf<{ changes: { field: string }[] }>(
        await person('author').ask('GET', `/tradinposts/${id}/edit`),
      )
      expect(edit.changes.map(({ field }) => field)).toEqual(toStatus === 'rejected' ? ['price'] : ['title', 'price'])
    }
  })
  it('refuses to publish an edit that has changed while a moderator reads it', async () => {
    const id = await post('processed')
    await putPost('author', id, { title: 'Seen' })
    const version = await versionOf(id)
    await putPost('author', id, { title: secret })
    expect((await moderatePost('admin', id, { to: 'processed', version })).status).toBe(409)
    expect(await readStoredPost(id)).toMatchObject({ title: 'Melons' })
  })
  it('lets only its author withdraw an edit of a post', async () => {
    const id = await post('processed')
    await putPost('author', id, { title: secret })
    for (const [personName, status] of [
      ['admin', 403],
      ['reader', 404],
      ['author', 200],
      ['author', 404],
    ] as const)
      expect([personName, (await person(personName).ask('DELETE', `/tradinposts/${id}/edit`)).status]).toEqual([
        personName,
        status,
      ])
    expect(await readStoredPost(id)).toMatchObject({ title: 'Melons', edit_state: null, waiting_since: null })
  })
  it('restores an edit of a post from the trash with the post', async () => {
    const id = await post('processed')
    await putPost('author', id, { title: secret })
    await person('admin').ask('DELETE', `/tradinposts/${id}`)
    expect((await person('admin').ask('POST', `/tradinposts/${id}/restore`)).status).toBe(200)
    expect(await readStoredPost(id)).toMatchObject({ title: 'Melons', status: 'processed', edit_state: 'waiting' })
    expect(
      dataOf<{ changes: object[] }>(await person('admin').ask('GET', `/tradinposts/${id}/edit`)).changes,
    ).toHaveLength(1)
  })
  it('creates an edit by a bulk edit of the post’s author, and deletes the edit when that is undone', async () => {
    const id = await post('processed')
    const data = {
      resource: 'tradinposts',
      action: { kind: 'set', values: { price: 8 } },
      selection: { ids: [id] },
      mode: 'each',
    }
    const job = dataOf<{ id: number }>(await person('author').ask('POST', '/bulk', { data }))
    expect(await readStoredPost(id)).toMatchObject({ price: 5, edit_state: 'waiting' })
    expect((await person('author').ask('POST', `/bulk/${job.id}/undo`)).status).toBe(200)
    expect(await readStoredPost(id)).toMatchObject({ price: 5, edit_state: null })
    expect(dataOf(await person('author').ask('GET', `/tradinposts/${id}/edit`))).toBeNull()
  })
})

describe('POST /api/tradinposts/:id/undo', () => {
  it.each(['processed', 'needs_changes', 'rejected'])(
    'undoes the decision %s, and notifies nobody',
    async (toStatus) => {
      await deleteDecisions()
      await clearNotices()
      const id = await post('on_hold')
      const { version: _v, updatedAt: _u, ...formerPost } = await readStoredPost(id)
      await moderatePost('admin', id, { to: toStatus, reason: 'contact', public_note: 'P', staff_note: 'S' })
      expect((await undoDecision('admin', id)).status).toBe(200)
      expect(await readStoredPost(id)).toMatchObject(formerPost)
      await passUndoTime()
      expect(await new DecisionNotices(resourceApp.database).notifyDue()).toBe(0)
      expect(await readNotifiedUsers()).toEqual(nobodyNotified())
      expect(await undoDecision('admin', id)).toMatchObject({
        status: 409,
        body: { error: { code: 'moderation.no-undo' } },
      })
    },
  )
  it.each(['processed', 'needs_changes', 'rejected'])('restores an edit that was decided %s', async (toStatus) => {
    const picture = await buildUpload(resourceApp.database, { owner: person('author').id })
    const id = await post('processed')
    await putPost('author', id, { title: 'New', price: 9, images: [picture] })
    const reviewBefore = await review(id)
    const { version: _v, updatedAt: _u, ...postBefore } = await readStoredPost(id)
    await deleteDecisions()
    await clearNotices()
    await moderatePost('admin', id, { to: toStatus, reason: 'contact' })
    expect((await undoDecision('admin', id)).status).toBe(200)
    expect(await readStoredPost(id)).toMatchObject(postBefore)
    expect((await review(id)).edit).toEqual(reviewBefore.edit)
    await passUndoTime()
    expect(await new DecisionNotices(resourceApp.database).notifyDue()).toBe(0)
    expect(await readNotifiedUsers()).toEqual(nobodyNotified())
  })
  /** Ways to archive a trading post; each returns a function that undoes the change. */
  const archivingWays: [door: string, archive: (id: number) => Promise<() => Promise<{ status: number }>>][] = [
    [
      'one decision',
      async (id) => {
        await moderatePost('admin', id, { to: 'archived' })
        return () => undoDecision('admin', id)
      },
    ],
    [
      'a bulk edit',
      async (id) => {
        const action = { kind: 'set', values: { status: 'archived' } }
        const data = { resource: 'tradinposts', action, selection: { ids: [id] } }
        const job = dataOf<{ id: number }>(await person('admin').ask('POST', '/bulk', { data }))
        return () => person('admin').ask('POST', `/bulk/${job.id}/undo`)
      },
    ],
  ]
  it.each(archivingWays)('restores the waiting edit when %s archived the post', async (_door, archive) => {
    const id = await post('processed')
    await putPost('author', id, { title: 'New', price: 9 })
    const reviewBefore = await review(id)
    const { version: _v, updatedAt: _u, ...postBefore } = await readStoredPost(id)
    const undoArchive = await archive(id)
    expect(await readStoredPost(id)).toMatchObject({ status: 'archived', edit_state: null })
    expect((await undoArchive()).status).toBe(200)
    expect(await readStoredPost(id)).toMatchObject(postBefore)
    expect((await review(id)).edit).toMatchObject({ changes: reviewBefore.edit?.changes })
    expect((await moderatePost('admin', id, { to: 'processed' })).status).toBe(200)
    expect(await readStoredPost(id)).toMatchObject({ title: 'New', price: 9, status: 'processed', edit_state: null })
  })
  it('lets only the deciding moderator undo a decision, in time, and while the post is unchanged', async () => {
    const id = await post('on_hold')
    expect((await undoDecision('admin', id)).status).toBe(409)
    await moderatePost('admin', id, { to: 'processed' })
    expect((await undoDecision('colleague', id)).status).toBe(409)
    await putPost('colleague', id, { price: 6 })
    expect(await undoDecision('admin', id)).toMatchObject({
      status: 409,
      body: { error: { code: 'bulk.changed-since' } },
    })
    const latePost = await post('on_hold')
    await moderatePost('admin', latePost, { to: 'processed' })
    await passUndoTime()
    expect((await undoDecision('admin', latePost)).status).toBe(409)
    expect((await undoDecision('author', latePost)).status).toBe(403)
  })
})

describe('the author of a post', () => {
  const notices = async (personName: string) =>
    dataOf<{ kind: string; params: object }[]>(await person(personName).ask('GET', '/notices'))
  it('notifies the author of a decision once, in the author’s language, after the time to undo it', async () => {
    await deleteDecisions()
    await clearNotices()
    const id = await post('on_hold')
    await moderatePost('admin', id, {
      to: 'rejected',
      reason: ['contact'],
      public_note: 'Again, please',
      staff_note: 'Secret',
    })
    const decisionNotices = new DecisionNotices(resourceApp.database)
    expect([await decisionNotices.notifyDue(), await notices('author')]).toEqual([0, []])
    await passUndoTime()
    const counts = await Promise.all([
      decisionNotices.notifyDue(),
      new DecisionNotices(resourceApp.database).notifyDue(),
    ])
    expect(counts.toSorted((a, b) => a - b)).toEqual([0, 1])
    const params = { title: 'Melons', reason: 'Tekst contact Again, please' }
    expect(await notices('author')).toMatchObject([{ kind: 'post.rejected', params }])
    const letters = await resourceApp.database.query(sql`select locale, template, payload from mails`)
    expect(letters).toMatchObject([
      { locale: 'kaa', template: 'postDecision', payload: { outcome: 'rejected', ...params } },
    ])
    expect(JSON.stringify(letters)).not.toContain('Secret')
  })
  it('shows authors the decisions on their posts, but never the notes of moderators', async () => {
    const id = await post('on_hold')
    await moderatePost('admin', id, {
      to: 'needs_changes',
      reason: 'blurred',
      public_note: 'Sharper',
      staff_note: 'Secret',
    })
    expect(dataOf(await person('author').ask('GET', `/tradinposts/${id}/decisions`))).toEqual([])
    await passUndoTime()
    const readRoutes = [
      `/tradinposts/${id}?populate=*`,
      `/tradinposts/${id}?fields=staff_note`,
      `/tradinposts/${id}/history`,
      `/tradinposts/${id}/history?field=staff_note`,
      `/tradinposts/${id}/decisions`,
      '/tradinposts?_q=Secret',
      '/tradinposts?filters[staff_note]=Secret',
      '/tradinposts?sort=staff_note',
      '/search?q=Secret',
    ]
    for (const readRoute of readRoutes) {
      const { status, body } = await person('author').ask('GET', readRoute)
      const text = JSON.stringify(body)
      expect([
        readRoute,
        status < 500,
        text.includes('Secret') || (status === 200 && text.includes('staff_note')),
      ]).toEqual([readRoute, true, false])
    }
    await putPost('author', id, { staff_note: 'Mine', status: 'on_hold' })
    expect(await readStoredPost(id)).toMatchObject({ staff_note: 'Secret', status: 'on_hold' })
    const [authorDecision] = dataOf<object[]>(await person('author').ask('GET', `/tradinposts/${id}/decisions`))
    expect(authorDecision).toMatchObject({
      to: 'needs_changes',
      reasons: ['blurred'],
      public_note: 'Sharper',
      by: null,
    })
    const [adminDecision] = dataOf<object[]>(await person('admin').ask('GET', `/tradinposts/${id}/decisions`))
    expect(adminDecision).toMatchObject({ staff_note: 'Secret', by: { name: 'Marat' } })
  })
})

describe('a claim', () => {
  const claimPost = (personName: string, id: number) => person(personName).ask('POST', `/tradinposts/${id}/claim`)
  const releasePost = (personName: string, id: number) => person(personName).ask('DELETE', `/tradinposts/${id}/claim`)
  it('keeps other moderators from a claimed post until it is released', async () => {
    const id = await post('on_hold')
    const takenClaim = dataOf<{ by: { name: string }; until: string }>(await claimPost('admin', id))
    expect(takenClaim.by.name).toBe('Marat')
    const claimedAnswer = {
      status: 409,
      body: { error: { code: 'moderation.claimed', details: { by: { name: 'Marat' } } } },
    }
    expect(await claimPost('colleague', id)).toMatchObject(claimedAnswer)
    expect(await moderatePost('colleague', id, { to: 'processed' })).toMatchObject(claimedAnswer)
    expect((await releasePost('colleague', id)).status).toBe(200)
    expect(await claimPost('colleague', id)).toMatchObject(claimedAnswer)
    await releasePost('admin', id)
    expect((await claimPost('colleague', id)).status).toBe(200)
  })
  it('ends a claim with its time, with a decision, and with a claim of another post', async () => {
    const [id, otherPost] = [await post('on_hold'), await post('on_hold')]
    await claimPost('admin', id)
    await resourceApp.database.query(sql`update post_claims set until = now() - interval '1 second'`)
    expect((await claimPost('colleague', id)).status).toBe(200)
    expect((await claimPost('colleague', otherPost)).status).toBe(200)
    expect((await claimPost('admin', id)).status).toBe(200)
    await moderatePost('admin', id, { to: 'processed' })
    expect((await review(id)).claim).toBeNull()
    const queue = dataOf<{ claims: { ids: number[] }[] }>(await person('admin').ask('GET', '/tradinposts/queue'))
    expect(queue.claims.map((postClaim) => postClaim.ids)).toEqual([[otherPost]])
  })
  it.each(['author', 'reader'])('refuses a claim of the %s', async (personName) => {
    const id = await post('processed')
    expect([(await claimPost(personName, id)).status, (await releasePost(personName, id)).status]).toEqual([403, 403])
  })
})

describe('reports', () => {
  const report = (personName: string, id: number, data: object = { reason: 'fraud', text: 'Look' }) =>
    person(personName).ask('POST', `/tradinposts/${id}/report`, { data })
  it('accepts one report of a post from each reader, and settles each report separately', async () => {
    const id = await post('processed')
    expect((await report('reader', id)).status).toBe(200)
    expect(await report('reader', id)).toMatchObject({ status: 409, body: { error: { code: 'moderation.reported' } } })
    expect((await report('neighbour', id, { reason: 'fraud' })).status).toBe(200)
    expect(await readStoredPost(id)).toMatchObject({ reports_open: 2, version: 1 })
    const [firstReport] = (await review(id)).reports
    const settlePost = (personName: string, isUpheld: unknown = false) =>
      person(personName).ask('POST', `/tradinposts/${id}/reports/${firstReport?.id}/settle`, {
        data: { upheld: isUpheld },
      })
    expect([(await settlePost('reader')).status, (await settlePost('admin', 'yes')).status]).toEqual([403, 422])
    expect([(await settlePost('admin')).status, (await settlePost('admin')).status]).toEqual([200, 409])
    expect((await readStoredPost(id)).reports_open).toBe(1)
  })
  it('requires a listed reason for a report, and a visible post that the reader did not write', async () => {
    const [id, hiddenPost] = [await post('processed'), await post('on_hold')]
    for (const [personName, target, data, status] of [
      ['reader', id, { reason: 'contact' }, 422],
      ['reader', id, {}, 422],
      ['reader', hiddenPost, { reason: 'fraud' }, 404],
      ['author', id, { reason: 'fraud' }, 403],
    ] as const)
      expect([personName, status, (await report(personName, target, data)).status]).toEqual([
        personName,
        status,
        status,
      ])
    expect((await person('reader').ask('GET', `/tradinposts/${id}`)).body).not.toHaveProperty(
      'data.attributes.reports_open',
    )
  })
})

describe('the review of a post', () => {
  it('lists duplicates of a post with a score and the reason', async () => {
    const picture = await buildUpload(resourceApp.database, { owner: person('author').id })
    const phone = '+998 90 111-22-33'
    const twinPost = await post('processed', { title: 'Gurvak melons late', phone, mainPhoto: picture })
    await post('processed', { title: 'Tractor' })
    const id = await post('on_hold', { title: 'Gurvak melons, late', phone: '998901112233', images: [picture] })
    const foundDuplicates = dataOf<object[]>(await person('admin').ask('GET', `/tradinposts/${id}/duplicates`))
    expect(foundDuplicates).toMatchObject([{ id: twinPost, same: ['phone', 'title', 'picture_equal'] }])
    expect((foundDuplicates[0] as { score: number }).score).toBeGreaterThan(0.9)
  })
  it('compares the price of a post with published prices of the product in the unit of the post', async () => {
    const region = await buildRecord(resourceApp.database, 'regions', { name: 'R' })
    const district = await buildRecord(resourceApp.database, 'districts', { name: 'D', region })
    const product = await buildRecord(resourceApp.database, 'products', { name: 'Melon', unit: ids.kg })
    const today = new Date()
    for (const [index, price] of [3000, 3200, 3800, 4000, 4400].entries()) {
      const date = new Date(today.getTime() - (index + 1) * 86_400_000).toISOString().slice(0, 10)
      const pricedate = await buildRecord(resourceApp.database, 'pricedates', { date, state: 'published' })
      await buildRecord(resourceApp.database, 'pricelists', {
        product,
        district,
        region,
        pricedate,
        unit: ids.kg,
        price,
        price_base: price,
      })
    }
    const id = await post('on_hold', { product, unit: ids.tonne, price: 9_500_000, district, region })
    expect((await review(id)).price).toMatchObject({
      min: 3_000_000,
      median: 3_800_000,
      max: 4_400_000,
      percent: 150,
      verdict: 'far',
      scope: 'region',
    })
    expect((await review(await post('on_hold'))).price).toBeNull()
  })
  it('finds contacts and listed words in the text of a post, also of its edit', async () => {
    await buildRecord(resourceApp.database, 'moderationwords', { word: 'оружие' })
    const id = await post('processed')
    await putPost('author', id, { description: 'Oruzhie, write to @dilshod_qawin or 90 123 45 67, 500 kg for 4600' })
    expect(await review(id)).toMatchObject({ contacts: ['@dilshod_qawin', '90 123 45 67'] })
    await putPost('author', id, { description: 'Продаю Оружие' })
    expect(await review(id)).toMatchObject({ contacts: [], words: ['оружие'] })
  })
  it('counts the posts, refusals and reports of the author', async () => {
    const author = await buildPerson(resourceApp, 'authenticated')
    const [id] = [await post('on_hold', { user: author.id }), await post('rejected', { user: author.id })]
    expect((await review(id)).author).toMatchObject({
      id: author.id,
      blocked: false,
      posts: 2,
      refusals: 1,
      reports: 0,
    })
  })
})

describe('the queue', () => {
  it('counts each tab of the queue as its filter finds it', async () => {
    const list = await resourceApp.read<{ meta: { counts: Record<string, number> } }>(
      '/tradinposts?pagination[pageSize]=1',
    )
    const totalOf = async (filter: string) =>
      (await resourceApp.read<{ meta: { pagination: { total: number } } }>(`/tradinposts?locale=en&${filter}`)).meta
        .pagination.total
    const { counts } = list.meta
    const filters: Readonly<Record<string, string>> = {
      on_hold: 'filters[waiting_since][$notNull]=true',
      needs_changes: 'filters[status]=needs_changes',
      reported: 'filters[reports_open][$gt]=0',
      processed: 'filters[status]=processed',
      rejected: 'filters[status]=rejected',
      expired: 'filters[status]=expired',
      archived: 'filters[status]=archived',
      all: '',
    }
    const foundTotals = await Promise.all(
      Object.entries(filters).map(async ([tab, filter]) => [tab, await totalOf(filter)]),
    )
    expect(Object.fromEntries(foundTotals)).toEqual(counts)
  })
})

describe('POST /api/tradinposts/moderate', () => {
  const decidePosts = (personName: string, items: object[], data: object) =>
    person(personName).ask('POST', '/tradinposts/moderate', { data: { items, ...data } })
  it('decides a hundred posts, returns the result of each post, and undoes all without a notice', async () => {
    await deleteDecisions()
    await clearNotices()
    const posts = await makePosts(97)
    const [stalePost, processedPost] = [await post('on_hold'), await post('processed')]
    const items = [
      ...posts.map((id) => ({ id, version: 1 })),
      { id: stalePost, version: 9 },
      { id: processedPost, version: 1 },
      { id: 9_999_999, version: 1 },
    ]
    const { done, failed } = dataOf<{ done: number[]; failed: { id: number; code: string }[] }>(
      await decidePosts('admin', items, { to: 'rejected', reason: 'contact' }),
    )
    expect(done.toSorted((a, b) => a - b)).toEqual(posts.toSorted((a, b) => a - b))
    expect(Object.fromEntries(failed.map(({ id, code }) => [id, code]))).toEqual({
      [stalePost]: 'record.stale',
      [processedPost]: 'state.step',
      9999999: 'record.not-found',
    })
    const undoneItems = dataOf<{ done: number[]; failed: object[] }>(
      await person('admin').ask('POST', '/tradinposts/undo', { data: { items: done } }),
    )
    expect([undoneItems.done.length, undoneItems.failed]).toEqual([97, []])
    await passUndoTime()
    expect(await new DecisionNotices(resourceApp.database).notifyDue()).toBe(0)
    expect(await readNotifiedUsers()).toEqual(nobodyNotified())
    const states = await resourceApp.database.query(sql`
      select distinct status, reason from tradinposts where id in (select document_id from tradinposts_texts where id = any(${posts}::int[]))`)
    expect(states).toEqual([{ status: 'on_hold', reason: null }])
  })
  it('notifies authors only of decisions that were not undone', async () => {
    await deleteDecisions()
    await clearNotices()
    const posts = [await post('on_hold'), await post('on_hold'), await post('on_hold'), await post('on_hold')]
    const items = posts.map((id) => ({ id, version: 1 }))
    await decidePosts('admin', items, { to: 'needs_changes', reason: 'blurred' })
    const [firstPost, secondPost, ...decidedPosts] = posts
    const undoAnswer = await person('admin').ask('POST', '/tradinposts/undo', {
      data: { items: [firstPost, secondPost] },
    })
    expect(dataOf(undoAnswer)).toMatchObject({ done: [firstPost, secondPost], failed: [] })
    await passUndoTime()
    const statements = await statementsOf(resourceApp.database, async () => {
      expect(await new DecisionNotices(resourceApp.database).notifyDue()).toBe(2)
    })
    // The query of the moderators' decisions includes their reasons.
    expect(statements.filter((text) => text.includes('moderationreasons'))).toHaveLength(1)
    const { inboxes, notices, letters } = await readNotifiedUsers()
    expect(inboxes.filter(([, count]) => count !== 0)).toEqual([['author', 2]])
    const notice = { user_id: person('author').id, kind: 'post.needs_changes' }
    expect(notices).toEqual([notice, notice])
    expect(letters).toMatchObject(
      decidedPosts.map((entry) => ({ template: 'postDecision', payload: { entry, reason: 'Tekst blurred' } })),
    )
  })
  it('notifies nobody when a deciding bulk edit is undone', async () => {
    await deleteDecisions()
    await clearNotices()
    const posts = [await post('on_hold'), await post('on_hold')]
    const data = {
      resource: 'tradinposts',
      action: { kind: 'set', values: { status: 'processed' } },
      selection: { ids: posts },
    }
    const job = dataOf<{ id: number }>(await person('admin').ask('POST', '/bulk', { data }))
    expect(await readStoredPost(posts[0] ?? 0)).toMatchObject({ status: 'processed' })
    expect((await person('admin').ask('POST', `/bulk/${job.id}/undo`)).status).toBe(200)
    for (const id of posts) expect(await readStoredPost(id)).toMatchObject({ status: 'on_hold' })
    await passUndoTime()
    expect(await new DecisionNotices(resourceApp.database).notifyDue()).toBe(0)
    expect(await readNotifiedUsers()).toEqual(nobodyNotified())
  })
  it('refuses to decide more than a hundred posts, one post twice, and a post without a version', async () => {
    const id = await post('on_hold')
    for (const items of [
      [],
      [{ id }],
      [
        { id, version: 1 },
        { id, version: 1 },
      ],
      Array.from({ length: 101 }, (_, index) => ({ id: index + 1, version: 1 })),
    ])
      expect((await decidePosts('admin', items, { to: 'processed' })).status).toBe(422)
    expect((await decidePosts('author', [{ id, version: 1 }], { to: 'processed' })).status).toBe(403)
  })
})

describe('two moderators on two hundred posts', () => {
  it('decides each post of two moderators once, with every decision in the history', async () => {
    const posts = await makePosts(200)
    const decideOnAllPosts = async (personName: string, toStatus: string) => {
      const [decidedIds, refusals]: [number[], Set<number>] = [[], new Set()]
      for (const id of posts) {
        const data = { to: toStatus, reason: 'contact', version: 1 }
        const { status } = await person(personName).ask('POST', `/tradinposts/${id}/moderate`, { data })
        if (status === 200) decidedIds.push(id)
        else refusals.add(status)
      }
      expect([...refusals].filter((status) => status !== 409)).toEqual([])
      return decidedIds
    }
    const [firstOutcome, secondOutcome] = await Promise.all([
      decideOnAllPosts('admin', 'processed'),
      decideOnAllPosts('colleague', 'rejected'),
    ])
    expect([...firstOutcome, ...secondOutcome].toSorted((a, b) => a - b)).toEqual(posts.toSorted((a, b) => a - b))
    const traces = await resourceApp.database.query(sql<{ count: number; decisions: number }>`
      select count(*)::int as count, (select count(*)::int from post_decisions p where p.document_id in (
               select document_id from tradinposts_texts where id = any(${posts}::int[]))) as decisions
        from revisions r where r.resource = 'tradinposts' and r.changes ? 'status' and r.operation = 'update'
         and r.document_id in (select document_id from tradinposts_texts where id = any(${posts}::int[]))`)
    expect(traces).toEqual([{ count: 200, decisions: 200 }])
  })
})

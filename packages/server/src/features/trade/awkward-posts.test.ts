/** Tests trading posts with an unusual author, photos or time, and a long queue (market §8). */
import { type PostReview, decisionUndoSeconds } from '@dala/model'
import { describe, expect, it } from 'vitest'
import { sql } from '../../db/sql.ts'
import { buildRecord, buildUpload, buildTranslation } from '../../testing/factories.ts'
import { buildPerson, type TestPerson } from '../../testing/people.ts'
import { startResourceApp } from '../../testing/resource-app.ts'
import { statementsOf } from '../../testing/statements.ts'
import { DecisionNotices } from './decision-notices.ts'
import { PostExpiry } from './expiry.ts'

const people: Record<string, TestPerson> = {}
const ids: Record<string, number> = {}
const resourceApp = startResourceApp(async (app) => {
  people.admin = await buildPerson(app, 'admin', { name: 'Marat' })
  people.reader = await buildPerson(app, 'authenticated')
  ids.type = await buildRecord(app.database, 'tradingposttypes', { name: { en: 'T' }, code: 'selling' })
  await buildRecord(app.database, 'moderationreasons', {
    code: 'contact',
    applies_to: 'decision',
    label: { en: 'Contact' },
    text: { en: 'Text' },
  })
})
const person = (name: string): TestPerson => {
  const foundPerson = people[name]
  if (!foundPerson) throw new Error(name)
  return foundPerson
}
const dataOf = <T>({ body }: { body: unknown }) => (body as { data: T }).data
const post = (user: number, status: string, draft: object = {}) =>
  buildRecord(resourceApp.database, 'tradinposts', {
    title: 'Melons',
    tradingposttype: ids.type,
    user,
    status,
    price: 5,
    ...draft,
  })
type Attributes = Record<string, unknown> & { version: number; status: string; images: { data: { id: number }[] } }
const readStoredPost = async (id: number) =>
  (await resourceApp.read<{ data: { attributes: Attributes } }>(`/tradinposts/${id}?populate=images`)).data.attributes
const moderatePost = (id: number, version: number, toStatus: string) =>
  person('admin').ask('POST', `/tradinposts/${id}/moderate`, { data: { version, to: toStatus, reason: 'contact' } })
const review = async (id: number) => dataOf<PostReview>(await person('admin').ask('GET', `/tradinposts/${id}/review`))

/** Updates the statistics of trading posts, as the database does by itself some time after a large change. */
const analyseTables = () => resourceApp.database.script('analyze tradinposts, tradinposts_texts')

describe('a post whose author is blocked', () => {
  it('decides a post of a blocked author like any other, and sends the author no letter', async () => {
    const author = await buildPerson(resourceApp, 'authenticated', { confirmed: true })
    const [waitingPost, editedPost] = [await post(author.id, 'on_hold'), await post(author.id, 'processed')]
    await author.ask('PUT', `/tradinposts/${editedPost}`, { data: { title: 'More melons' } })
    const blockAnswer = await person('admin').ask('POST', `/users/${author.id}/block`, { reason: 'Fraud' })
    expect(blockAnswer.status).toBe(200)
    // The session of the trading post's author has ended, so an edit is refused.
    expect((await author.ask('PUT', `/tradinposts/${waitingPost}`, { data: { title: 'T' } })).status).toBe(401)
    expect(await review(waitingPost)).toMatchObject({ author: { id: author.id, blocked: true } })
    expect((await moderatePost(waitingPost, (await readStoredPost(waitingPost)).version, 'rejected')).status).toBe(200)
    expect((await moderatePost(editedPost, (await readStoredPost(editedPost)).version, 'rejected')).status).toBe(200)
    expect([await readStoredPost(waitingPost), await readStoredPost(editedPost)]).toMatchObject([
      { status: 'rejected' },
      { status: 'processed', title: 'Melons', edit_state: null },
    ])
    await resourceApp.database.query(
      sql`update post_decisions set notify_at = notify_at - make_interval(secs => ${decisionUndoSeconds}::int)`,
    )
    expect(await new DecisionNotices(resourceApp.database).notifyDue()).toBe(2)
    expect(await resourceApp.database.query(sql`select template from mails where recipient like 'someone%'`)).toEqual(
      [],
    )
    // The inbox stores notices until the author is unblocked.
    const kinds = await resourceApp.database.query(sql<{ kind: string }>`
      select kind from notices where user_id = ${author.id} order by id`)
    expect(kinds.map(({ kind }) => kind)).toEqual(['post.rejected', 'post.edit_rejected'])
  })
})

describe('a photo that is removed while a moderator looks at the post', () => {
  const removePicture = (owner: TestPerson, picture: number) => owner.ask('DELETE', `/upload/files/${picture}`)

  it('makes the version that the moderator has seen stale when a photo of the post is removed', async () => {
    const author = await buildPerson(resourceApp, 'authenticated')
    const pictures = [
      await buildUpload(resourceApp.database, { owner: author.id }),
      await buildUpload(resourceApp.database, { owner: author.id }),
    ]
    const id = await post(author.id, 'on_hold', { images: pictures })
    const { version } = await readStoredPost(id)
    expect((await removePicture(author, pictures[0] ?? 0)).status).toBe(200)
    expect(await moderatePost(id, version, 'processed')).toMatchObject({
      status: 409,
      body: { error: { code: 'record.stale' } },
    })
    const now = await readStoredPost(id)
    expect(now.images.data.map((image) => image.id)).toEqual([pictures[1]])
    expect((await moderatePost(id, now.version, 'processed')).status).toBe(200)
  })

  it('makes the version stale when a photo of a waiting edit is removed, and does not approve the photo', async () => {
    const author = await buildPerson(resourceApp, 'authenticated')
    const [public_, firstUpload, secondUpload] = [
      await buildUpload(resourceApp.database, { owner: author.id }),
      await buildUpload(resourceApp.database, { owner: author.id }),
      await buildUpload(resourceApp.database, { owner: author.id }),
    ]
    const id = await post(author.id, 'processed', { images: [public_] })
    await author.ask('PUT', `/tradinposts/${id}`, { data: { images: [firstUpload, secondUpload] } })
    const { version } = await readStoredPost(id)
    expect((await removePicture(author, firstUpload ?? 0)).status).toBe(200)
    expect((await readStoredPost(id)).images.data.map((image) => image.id)).toEqual([public_])
    expect(await moderatePost(id, version, 'processed')).toMatchObject({
      status: 409,
      body: { error: { code: 'record.stale' } },
    })
    expect((await moderatePost(id, (await readStoredPost(id)).version, 'processed')).status).toBe(200)
    expect((await readStoredPost(id)).images.data.map((image) => image.id)).toEqual([secondUpload])
  })
})

describe('a post that ends at midnight', () => {
  const approvePost = async (id: number) => {
    expect((await moderatePost(id, (await readStoredPost(id)).version, 'processed')).status).toBe(200)
    return String((await readStoredPost(id)).expires_at)
  }

  it('ends a post with the local day, whatever the time of its approval', async () => {
    const author = await buildPerson(resourceApp, 'authenticated')
    const end = Date.parse(await approvePost(await post(author.id, 'on_hold')))
    // The trading post ends at midnight in Tashkent, which is five hours before midnight in UTC.
    expect(new Date(end).toISOString().slice(11)).toBe('19:00:00.000Z')
    expect((end - Date.now()) / 86_400_000).toBeGreaterThan(29.99)
    expect((end - Date.now()) / 86_400_000).toBeLessThanOrEqual(31)
  })

  it('expires thousands of posts of one midnight together', async () => {
    const author = await buildPerson(resourceApp, 'authenticated')
    const [duePost, laterPost] = [await post(author.id, 'processed'), await post(author.id, 'processed')]
    // SQL of the latest midnight in Tashkent, when trading posts end.
    const midnight = sql`(date_trunc('day', now() at time zone 'Asia/Tashkent') at time zone 'Asia/Tashkent')`
    const endsAt = (id: number, moment: typeof midnight) =>
      resourceApp.database.query(sql`
      update tradinposts set expires_at = ${moment} where id = (select document_id from tradinposts_texts where id = ${id})`)
    await endsAt(duePost, midnight)
    await endsAt(laterPost, sql`${midnight} + interval '1 day'`)
    await resourceApp.database.query(sql`
      with made as (
        insert into tradinposts (status, user_id, tradingposttype_id, expires_at, source_locale)
        select 'processed', ${author.id}::int, (select id from tradingposttypes limit 1), ${midnight}, 'en' from generate_series(1, 1200)
        returning id)
      insert into tradinposts_texts (document_id, locale, title) select id, 'en', 'Due' from made`)
    await analyseTables()
    expect(await new PostExpiry(resourceApp.database).expire()).toBe(1_201)
    expect([(await readStoredPost(duePost)).status, (await readStoredPost(laterPost)).status]).toEqual([
      'expired',
      'processed',
    ])
  })
})

describe('a queue of 5,000 posts', () => {
  it('reads, claims and decides a queue of 5,000 posts without a statement for each', async () => {
    const author = await buildPerson(resourceApp, 'authenticated')
    const oldestPost = await post(author.id, 'on_hold', { createdAt: '2026-01-01T00:00:00.000Z' })
    await buildTranslation(resourceApp.database, 'tradinposts', oldestPost, 'ru', { title: 'Дыни' })
    const runModeration = async () => {
      let count = 0
      const countStatements = async <T>(call: () => Promise<{ status: number; body: unknown }>): Promise<T> => {
        let body: unknown
        const statements = await statementsOf(resourceApp.database, async () => {
          const answer = await call()
          expect(answer.status).toBe(200)
          body = answer.body
        })
        count += statements.filter((text) => !/\bsessions\b/.test(text)).length
        return body as T
      }
      const admin = person('admin')
      const list = await countStatements<{
        data: { id: number; attributes: { version: number } }[]
        meta: { pagination: { total: number }; counts: { on_hold: number } }
      }>(() =>
        admin.ask(
          'GET',
          '/tradinposts?filters[waiting_since][$notNull]=true&sort=waiting_since&pagination[pageSize]=25&populate=*&locale=en',
        ),
      )
      const [firstPost] = list.data
      await countStatements(() => admin.ask('GET', '/tradinposts/queue'))
      await countStatements(() => admin.ask('POST', `/tradinposts/${firstPost?.id}/claim`))
      await countStatements(() => admin.ask('GET', `/tradinposts/${firstPost?.id}/review`))
      await countStatements(() => admin.ask('GET', `/tradinposts/${firstPost?.id}/duplicates`))
      const data = { version: firstPost?.attributes.version, to: 'processed' }
      await countStatements(() => admin.ask('POST', `/tradinposts/${firstPost?.id}/moderate`, { data }))
      return { list, first: firstPost, count }
    }
    await post(author.id, 'on_hold')
    const shortCount = await runModeration()
    expect(shortCount.first?.id).toBe(oldestPost)
    await resourceApp.database.query(sql`
      with made as (
        insert into tradinposts (status, user_id, tradingposttype_id, source_locale, waiting_since)
        select 'on_hold', ${author.id}::int, (select id from tradingposttypes limit 1), 'en', now() - make_interval(mins => n)
          from generate_series(1, 5000) n
        returning id)
      insert into tradinposts_texts (document_id, locale, title) select id, 'en', 'Waiting ' || id from made`)
    await analyseTables()
    await resourceApp.database.transaction((trx) => Promise.resolve(trx.changed('tradinposts')))
    const longCount = await runModeration()
    // A long list takes one more statement to count; the socket of moderators runs its own at any time.
    expect(longCount.count - shortCount.count).toBeLessThan(6)
    expect(longCount.list.data).toHaveLength(25)
    expect(longCount.list.meta.counts.on_hold).toBe(shortCount.list.meta.counts.on_hold - 1 + 5000)
    expect(longCount.list.meta.pagination.total).toBe(longCount.list.meta.counts.on_hold)
  })
})

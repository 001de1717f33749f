/**
 * Proof of bulk decisions over 100 posts (market §9, 8). A hundred posts of the queue are decided in one
 * call, five of them with an outdated version. The answer names each, the decisions are reverted, and the
 * author receives no notice of them.
 * `node scripts/proofs/post-decisions.ts --on embedded`
 */
import { maxDecidedPosts, decisionUndoSeconds } from '@dala/model'
import type { Database } from '../../packages/server/src/db/database.ts'
import { sql } from '../../packages/server/src/db/sql.ts'
import { DecisionNotices } from '../../packages/server/src/features/trade/decision-notices.ts'
import { buildRecord, buildRole, buildUpload, buildTranslation } from '../../packages/server/src/testing/factories.ts'
import { buildPerson, type TestPerson } from '../../packages/server/src/testing/people.ts'
import { runOnNamedPlaces, runOnPlace, type DatabasePlace, type ProofApp } from './on-place.ts'
import type { CountTally } from '../lib/step.ts'

/** Number of posts that have an outdated version at the decision. */
const staleCount = 5
/** Maximum milliseconds of a call that decides a hundred posts. */
const maxDuration = 2_000

interface Outcome {
  done: number[]
  failed: { id: number; code: string }[]
}

/**
 * Outcome of a bulk decision and its milliseconds.
 *
 * @throws When the call is refused as a whole.
 */
async function timeRequest(person: TestPerson, url: string, data: object): Promise<Outcome & { took: number }> {
  const startMoment = performance.now()
  const { status, body } = await person.ask('POST', url, { data })
  const elapsedTime = performance.now() - startMoment
  if (status !== 200) throw new Error(`${url} answered ${status}: ${JSON.stringify(body)}`)
  return { ...(body as { data: Outcome }).data, took: elapsedTime }
}

/** SQL of the states of posts, with the traces of a decision. */
const statesOf = (database: Database, ids: readonly number[]) =>
  database.query(sql<{ id: number; status: string; reason: string | null; waits: boolean }>`
    select t.id, d.status, d.reason, d.waiting_since is not null as waits
      from tradinposts_texts t join tradinposts d on d.id = t.document_id where t.id = any(${[...ids]}::int[]) order by t.id`)

/** Creates trading posts as authors write them: in two languages, with pictures. */
async function fillQueue(database: Database, author: number): Promise<number[]> {
  const kind = await buildRecord(database, 'tradingposttypes', { name: { en: 'Selling' }, code: 'selling' })
  const pictures = await Promise.all([1, 2, 3].map(() => buildUpload(database, { owner: author })))
  const ids: number[] = []
  for (let count = 0; count < maxDecidedPosts; count += 1) {
    const draft = { title: `Melons ${count}`, description: 'Sweet', tradingposttype: kind, user: author }
    const id = await buildRecord(database, 'tradinposts', { ...draft, images: pictures, mainPhoto: pictures[0] })
    await buildTranslation(database, 'tradinposts', id, 'ru', { title: `Дыни ${count}`, description: 'Сладкие' })
    ids.push(id)
  }
  return ids
}

const sortIds = (ids: readonly number[]) => ids.toSorted((a, b) => a - b).join()
const passTime = (database: Database) =>
  database.query(
    sql`update post_decisions set notify_at = notify_at - make_interval(secs => ${decisionUndoSeconds}::int)`,
  )

async function proveDecisions(database: Database, author: TestPerson, moderator: TestPerson): Promise<boolean> {
  const ids = await fillQueue(database, author.id)
  const statesBefore = JSON.stringify(await statesOf(database, ids))
  const items = await database.query(sql<{ id: number; version: number }>`
    select id, version from tradinposts_texts where id = any(${ids}::int[])`)
  const stalePosts = ids.filter((_id, index) => index % (maxDecidedPosts / staleCount) === 0)
  for (const id of stalePosts) await moderator.ask('PUT', `/tradinposts/${id}`, { data: { price: 7 } })

  const decisionAnswer = await timeRequest(moderator, '/tradinposts/moderate', {
    items,
    to: 'rejected',
    reason: 'unclear',
  })
  const rejectedPosts = (await statesOf(database, ids)).filter(({ status }) => status === 'rejected')
  const undoneState = await timeRequest(moderator, '/tradinposts/undo', { items: decisionAnswer.done })
  const statesAfter = JSON.stringify(await statesOf(database, ids))
  await passTime(database)
  const dueCount = await new DecisionNotices(database).notifyDue()
  const [sentCounts] = await database.query(sql<{ notices: number; letters: number }>`
    select (select count(*)::int from notices) as notices, (select count(*)::int from mails) as letters`)

  const checks = {
    'each post that was seen as it is was decided':
      sortIds(decisionAnswer.done) === sortIds(ids.filter((id) => !stalePosts.includes(id))),
    'each stale post was refused as stale':
      sortIds(decisionAnswer.failed.map(({ id }) => id)) === sortIds(stalePosts) &&
      decisionAnswer.failed.every(({ code }) => code === 'record.stale'),
    'the answer says what is stored': sortIds(rejectedPosts.map(({ id }) => id)) === sortIds(decisionAnswer.done),
    'every decision was taken back':
      sortIds(undoneState.done) === sortIds(decisionAnswer.done) && undoneState.failed.length === 0,
    'the posts are as they were': statesBefore === statesAfter,
    'no notice and no letter was sent': dueCount === 0 && sentCounts?.notices === 0 && sentCounts.letters === 0,
  }
  for (const [name, isFulfilled] of Object.entries(checks)) if (!isFulfilled) console.log(`   NOT SO: ${name}`)
  const slownessNote =
    Math.max(decisionAnswer.took, undoneState.took) > maxDuration ? `; slower than ${maxDuration} ms` : ''
  console.log(
    `   ${decisionAnswer.done.length} of ${ids.length} posts decided in ${Math.round(decisionAnswer.took)} ms, ${decisionAnswer.failed.length} refused as stale; taken back in ${Math.round(undoneState.took)} ms${slownessNote}`,
  )
  return Object.values(checks).every(Boolean)
}

async function runProof({ app, database }: ProofApp): Promise<boolean> {
  await buildRole(database, 'public')
  await buildRecord(database, 'moderationreasons', {
    code: 'unclear',
    applies_to: 'decision',
    label: { en: 'Unclear' },
    text: { en: 'The post is unclear.' },
  })
  const author = await buildPerson({ app, database }, 'authenticated', { confirmed: true })
  return await proveDecisions(database, author, await buildPerson({ app, database }, 'admin'))
}

/**
 * Decides a hundred posts in one call and reverts the decisions.
 *
 * @param place - The database: the embedded one, or a PostgreSQL server of the installed binaries.
 * @returns One step passed or failed, with its figures printed; skipped without PostgreSQL.
 */
export const postDecisions = (databaseKind: DatabasePlace): Promise<CountTally> => runOnPlace(databaseKind, runProof)

if (import.meta.main) await runOnNamedPlaces(postDecisions)

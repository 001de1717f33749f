/**
 * Proof that the outline of a long course stays whole (e-learning §9, 2). Authors reorder and delete lessons
 * of one course at once; afterwards each remaining lesson is in exactly one place, and positions have no
 * gaps. It also prints how long a move of one lesson takes, in one request.
 * `node scripts/proofs/course-outline.ts --on embedded`
 */
import { sql } from '../../packages/server/src/db/sql.ts'
import { buildRecord } from '../../packages/server/src/testing/factories.ts'
import { buildPerson } from '../../packages/server/src/testing/people.ts'
import { RandomDraws } from '../lib/draws.ts'
import type { CountTally } from '../lib/step.ts'
import { runOnNamedPlaces, runOnPlace, type DatabasePlace, type ProofApp } from './on-place.ts'

const [lessonCount, groupCount, moves, rounds, atOnce] = [200, 10, 60, 5, 20]
/** Maximum milliseconds of 95 % of the moves of lessons. */
const maxDuration = 300

interface CourseOutline {
  version: number
  groups: { id: number; lessons: { id: number }[] }[]
  lessons: { id: number }[]
}
type Ask = (method: 'GET' | 'PUT' | 'DELETE', path: string, data?: object) => Promise<{ status: number; body: unknown }>

/** Request body with the order of an outline, with one lesson moved to another list and place. */
function reorderOutline({ version, groups, lessons }: CourseOutline, draws: RandomDraws): object {
  const lists = [...groups.map((group) => group.lessons.map(({ id }) => id)), lessons.map(({ id }) => id)]
  const sourceList = draws.pick(lists.filter((list) => list.length > 0))
  const [id] = sourceList.splice(draws.below(sourceList.length), 1)
  const targetList = draws.pick(lists)
  if (id !== undefined) targetList.splice(draws.below(targetList.length + 1), 0, id)
  return {
    version,
    groups: groups.map((group, index) => ({ id: group.id, lessons: lists[index] })),
    lessons: lists.at(-1),
  }
}

async function runProof({ app, database }: ProofApp): Promise<boolean> {
  const author = await buildPerson({ app, database }, 'admin')
  const ask: Ask = (method, path, data) => author.ask(method, path, data && { data })
  const course = await buildRecord(database, 'courses', { title: 'Long course' })
  const groups = []
  for (let index = 0; index < groupCount; index += 1)
    groups.push(await buildRecord(database, 'lessongroups', { title: `Group ${index}`, course, position: index + 1 }))
  for (let index = 0; index < lessonCount; index += 1)
    await buildRecord(database, 'lessons', {
      title: `Lesson ${index}`,
      course,
      lessongroup: groups[index % groupCount],
      position: Math.floor(index / groupCount) + 1,
    })
  const readOutline = async () =>
    ((await ask('GET', `/courses/${course}/outline`)).body as { data: CourseOutline }).data
  const draws = new RandomDraws(5, 0)

  const times: number[] = []
  for (let index = 0; index < moves; index += 1) {
    const order = reorderOutline(await readOutline(), draws)
    const startMoment = performance.now()
    const { status } = await ask('PUT', `/courses/${course}/outline`, order)
    if (status !== 200) throw new Error(`A move was answered with ${status}`)
    times.push(performance.now() - startMoment)
  }
  const slowTime = times.toSorted((one, other) => one - other)[Math.floor(moves * 0.95)] ?? 0

  let [storedCount, stale, deletedCount] = [0, 0, 0]
  for (let round = 0; round < rounds; round += 1) {
    const outline = await readOutline()
    const ids = [...outline.groups.flatMap(({ lessons }) => lessons), ...outline.lessons].map(({ id }) => id)
    await Promise.all(
      Array.from({ length: atOnce }, async (_, index) => {
        if (index % 2 === 1) {
          const { status } = await ask('DELETE', `/lessons/${ids[index * 3]}?locale=all`)
          if (status !== 200) throw new Error(`A concurrent deletion was answered with ${status}`)
          deletedCount += 1
          return
        }
        // As in the panel, a move that is refused as stale is made again on the present outline.
        let presentOutline = outline
        for (;;) {
          const { status } = await ask('PUT', `/courses/${course}/outline`, reorderOutline(presentOutline, draws))
          if (status === 200) break
          if (status !== 409) throw new Error(`A concurrent move was answered with ${status}`)
          stale += 1
          presentOutline = await readOutline()
        }
        storedCount += 1
      }),
    )
  }
  const rows = await database.query(sql<{ list: number | null; positions: number[] }>`
    select lessongroup_id as list, json_agg(position order by position) as positions from lessons group by 1`)
  const isWhole = rows.every(({ positions }) => positions.every((position, index) => position === index + 1))
  const finalOutline = await readOutline()
  const shownIds = [...finalOutline.groups.flatMap(({ lessons }) => lessons), ...finalOutline.lessons].map(
    ({ id }) => id,
  )
  const isComplete = new Set(shownIds).size === shownIds.length && shownIds.length === lessonCount - deletedCount
  console.log(`   ${lessonCount} lessons: 95 % of ${moves} moves within ${slowTime.toFixed(0)} ms, one request each`)
  console.log(`   at once: ${storedCount} orders stored, ${stale} refused as stale, ${deletedCount} lessons deleted`)
  console.log(`   each lesson once: ${isComplete}; positions without gaps: ${isWhole}`)
  return isWhole && isComplete && slowTime <= maxDuration
}

/**
 * Runs the proof on a database, and prints figures.
 *
 * @param place - The embedded database, or a PostgreSQL server of the installed binaries.
 * @returns One step passed, failed, or skipped without PostgreSQL.
 */
export const courseOutline = (databaseKind: DatabasePlace): Promise<CountTally> => runOnPlace(databaseKind, runProof)

if (import.meta.main) await runOnNamedPlaces(courseOutline)

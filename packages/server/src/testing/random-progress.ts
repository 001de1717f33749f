/** Random histories of learning and restructuring, compared with a plain recomputation (e-learning §9). */
import { isDeepStrictEqual } from 'node:util'
import type { CourseProgress, LearnerRow } from '@dala/model/api/progress'
import type { Locale } from '@dala/model'
import fc from 'fast-check'
import type { Database } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { publishCourse } from '../domain/learning/publication.ts'
import { buildRecord, buildTranslation } from './factories.ts'

type Ask = (
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  url: string,
  body: unknown,
  role: 'admin' | 'authenticated',
) => Promise<{ status: number; body: unknown }>

/** Kinds of lessons: a video of known length, a video behind a link, a text, and several parts. */
const kinds = ['film', 'link', 'page', 'multi'] as const
type Kind = (typeof kinds)[number]
type Language = Extract<Locale, 'en' | 'ru'>

interface Lesson {
  ids: Record<Language, number>
  kind: Kind
  completeWhen: 'opened' | 'watched' | 'marked'
  /** Tenths of the lesson's video that must be watched. */
  tenths: number
  length: number
  isVisible: boolean
  isInGroup: boolean
}

/** Everything that a learner did with a part, second by second. */
interface LearnedFacts {
  seconds: Set<number>
  position: number
  isOpened: boolean
  isMarked: boolean
  isCompleted: boolean
  /** Whether a day has passed since the learner's last progress. */
  hasWaited: boolean
}

type Operation =
  | {
      do: 'use'
      lesson: number
      part: number
      language: Language
      from: number
      length: number
      opened: boolean
      marked: boolean
    }
  | { do: 'repeat' | 'wait' | 'publish' | 'group' }
  | { do: 'add'; kind: Kind; completeWhen: Lesson['completeWhen']; tenths: number; length: number; isInGroup: boolean }
  | { do: 'remove' | 'hide'; lesson: number }
  | { do: 'rule'; lesson: number; completeWhen: Lesson['completeWhen']; tenths: number; length: number }

const completeWhen = fc.constantFrom('opened', 'watched', 'watched', 'marked')
const tenths = fc.constantFrom(0, 2, 5, 9, 10)
const length = fc.constantFrom(7, 20, 40, 1_000)
const lessonIndex = fc.nat(7)
const addedFields = fc.record({
  do: fc.constant('add' as const),
  kind: fc.constantFrom(...kinds),
  completeWhen,
  tenths,
  length,
  isInGroup: fc.boolean(),
})
const usedFields = fc.record({
  do: fc.constant('use' as const),
  lesson: lessonIndex,
  part: fc.nat(2),
  language: fc.constantFrom('en', 'ru'),
  from: fc.integer({ min: -1, max: 22 }),
  length: fc.constantFrom(0, 3, 10, 20, 45),
  opened: fc.boolean(),
  marked: fc.boolean(),
})
const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 8, arbitrary: usedFields },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('repeat', 'wait', 'publish', 'publish', 'group') }) },
  { weight: 1, arbitrary: addedFields },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('remove', 'hide'), lesson: lessonIndex }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('rule' as const), lesson: lessonIndex, completeWhen, tenths, length }),
  },
)

const partsOf = ({ kind }: Lesson, language: Language): string[] => {
  if (kind !== 'multi') return ['']
  return language === 'en' ? ['a', 'b'] : ['a', 'c']
}
const languages: readonly Language[] = ['en', 'ru']

/** Recomputes percentages plainly from facts. */
class ProgressOracle {
  publishedLessons: Lesson[] = []
  readonly facts = new Map<string, LearnedFacts>()
  isCompleted = false

  keyOf = (lesson: Lesson, lessonPart: string) => `${lesson.ids.en} ${lessonPart}`

  needed = ({ tenths: share, length: seconds }: Lesson) => share * seconds

  meets(lesson: Lesson, { seconds, isOpened, isMarked }: LearnedFacts): boolean {
    const { completeWhen: rule, kind } = lesson
    if (rule === 'opened' || (rule === 'watched' && (kind === 'page' || kind === 'multi'))) return isOpened
    if (rule === 'marked' || kind === 'link') return isMarked
    return seconds.size * 10 >= this.needed(lesson)
  }

  percentOfPart(lesson: Lesson, lessonPart: string): number {
    const partFacts = this.facts.get(this.keyOf(lesson, lessonPart))
    if (!partFacts) return 0
    if (partFacts.isCompleted) return 100
    const isMeasured = lesson.kind === 'film' && lesson.completeWhen === 'watched'
    return isMeasured ? Math.min(99, Math.floor((partFacts.seconds.size * 1_000) / this.needed(lesson))) : 0
  }

  percentOf(lesson: Lesson): number {
    const languageMeans = languages.map((language) => {
      const parts = partsOf(lesson, language).map((lessonPart) => this.percentOfPart(lesson, lessonPart))
      return Math.floor(parts.reduce((sum, percent) => sum + percent, 0) / parts.length)
    })
    return Math.max(...languageMeans)
  }

  percent(): number {
    const completedCount = this.publishedLessons.filter((lesson) => this.percentOf(lesson) === 100).length
    return this.publishedLessons.length === 0 ? 0 : Math.floor((completedCount * 100) / this.publishedLessons.length)
  }

  note(): void {
    if (this.percent() === 100) this.isCompleted = true
  }

  publish(lessons: readonly Lesson[], isGroupVisible: boolean): void {
    this.publishedLessons = lessons
      .filter(({ isVisible, isInGroup }) => isVisible && (isGroupVisible || !isInGroup))
      .map((lesson) => ({ ...lesson }))
    for (const lesson of this.publishedLessons)
      for (const lessonPart of new Set(languages.flatMap((language) => partsOf(lesson, language)))) {
        const partFacts = this.facts.get(this.keyOf(lesson, lessonPart))
        if (partFacts && this.meets(lesson, partFacts)) partFacts.isCompleted = true
      }
    this.note()
  }

  /** Applies a learner's call to the facts; returns the expected number of ignored values. */
  use(lesson: Lesson, lessonPart: string, call: Call): number {
    const { position_s: position, watched, opened, marked } = call
    const [[firstSecond, endSecond]] = watched
    const storedFacts = this.facts.get(this.keyOf(lesson, lessonPart))
    const partFacts = storedFacts ?? {
      seconds: new Set(),
      position: 0,
      isOpened: false,
      isMarked: false,
      isCompleted: false,
      hasWaited: false,
    }
    const end = lesson.kind === 'film' ? lesson.length : 86_400
    const isWithin = (testedSecond: number) => testedSecond >= 0 && testedSecond <= end + 1
    const nextSeconds = new Set(partFacts.seconds)
    for (let secondIndex = firstSecond; secondIndex < Math.min(endSecond, end); secondIndex += 1)
      nextSeconds.add(secondIndex)
    const isValid = isWithin(firstSecond) && isWithin(endSecond)
    const isPossible = nextSeconds.size - partFacts.seconds.size <= 60 || partFacts.hasWaited
    const isWatched = isValid && isPossible
    const factsAfter: LearnedFacts = {
      ...partFacts,
      seconds: isWatched ? nextSeconds : partFacts.seconds,
      position: isWithin(position) ? Math.min(position, end) : partFacts.position,
      isOpened: partFacts.isOpened || opened,
      isMarked: marked,
    }
    factsAfter.isCompleted = partFacts.isCompleted || this.meets(lesson, factsAfter)
    if (!isDeepStrictEqual(factsAfter, partFacts))
      this.facts.set(this.keyOf(lesson, lessonPart), { ...factsAfter, hasWaited: false })
    this.note()
    return (isWatched ? 0 : 1) + (isWithin(position) ? 0 : 1)
  }
}

interface Call {
  position_s: number
  watched: [[number, number]]
  opened: boolean
  marked: boolean
}

export interface ProgressProof {
  histories: number
  calls: number
  completions: number
  seconds: number
}

/**
 * Runs random histories: watching, repeating, changes of language, and publications of added, removed, hidden
 * and changed lessons. After each step, percentages and completions equal a recomputation.
 *
 * @param database - A migrated database.
 * @param ask - Asks the application on it.
 * @param runs - Number of histories.
 * @param seed - Seed of a run to repeat.
 * @returns The numbers of compared histories and calls.
 * @throws With the history and the seed when a value differs.
 */
export async function compareRandomProgress(
  database: Database,
  ask: Ask,
  runs: number,
  seed?: number,
): Promise<ProgressProof> {
  const progressProof: ProgressProof = { histories: 0, calls: 0, completions: 0, seconds: 0 }

  const history = async (operations: readonly Operation[]): Promise<void> => {
    const course = await buildRecord(database, 'courses', { title: 'Course', state: 'published' })
    await buildTranslation(database, 'courses', course, 'ru', { title: 'Курс' })
    const group = await buildRecord(database, 'lessongroups', { title: 'Group', course })
    const [row] = await database.query(
      sql<{ id: number }>`select document_id as id from courses_texts where id = ${course}`,
    )
    const document = row?.id ?? 0
    const progressOracle = new ProgressOracle()
    const drafts: Lesson[] = []
    let isGroupVisible = true
    let lastStep: (() => Promise<void>) | undefined

    const publishStep = async () => {
      await database.transaction((trx) => publishCourse(trx, document))
      progressOracle.publish(drafts, isGroupVisible)
    }
    const readBody = async (answer: ReturnType<Ask>) => {
      const { status, body } = await answer
      if (status !== 200) throw new Error(`An operation answered ${status}: ${JSON.stringify(body)}`)
      return body
    }
    const ruleOf = (lesson: Pick<Lesson, 'completeWhen' | 'tenths' | 'length' | 'kind'>) => ({
      complete_when: lesson.completeWhen,
      watch_ratio: lesson.tenths / 10,
      ...(lesson.kind === 'film' && { video: { duration_s: lesson.length } }),
    })
    const add = async (lesson: Omit<Lesson, 'ids' | 'isVisible'>) => {
      const texts = (language: Language) => {
        if (lesson.kind === 'multi')
          return {
            parts: partsOf({ ...lesson, ids: { en: 0, ru: 0 }, isVisible: true }, language).map((id) => ({
              id,
              title: id,
            })),
          }
        return lesson.kind === 'link' ? { videourl: 'https://example.org/film.mp4' } : { content: '<p>text</p>' }
      }
      const lessonDraft = {
        course,
        lessongroup: lesson.isInGroup ? group : null,
        kind: lesson.kind === 'multi' ? 'multi' : 'single',
      }
      const en = await buildRecord(database, 'lessons', {
        title: 'Lesson',
        ...lessonDraft,
        ...ruleOf(lesson),
        ...texts('en'),
      })
      const ru = await buildTranslation(database, 'lessons', en, 'ru', { title: 'Урок', ...texts('ru') })
      drafts.push({ ...lesson, ids: { en, ru }, isVisible: true })
    }
    const use = async (lesson: Lesson, language: Language, lessonPart: string, call: Call) => {
      const { status, body } = await ask(
        'POST',
        `/lessons/${lesson.ids[language]}/progress`,
        { data: { ...call, part: lessonPart } },
        'authenticated',
      )
      progressProof.calls += 1
      const presentLesson = progressOracle.publishedLessons.find(({ ids }) => ids.en === lesson.ids.en)
      const expectedProgress = presentLesson
        ? {
            ignored: progressOracle.use(presentLesson, lessonPart, call),
            lesson_percent: progressOracle.percentOf(presentLesson),
            course_percent: progressOracle.percent(),
            completed: progressOracle.isCompleted,
          }
        : undefined
      const answeredProgress = status === 200 ? (body as { data: object }).data : undefined
      if (!isDeepStrictEqual(answeredProgress && { ...answeredProgress }, expectedProgress))
        throw isDifferent(answeredProgress ?? body, expectedProgress)
    }
    const isDifferent = (answeredBody: unknown, expectedAnswer: unknown) =>
      new Error(`answered ${JSON.stringify(answeredBody)}\nexpected ${JSON.stringify(expectedAnswer)}`)

    const run = async (step: Operation): Promise<void> => {
      const lesson = 'lesson' in step && drafts.length > 0 ? drafts[step.lesson % drafts.length] : undefined
      if (step.do === 'publish') await publishStep()
      else if (step.do === 'add') await add(step)
      else if (step.do === 'repeat') await lastStep?.()
      else if (step.do === 'wait') {
        await database.query(sql`update lesson_progress set updated_at = updated_at - interval '1 day'`)
        for (const lessonFacts of progressOracle.facts.values()) lessonFacts.hasWaited = true
      } else if (step.do === 'group') {
        isGroupVisible = !isGroupVisible
        const state = isGroupVisible ? 'visible' : 'hidden'
        await readBody(ask('PUT', `/lessongroups/${group}`, { data: { state } }, 'admin'))
      } else if (lesson) await runOnLesson(lesson, step)
    }
    const runOnLesson = async (lesson: Lesson, step: Operation): Promise<void> => {
      if (step.do === 'remove') {
        await readBody(ask('DELETE', `/lessons/${lesson.ids.en}?locale=all`, undefined, 'admin'))
        drafts.splice(drafts.indexOf(lesson), 1)
      } else if (step.do === 'hide') {
        lesson.isVisible = !lesson.isVisible
        const state = lesson.isVisible ? 'visible' : 'hidden'
        await readBody(ask('PUT', `/lessons/${lesson.ids.en}`, { data: { state } }, 'admin'))
      } else if (step.do === 'rule') {
        Object.assign(lesson, { completeWhen: step.completeWhen, tenths: step.tenths, length: step.length })
        const { video, ...rule } = { video: undefined, ...ruleOf(lesson) }
        await readBody(ask('PUT', `/lessons/${lesson.ids.en}`, { data: rule }, 'admin'))
        // Only an uploaded file changes the length of a video.
        if (video)
          await database.query(sql`
            update lessons set video = ${JSON.stringify(video)}::jsonb
             where id = (select document_id from lessons_texts where id = ${lesson.ids.en})`)
      } else if (step.do === 'use') {
        const parts = partsOf(lesson, step.language)
        const lessonPart = parts[step.part % parts.length] ?? ''
        // Long watched pieces come in steps that do not depend on the speed of this machine.
        const unit = lesson.length >= 1_000 ? 50 : 1
        const startSecond = step.from * unit
        const endSecond = startSecond + step.length * unit
        const call: Call = {
          position_s: endSecond,
          watched: [[startSecond, endSecond]],
          opened: step.opened,
          marked: step.marked,
        }
        lastStep = () => use(lesson, step.language, lessonPart, call)
        await lastStep()
      }
    }
    const compareProgress = async () => {
      const url = `/courses/${course}/progress`
      const { data: ownProgress } = (await readBody(ask('GET', url, undefined, 'authenticated'))) as {
        data: CourseProgress
      }
      const percents = new Map(
        progressOracle.publishedLessons.map((lesson) => [lesson.ids.en, progressOracle.percentOf(lesson)]),
      )
      const answeredCourse = {
        percent: ownProgress.percent,
        isCompleted: ownProgress.completed_at !== null,
        lessons: new Map(ownProgress.lessons.map(({ id, percent }) => [id, percent])),
      }
      const expectedLessons = {
        percent: progressOracle.percent(),
        isCompleted: progressOracle.isCompleted,
        lessons: percents,
      }
      const sortedEntries = (map: ReadonlyMap<number, number>) =>
        [...map].toSorted(([firstId], [otherId]) => firstId - otherId)
      if (
        !isDeepStrictEqual(
          { ...answeredCourse, lessons: sortedEntries(answeredCourse.lessons) },
          { ...expectedLessons, lessons: sortedEntries(percents) },
        )
      )
        throw isDifferent(
          { ...answeredCourse, lessons: sortedEntries(answeredCourse.lessons) },
          { ...expectedLessons, lessons: sortedEntries(percents) },
        )
      // The list of courses computes the percentage in a statement of its own.
      const list = await readBody(ask('GET', `/courses/${course}/learners`, undefined, 'admin'))
      const [learner] = (list as { data: LearnerRow[] }).data
      const listedProgress = learner && { percent: learner.percent, isCompleted: learner.completed_at !== null }
      const shownProgress =
        progressOracle.facts.size > 0
          ? { percent: expectedLessons.percent, isCompleted: expectedLessons.isCompleted }
          : undefined
      if (!isDeepStrictEqual(listedProgress, shownProgress)) throw isDifferent(listedProgress, shownProgress)
    }

    await add({ kind: 'film', completeWhen: 'watched', tenths: 5, length: 20, isInGroup: true })
    await add({ kind: 'multi', completeWhen: 'marked', tenths: 9, length: 0, isInGroup: false })
    await publishStep()
    for (const step of operations) {
      await run(step)
      await compareProgress()
    }
    progressProof.histories += 1
    if (progressOracle.isCompleted) progressProof.completions += 1
  }

  const startTime = performance.now()
  await fc.assert(fc.asyncProperty(fc.array(operation, { minLength: 5, maxLength: 25 }), history), {
    numRuns: runs,
    ...(seed !== undefined && { seed }),
  })
  return { ...progressProof, seconds: (performance.now() - startTime) / 1_000 }
}

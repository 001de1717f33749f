/** Seeds the questions of fourteen months with answers, reply times and ratings. */
import { consultantFor } from '../advice.ts'
import type { Calendar } from '../calendar.ts'
import { drawOf } from '../draws.ts'
import { minutesAfter, minutesOfDay } from '../moments.ts'
import type { SeedRecord } from '../records.ts'
import type { Seeder } from '../seeder.ts'
import texts from './data/questions.json' with { type: 'json' }
import { type Farmer, seasonFarmers, seasonLength } from './people.ts'

type Question = (typeof texts)[number]

const count = 380
/** Number of the season's questions in one transaction. */
const portion = 20
/** Number of batches of the season's questions. */
export const questionPortions = count / portion

/** Returns the age in days of a sample question: more in the last months, few on Sundays. */
function dayOf(questionIndex: number, calendar: Calendar): number {
  const days = Math.max(
    1,
    Math.round(seasonLength * ((questionIndex + drawOf('asked', questionIndex)) / count) ** 1.25),
  )
  const weekday = new Date(`${calendar.dayBefore(days)}T00:00:00Z`).getUTCDay()
  return weekday === 0 && drawOf('sunday', questionIndex) < 0.75 ? days + 1 : days
}

/** Returns the time of day of a sample question: most questions arrive in the morning. */
function timeOf(questionIndex: number): string {
  const minutes = Math.round(7 * 60 + drawOf('time', questionIndex) ** 1.7 * 14 * 60)
  return [Math.floor(minutes / 60), minutes % 60].map((timePart) => String(timePart).padStart(2, '0')).join(':')
}

/** Returns the distance of two months of a year, in either direction. */
const monthsApart = (firstMonth: number, otherMonth: number) =>
  Math.min(Math.abs(firstMonth - otherMonth), 12 - Math.abs(firstMonth - otherMonth))

/** Returns a sample text that fits the month, in turn, so that none repeats immediately. */
function textOf(questionIndex: number, month: number): Question {
  const fittingTexts = texts.filter((text) => monthsApart(text.month, month) <= 1)
  const usableTexts = fittingTexts.length > 0 ? fittingTexts : texts
  const text =
    usableTexts[
      Math.floor(questionIndex + drawOf('text', Math.floor(questionIndex / usableTexts.length)) * usableTexts.length) %
        usableTexts.length
    ]
  if (!text) throw new Error('There are no questions')
  return text
}

/** Returns a farmer who speaks the language of the sample question and had an account by then. */
function askerOf(text: Question, questionIndex: number, days: number, farmers: readonly Farmer[]): Farmer {
  const farmersOfLanguage = farmers.filter(({ language }) => language === text.language)
  const earlierFarmers = farmersOfLanguage.filter(({ sinceDays }) => sinceDays > days)
  const chosenFarmer = earlierFarmers[Math.floor(drawOf('asker', questionIndex) * earlierFarmers.length)]
  if (!chosenFarmer) throw new Error(`No farmer of the season speaks "${text.language}"`)
  return chosenFarmer
}

/** Returns the minutes until a sample question is answered: mostly hours, sometimes days. */
const minutesFor = (questionIndex: number) =>
  Math.round(8 + 260 * drawOf('answer', questionIndex) ** 3 + (drawOf('late', questionIndex) < 0.06 ? 2_200 : 0))

function record(questionIndex: number, calendar: Calendar, farmers: readonly Farmer[]): SeedRecord {
  const days = dayOf(questionIndex, calendar)
  const createdAt = calendar.before(days, timeOf(questionIndex))
  const { language, category, question, answer, ...text } = textOf(
    questionIndex,
    Number(calendar.dayBefore(days).slice(5, 7)),
  )
  const asker = askerOf({ language, category, question, answer, ...text }, questionIndex, days, farmers)
  const consultation = { question, language, category, user: asker.username, district: asker.district, createdAt }
  // Sample questions of the last day still wait, or have a consultant.
  if (days <= 1)
    return drawOf('taken', questionIndex) < 0.5
      ? consultation
      : { ...consultation, consultant: consultantFor(category) }
  const answeredAt = minutesAfter(createdAt, Math.min(minutesFor(questionIndex), (days - 1) * minutesOfDay))
  const statusFields = {
    ...consultation,
    answer: `<p>${answer}</p>`,
    answered_at: answeredAt,
    consultant: consultantFor(category),
  }
  if (days < 4 || drawOf('finished', questionIndex) < 0.14) return statusFields
  const finishedAt = minutesAfter(answeredAt, Math.min(minutesOfDay, (days - 3) * minutesOfDay))
  const isRated = drawOf('rated', questionIndex) < 0.6
  return {
    ...statusFields,
    finished_at: finishedAt,
    is_public: drawOf('public', questionIndex) < 0.15,
    ...(isRated && { rating: 5 - Math.floor(drawOf('rating', questionIndex) ** 3 * 4) }),
  }
}

/** Seeds a batch of sample questions, the newest first. */
export async function seedQuestions(seeder: Seeder, batchIndex: number): Promise<void> {
  const farmers = seasonFarmers()
  const records = Array.from({ length: portion }, (_, index) =>
    record(batchIndex * portion + index, seeder.calendar, farmers),
  )
  await seeder.insertMany('consultations', records)
}

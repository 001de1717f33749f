/** The parts of the demo that are filled after the start: pictures, and a season of a working service. */
import type { PartContext, Work } from './part-context.ts'
import { addPictures } from './pictures/attach.ts'
import { listPictures } from './pictures/list-subjects.ts'
import { samplePictures, seasonPictures, type Subject } from './pictures/subjects.ts'
import {
  courseCount,
  postPortions,
  seedSeasonCompanies,
  seedSeasonCourse,
  seedSeasonNews,
  seedSeasonPosts,
  seedSeasonSliders,
} from './season/content.ts'
import { seedFarmers } from './season/people.ts'
import { seasonPortions, seedSeasonPrices } from './season/prices.ts'
import { questionPortions, seedQuestions } from './season/questions.ts'
import { roomCount, seedConversation } from './season/conversations.ts'
import type { Seeder } from './seeder.ts'

/** A part of the demo that is filled after the start, with the name that marks it as completed. */
export interface DemoPart {
  name: string
  /** Lists the records whose pictures a part of the demo draws. */
  subjects?: readonly Subject[]
  fillPart: (context: PartContext) => Promise<void>
}

/** Number of pictures in one part of the demo. */
const pictures = 6

const makePart = (name: string, runTask: Work): DemoPart => ({
  name,
  fillPart: ({ completePart }) => completePart(runTask),
})

const partsInSeries = (
  name: string,
  count: number,
  runWork: (seeder: Seeder, seriesIndex: number) => Promise<void>,
): DemoPart[] =>
  Array.from({ length: count }, (_, partIndex) =>
    makePart(`${name} ${partIndex + 1}`, (seeder) => runWork(seeder, partIndex)),
  )

const pictureParts = (name: string, allSubjects: readonly Subject[]): DemoPart[] =>
  Array.from({ length: Math.ceil(allSubjects.length / pictures) }, (_, partIndex) => {
    const subjects = allSubjects.slice(partIndex * pictures, (partIndex + 1) * pictures)
    return { name: `${name} ${partIndex + 1}`, subjects, fillPart: (context) => addPictures(subjects, context) }
  })

/** Returns the later parts of the demo in their order: the content of the first screens is first. */
export const demoParts = (): readonly DemoPart[] => [
  makePart('season people', seedFarmers),
  ...partsInSeries('season questions', questionPortions, seedQuestions),
  ...partsInSeries('season prices', seasonPortions, seedSeasonPrices),
  makePart('season news', seedSeasonNews),
  makePart('season companies', seedSeasonCompanies),
  ...partsInSeries('season posts', postPortions, seedSeasonPosts),
  ...partsInSeries('season rooms', roomCount, seedConversation),
  ...partsInSeries('season courses', courseCount, seedSeasonCourse),
  ...pictureParts('pictures', samplePictures()),
  ...pictureParts('season pictures', seasonPictures()),
  ...pictureParts('list pictures', listPictures()),
  makePart('season sliders', seedSeasonSliders),
]

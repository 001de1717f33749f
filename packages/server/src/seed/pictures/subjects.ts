/** Records of the demo that get a picture, and the motif of the picture. */
import reference from '../data/reference.json' with { type: 'json' }
import samples from '../data/samples.json' with { type: 'json' }
import companies from '../season/data/companies.json' with { type: 'json' }
import courses from '../season/data/courses.json' with { type: 'json' }
import news from '../season/data/news.json' with { type: 'json' }
import posts from '../season/data/posts.json' with { type: 'json' }
import { usernameOf } from '../accounts.ts'
import { pickItem } from '../draws.ts'
import { seasonFarmers } from '../season/people.ts'
import { goods, drawnGoods } from './goods.ts'
import { drawEmblem, drawPortrait } from './portraits.ts'
import { scene, type SceneKind, sceneKinds } from './scenes.ts'
import type { SvgDrawing } from './svg.ts'

/** Record of the demo, the field that shows a picture, and the picture. */
export interface Subject {
  resource: string
  /** Key of the demo's record in the data files. */
  key: string
  field: string
  /** Name of the picture file. */
  label: string
  drawing: () => SvgDrawing
}

const landscapes: readonly SceneKind[] = [
  'field',
  'orchard',
  'water',
  'machinery',
  'greenhouse',
  'livestock',
  'market',
  'training',
]

/** Landscapes of courses and news by their category or tags. */
const sceneOfWord: Readonly<Record<string, SceneKind>> = {
  crops: 'field',
  animals: 'livestock',
  'water-saving': 'water',
  greenhouse: 'greenhouse',
  business: 'market',
  digital: 'digital',
  climate: 'field',
  processing: 'orchard',
  drip: 'water',
  salinity: 'water',
  'aral-sea': 'water',
  vaccination: 'livestock',
  export: 'market',
  credit: 'office',
  subsidy: 'office',
  youth: 'training',
  women: 'training',
}
const chooseScene = (sceneWords: readonly string[], name: string): SceneKind =>
  sceneWords.map((sceneWord) => sceneOfWord[sceneWord]).find((kind) => kind !== undefined) ??
  pickItem(landscapes, 'scene', name)

/** First names of women in the samples, for the choice of their portraits. */
const women: ReadonlySet<string> = new Set(['Gulshat', 'Nodira', 'Malika', 'Elena', 'Aygúl'])

const person = (username: string, isWoman: boolean): Subject => ({
  resource: 'users',
  key: username,
  field: 'avatar',
  label: `${username}.jpg`,
  drawing: () => drawPortrait(username, isWoman),
})

/** Returns a drawn landscape for a record of the demo. */
const landscape = (resource: string, key: string, name: string, kind: SceneKind): Subject => ({
  resource,
  key,
  field: 'image',
  label: `${name}.jpg`,
  drawing: () => scene(kind, name),
})

/** Returns a drawn emblem for a record of the demo. */
const signSubject = (resource: string, key: string, name: string, field: string): Subject => ({
  resource,
  key,
  field,
  label: `${name}.jpg`,
  drawing: () => drawEmblem(name),
})

/** Returns the pictures of the samples, those of the first screens first. */
export function samplePictures(): Subject[] {
  const people = samples.chats.flatMap(({ farmer, consultant }) => [consultant, farmer])
  return [
    ...[...new Set(people)].map((fullName) => person(usernameOf(fullName), women.has(fullName.split(' ')[0] ?? ''))),
    person('super-admin', true),
    person('admin', false),
    person('user', true),
    ...samples.news.map(({ slug, title, tags }) => landscape('news', title.ru, slug, chooseScene(tags, slug))),
    ...samples.tradinposts.map(({ slug, title, product }): Subject => ({
      resource: 'tradinposts',
      key: title.ru,
      field: 'mainPhoto',
      label: `${slug}.jpg`,
      drawing: () => goods(product, slug),
    })),
    ...samples.courses.map(({ slug, title, coursecategory }) =>
      landscape('courses', title.ru, slug, chooseScene([coursecategory], slug)),
    ),
    ...samples.companies.map(({ companyName, shortname }) => signSubject('companies', companyName, shortname, 'logo')),
    ...samples.partners.map(({ name, slug }) => signSubject('partners', name.ru, slug, 'image')),
    ...samples.branches.map(({ name, slug }) => landscape('branches', name.ru, slug, 'office')),
    ...samples.serviceposts.map(({ slug, title, section }) =>
      landscape('serviceposts', title.ru, slug, section === 'finance' ? 'office' : chooseScene([], slug)),
    ),
    ...samples.tools.map(({ slug, title }) => landscape('tools', title.ru, slug, 'digital')),
    ...reference.products
      .filter(({ slug }) => drawnGoods.includes(slug))
      .map(({ slug }): Subject => ({
        resource: 'products',
        key: slug,
        field: 'mainPhoto',
        label: `${slug}.jpg`,
        drawing: () => goods(slug, slug),
      })),
  ]
}

/** Returns the pictures of the season's content. */
export function seasonPictures(): Subject[] {
  const isSceneKind = (pictureName: string): pictureName is SceneKind => sceneKinds.some((kind) => kind === pictureName)
  return [
    ...news.map(({ title, picture }, position) => {
      const name = `season-news-${position + 1}`
      return landscape('news', title.ru, name, isSceneKind(picture) ? picture : pickItem(landscapes, 'scene', name))
    }),
    ...posts.map(({ title, product }, position): Subject => {
      const name = `season-post-${position + 1}`
      return {
        resource: 'tradinposts',
        key: title.ru,
        field: 'mainPhoto',
        label: `${name}.jpg`,
        drawing: () => goods(product, name),
      }
    }),
    ...courses.map(({ title, coursecategory }, position) => {
      const name = `season-course-${position + 1}`
      return landscape('courses', title.ru, name, chooseScene([coursecategory], name))
    }),
    ...companies.map(({ companyName }, position) =>
      signSubject('companies', companyName, `season-company-${position + 1}`, 'logo'),
    ),
    ...seasonFarmers().map(({ username, isWoman }) => person(username, isWoman)),
  ]
}

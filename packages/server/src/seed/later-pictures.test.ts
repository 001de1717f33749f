import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { type LaterDemo, demoSettings, openLaterDemo } from '../testing/later-demo.ts'
import { resourceNamed } from '../resources/attributes.ts'
import products from './data/reference.json' with { type: 'json' }
import { type DemoPart, demoParts } from './later-parts.ts'
import { seedLater } from './later.ts'
import { drawnGoods } from './pictures/goods.ts'
import { listPictures } from './pictures/list-subjects.ts'
import { samplePictures, seasonPictures } from './pictures/subjects.ts'
import { toDocument } from './pictures/svg.ts'
import { keyField } from './records.ts'
import sliders from './season/data/sliders.json' with { type: 'json' }

describe('the drawings', () => {
  const subjects = [...samplePictures(), ...seasonPictures(), ...listPictures()]

  it('has a drawing for every product', () => {
    expect(products.products.map(({ slug }) => slug).filter((slug) => !drawnGoods.includes(slug))).toEqual([])
  })

  it('gives drawings unique names, and draws the same each time', () => {
    expect(new Set(subjects.map(({ label }) => label)).size).toBe(subjects.length)
    const bareText = (text: string) => text.replaceAll(/shade\d+/g, 'shade')
    for (const { drawing } of subjects) expect(bareText(toDocument(drawing()))).toBe(bareText(toDocument(drawing())))
  })
})

const pictureParts = demoParts().filter(({ subjects }) => subjects)
/**
 * The parts of the demo that this test draws: the first of each kind, and those of the banners. All are drawn
 * by `npm run demo-dates`.
 */
const drawnParts = pictureParts.filter(
  ({ name, subjects = [] }) =>
    name.endsWith(' 1') || subjects.some(({ label }) => sliders.some(({ picture }) => picture === label)),
)
const drawnNames = new Set(drawnParts.map(({ name }) => name))
/** Parts of the demo that this test does not fill: those that no drawn picture depends on, and further pictures. */
const withoutPictures = ['season questions', 'season prices', 'season rooms']
const isLeftOut = (partName: string) =>
  withoutPictures.some((name) => partName.startsWith(name)) ||
  (pictureParts.some(({ name }) => name === partName) && !drawnNames.has(partName))

describe('the pictures of the demo', () => {
  let laterDemo: LaterDemo
  const number = async (query: string) =>
    Number((await laterDemo.database.rows({ sql: query, parameters: [] }))[0]?.[0])

  beforeAll(async () => {
    laterDemo = await openLaterDemo(isLeftOut)
    await seedLater(laterDemo.database, demoSettings, laterDemo.options)
    return laterDemo.close
  }, 300_000)

  it.each([
    ['news', 'image'],
    ['courses', 'image'],
    ['companies', 'logo'],
    ['partners', 'image'],
    ['branches', 'image'],
    ['serviceposts', 'image'],
    ['tools', 'image'],
    ['products', 'mainPhoto'],
    ['tradinposts', 'mainPhoto'],
    ['servicecategories', 'image'],
    ['productcategories', 'image'],
    ['companycategories', 'image'],
    ['agrocultureareas', 'image'],
    ['tradingpostcategories', 'image'],
    ['consultantcategories', 'image'],
    ['consultationcategories', 'image'],
    ['coursecategories', 'image'],
  ])('draws a picture for each of %s, and shows it in the field %s', async (name, field) => {
    const keys = (parts: readonly DemoPart[]) =>
      parts
        .flatMap(({ subjects = [] }) => subjects)
        .flatMap((subject) => (subject.resource === name && subject.field === field ? [subject.key] : []))
    const [plannedKeys, drawnKeys] = [new Set(keys(pictureParts)), new Set(keys(drawnParts))]
    const keyName = keyField(resourceNamed(name))
    const { data } = await laterDemo.get(
      `${name}?locale=ru&pagination[pageSize]=100&populate=${field}&fields[0]=${keyName}`,
    )
    expect(data.length).toBeGreaterThan(5)
    const records = data.map(({ attributes }) => ({
      key: String(attributes[keyName]),
      isShown: Boolean((attributes[field] as { data?: unknown } | null)?.data),
    }))
    expect(records.filter(({ key }) => !plannedKeys.has(key))).toEqual([])
    expect(records.filter(({ key, isShown }) => drawnKeys.has(key) && !isShown)).toEqual([])
  })

  it('shows banners of the demo in four languages', async () => {
    const { data } = await laterDemo.get(`sliders?locale=kaa&populate=image`)
    expect(data).toHaveLength(3)
    expect(data.filter(({ attributes }) => !(attributes['image'] as { data?: unknown } | null)?.data)).toEqual([])
  })

  it('stores each picture once, also after an interruption before it was shown', async () => {
    const countBefore = await number('select count(*) from uploads')
    await laterDemo.database.script(`delete from seeds where name = 'pictures 1'; update users set avatar_id = null`)
    await seedLater(laterDemo.database, demoSettings, laterDemo.options)
    expect(await number('select count(*) from uploads')).toBe(countBefore)
    expect(await number('select count(*) from users where avatar_id is not null')).toBe(6)
    expect(readdirSync(join(laterDemo.dataDir, 'incoming'))).toEqual([])
  })
})

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { type LaterDemo, demoSettings, openLaterDemo } from '../testing/later-demo.ts'
import products from './data/reference.json' with { type: 'json' }
import { seedLater } from './later.ts'
import { goodsDrawn } from './pictures/goods.ts'
import { listPictures } from './pictures/list-subjects.ts'
import { samplePictures, seasonPictures } from './pictures/subjects.ts'
import { toDocument } from './pictures/svg.ts'

describe('the drawings', () => {
  const subjects = [...samplePictures(), ...seasonPictures(), ...listPictures()]

  it('exist for every product', () => {
    expect(products.products.map(({ slug }) => slug).filter((slug) => !goodsDrawn.includes(slug))).toEqual([])
  })

  it('have unique names, and are the same each time', () => {
    expect(new Set(subjects.map(({ label }) => label)).size).toBe(subjects.length)
    const bare = (text: string) => text.replaceAll(/shade\d+/g, 'shade')
    for (const { drawing } of subjects.slice(0, 40))
      expect(bare(toDocument(drawing()))).toBe(bare(toDocument(drawing())))
  })
})

/** Parts without pictures. */
const withoutPictures = ['season questions', 'season prices', 'season rooms']

describe('the pictures of the demo', () => {
  let here: LaterDemo
  const number = async (query: string) => Number((await here.database.rows({ sql: query, parameters: [] }))[0]?.[0])

  beforeAll(async () => {
    here = await openLaterDemo((part) => withoutPictures.some((name) => part.startsWith(name)))
    await seedLater(here.database, demoSettings, { store: here.store, signal: new AbortController().signal })
    return here.close
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
  ])('leave no %s without %s', async (name, field) => {
    const { data } = await here.get(`${name}?locale=ru&pagination[pageSize]=100&populate=${field}&fields[0]=id`)
    expect(data.length).toBeGreaterThan(5)
    expect(data.filter(({ attributes }) => !(attributes[field] as { data?: unknown } | null)?.data)).toEqual([])
  })

  it('show banners in four languages', async () => {
    const { data } = await here.get(`sliders?locale=kaa&populate=image`)
    expect(data).toHaveLength(3)
    expect(data.filter(({ attributes }) => !(attributes['image'] as { data?: unknown } | null)?.data)).toEqual([])
  })

  it('are stored once, also when their part was interrupted before they were shown', async () => {
    const before = await number('select count(*) from uploads')
    await here.database.script(`delete from seeds where name = 'pictures 1'; update users set avatar_id = null`)
    await seedLater(here.database, demoSettings, { store: here.store, signal: new AbortController().signal })
    expect(await number('select count(*) from uploads')).toBe(before)
    expect(await number('select count(*) from users where avatar_id is not null')).toBe(6)
    expect(readdirSync(join(here.dataDir, 'incoming'))).toEqual([])
  })
})

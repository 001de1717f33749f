/**
 * The day of a price clerk with the keyboard alone: entering, carrying over, explaining a flagged price,
 * confirming, publishing.
 */
import { randomInt } from 'node:crypto'
import karakalpak from '@dala/model/labels/kaa.json' with { type: 'json' }
import russian from '@dala/model/labels/ru.json' with { type: 'json' }
import type { MessageId } from '@dala/model'
import type { Page } from '@playwright/test'
import { expect, expectAccessible, type TestFixtures, makeUniqueName } from './fixtures.ts'
import { tabToTarget } from './tab-to.ts'

const catalogues: Readonly<Record<'ru' | 'kaa', Readonly<Record<string, string>>>> = { ru: russian, kaa: karakalpak }

/** Price days before those of all other tests; each decade belongs to one test. */
const computeLaterDay = (firstTime: number, dayCount: number) =>
  new Date(firstTime + dayCount * 86_400_000).toISOString().slice(0, 10)

interface DayOfPrices {
  /** Address of a price day with its own region and category. */
  address: string
  date: string
  /** Removes the products of the price test from the tables of other tests. */
  retireDay: () => Promise<void>
}

type Api = Pick<TestFixtures, 'newRecord' | 'colleague'>

/**
 * Creates two products, two districts and five published days with the price 4100 before a day of their own.
 *
 * @param decade - First year of ten, from which the days are drawn: no other test uses it.
 */
export async function prepareDay({ newRecord, colleague }: Api, decade: number): Promise<DayOfPrices> {
  const firstTime = Date.UTC(decade, 0, 1) + randomInt(3_600) * 86_400_000
  const { data: units } = await colleague<{ data: { id: number }[] }>('GET', '/units?filters[code]=kg')
  const lastOrder = { order: 9_999 }
  const { id: region } = await newRecord('regions', { name: makeUniqueName('Аймақ'), ...lastOrder })
  const { id: productcategory } = await newRecord('productcategories', { name: makeUniqueName('Түр'), ...lastOrder })
  const districts: number[] = []
  const products: number[] = []
  for (const name of ['Арқа', 'Қубла']) {
    districts.push((await newRecord('districts', { name: makeUniqueName(name), region, ...lastOrder })).id)
    products.push(
      (await newRecord('products', { name: makeUniqueName(name), productcategory, unit: units[0]?.id, ...lastOrder }))
        .id,
    )
  }
  for (let dayIndex = 0; dayIndex < 5; dayIndex += 1) {
    const { id } = await newRecord('pricedates', { date: computeLaterDay(firstTime, dayIndex) })
    const cells = products.flatMap((product) =>
      districts.map((district) => ({ product, district, price: 4_100 + dayIndex })),
    )
    await colleague('PUT', '/pricelists/grid', { data: { pricedate: id, cells } })
    await colleague('POST', `/pricedates/${id}/submit`)
    await colleague('POST', `/pricedates/${id}/publish`, { data: { allow_missing: true } })
  }
  const date = computeLaterDay(firstTime, 5)
  const { id } = await newRecord('pricedates', { date })
  return {
    address: `/app/price-list/${id}?region=${region}&category=${productcategory}`,
    date: date.split('-').toReversed().join('.'),
    retireDay: async () => {
      for (const product of products) await colleague('PUT', `/products/${product}`, { data: { active: false } })
    },
  }
}

/** Fills a price day, answers the question about an unusual price, and publishes the day. */
export async function walkDay(page: Page, language: 'ru' | 'kaa', { address, date }: DayOfPrices): Promise<void> {
  const t = (id: MessageId, values: Readonly<Record<string, string>> = {}) =>
    (catalogues[language][id] ?? id).replace(/\{(\w+)\}/g, (placeholder, name: string) => values[name] ?? placeholder)
  const pressKey = (key: string) => page.keyboard.press(key)
  await page.goto(address)
  const table = page.getByRole('region', { name: t('price.title') }).getByRole('grid')
  const cell = (position: string) => table.locator(`[data-cell="${position}"]`)
  const field = (position: string) => cell(position).getByRole('textbox')
  const expectKind = (position: string, kind: string) => expect(cell(position)).toHaveAttribute('data-kind', kind)
  await expect(field('0:0')).toBeVisible()
  await expectAccessible(page)
  await tabToTarget(page, field('0:0'))

  // The first cell of the table gets a price by the keyboard.
  await page.keyboard.type('4150')
  await pressKey('Enter')
  await expectKind('0:0', 'entered')
  await expect(field('1:0')).toBeFocused()

  // Prices are carried over from the day before, and confirmed.
  await pressKey('Alt+y')
  await expectKind('1:0', 'carried')
  await pressKey('Space')
  await expectKind('1:0', 'entered')

  // Ten times the usual price is entered: the question about it is answered with a note.
  await pressKey('ArrowRight')
  await expect(field('1:1')).toBeFocused()
  await page.keyboard.type('41000')
  await pressKey('ArrowUp')
  await expectKind('1:1', 'confirm')
  await expect(field('0:1')).toBeFocused()
  await pressKey('F8')
  await expect(field('1:1')).toBeFocused()
  const question = page.getByRole('dialog').filter({ hasText: t('prices.onlyWithNote') })
  await expect(question).toBeVisible()
  await expectAccessible(page)
  await pressKey('F6')
  await expect(question.getByRole('button', { name: t('prices.keepWithNote') })).toBeFocused()
  await pressKey('Enter')
  const note = question.getByRole('textbox')
  await expect(note).toBeFocused()
  await page.keyboard.type('Суўық')
  await pressKey('Enter')
  await expect(question).toBeHidden()
  await expect(field('1:1')).toBeFocused()
  await expectKind('1:1', 'entered')

  // A price is carried over and published unchanged.
  await pressKey('ArrowUp')
  await pressKey('Alt+y')
  await expectKind('0:1', 'carried')
  await pressKey('Escape')
  const publishButton = page.getByRole('main').getByRole('button', { name: t('prices.publish'), exact: true })
  await tabToTarget(page, publishButton, 'back')
  await pressKey('Enter')
  const dialog = page.getByRole('dialog', { name: t('prices.publish.title', { date }) })
  const allowCheckbox = dialog.getByRole('checkbox', { name: t('prices.publish.allowCarried') })
  await expect(allowCheckbox).toBeVisible()
  await expectAccessible(page)
  await tabToTarget(page, allowCheckbox)
  await pressKey('Space')
  await tabToTarget(page, dialog.getByRole('button', { name: t('action.publish'), exact: true }))
  await pressKey('Enter')
  await expect(dialog).toBeHidden()
  await expect(page.getByText(t('prices.published'))).toBeVisible()
  await expect(table.getByRole('textbox')).toHaveCount(0)
  await expectAccessible(page)
}

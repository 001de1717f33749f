/** Fills a form as its declaration says: what a person must give, each kind of field by its own input. */
import { type Field, isLink, type Locale, partsOf, type Screen } from '@dala/model'
import { randomBytes } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'
import type { Locator, Page } from '@playwright/test'
import { expect } from './fixtures.ts'

/** The wrapper of a field; texts have one for each language. */
export function fieldAt(page: Page, name: string, locale?: Locale): Locator {
  return page.locator(`[data-field="${locale ? `texts.${locale}` : 'shared'}.${name}"]`)
}

/** A PNG of one colour, each time another one. */
export function newPicture(): { name: string; mimeType: string; buffer: Buffer } {
  const side = 64
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    sum.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, sum])
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(side, 0)
  head.writeUInt32BE(side, 4)
  // Eight bits a channel, red, green and blue.
  head.set([8, 2], 8)
  const colour = randomBytes(3)
  const row = Buffer.concat([Buffer.from([0]), ...Array.from({ length: side }, () => colour)])
  const pixels = deflateSync(Buffer.concat(Array.from({ length: side }, () => row)))
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const buffer = Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))])
  return { name: `field-${colour.toString('hex')}.png`, mimeType: 'image/png', buffer }
}

/** Fields of the form in the order in which they stand. */
function fieldsOf({ resource, only = {} }: Screen): [string, Field][] {
  const names = [...(resource.form?.sections.flatMap(({ fields }) => fields) ?? []), ...(resource.form?.aside ?? [])]
  return names.flatMap((name): [string, Field][] => {
    const field = resource.fields[name]
    return field && !field.readOnly && !(name in only) ? [[name, field]] : []
  })
}

/**
 * Fills what is required, and the title with `title`; in another language the required texts only.
 * `values` are texts for fields that need a value of their own.
 */
export async function fillForm(
  page: Page,
  screen: Screen,
  title: string,
  { locale = 'ru', translating = false, values = {} }: FillOptions = {},
): Promise<void> {
  for (const [name, field] of fieldsOf(screen)) {
    const isTitle = name === screen.resource.title
    const given = values[name]
    if (given === undefined && !field.required && !isTitle) continue
    if (translating && !field.localized) continue
    const place = fieldAt(page, name, field.localized ? locale : undefined)
    await fillField(page, place, field, given ?? (isTitle ? title : `${title} ${name}`))
  }
}

export interface FillOptions {
  locale?: Locale
  translating?: boolean
  values?: Readonly<Record<string, string>>
}

async function fillField(page: Page, place: Locator, field: Field, text: string): Promise<void> {
  const input = partsOf(field).input
  if (input === 'picture' || input === 'pictures') {
    await place.locator('input[type="file"]').setInputFiles(newPicture())
    await expect(place.getByRole('img').first()).toBeVisible()
  } else if (isLink(field)) {
    await choose(page, place)
  } else if (input === 'choice') {
    await place.getByRole('combobox').click()
    await page.getByRole('option').first().click()
  } else if (input === 'translations') {
    await place.locator('input[lang="ru"]').fill(text)
  } else if (input === 'rich') {
    await place.getByRole('textbox').fill(text)
  } else if (input === 'bool') {
    await place.getByRole('switch').click()
  } else {
    await place.locator('input, textarea').first().fill(text)
  }
}

/** Takes the first offer of a picker; when a choice hangs on another one, that one is there by now. */
async function choose(page: Page, place: Locator): Promise<void> {
  await place.getByRole('combobox').click()
  await page.getByRole('option').first().click()
  await page.keyboard.press('Escape')
}

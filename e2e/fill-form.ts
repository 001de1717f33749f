/** Fills a form from its declaration: the required fields, each through the input of its kind. */
import { type Field, isLink, type Locale, componentsOf, type Resource, type Screen } from '@dala/model'
import type { Locator, Page } from '@playwright/test'
import { expect } from './fixtures.ts'
import { newPicture } from './new-picture.ts'

/** Texts of form fields that need a particular value; null leaves a field unchanged. */
export type FieldTexts = Readonly<Record<string, string | null>>

interface FillOptions {
  locale?: Locale
  isTranslating?: boolean
  values?: FieldTexts
}

/** The wrapper of a form field; a localized text has one for each language. */
export function findField(page: Page, name: string, locale?: Locale): Locator {
  return page.locator(`[data-field="${locale ? `texts.${locale}` : 'shared'}.${name}"]`)
}

/** Declines cropping in the dialog that a field with a fixed picture size opens. */
export async function keepUploadedPicture(page: Page): Promise<void> {
  await page.getByRole('dialog').getByRole('button', { name: 'Оставить как есть' }).click()
}

/** Fields of a form in display order. */
export function fieldsOf({ resource, fixedValues = {} }: Screen): [string, Field][] {
  const names = [...(resource.form?.sections.flatMap(({ fields }) => fields) ?? []), ...(resource.form?.aside ?? [])]
  return names.flatMap((name): [string, Field][] => {
    const field = resource.fields[name]
    return field && !field.readOnly && !(name in fixedValues) ? [[name, field]] : []
  })
}

/** Whether `fillForm` fills a field for which the test gives no value: a required one, and the title. */
export const isFilled = ({ title }: Resource, name: string, { required }: Field): boolean =>
  required === true || name === title

/**
 * Fills the required fields of a form and those in `values`, the title with `title`; in another language only
 * the texts.
 */
export async function fillForm(
  page: Page,
  screen: Screen,
  title: string,
  { locale = 'ru', isTranslating: hasTranslation = false, values = {} }: FillOptions = {},
): Promise<void> {
  for (const [name, field] of fieldsOf(screen)) {
    const value = values[name]
    if (value === null || (value === undefined && !isFilled(screen.resource, name, field))) continue
    if (hasTranslation && !field.localized) continue
    const fieldLocator = findField(page, name, field.localized ? locale : undefined)
    await fillField(page, fieldLocator, field, value ?? (name === screen.resource.title ? title : `${title} ${name}`))
  }
}

async function fillField(page: Page, fieldLocator: Locator, field: Field, text: string): Promise<void> {
  const { input } = componentsOf(field)
  if (input === 'picture' || input === 'pictures') {
    await fieldLocator.locator('input[type="file"]').setInputFiles(newPicture())
    if (isLink(field) && field.preset) await keepUploadedPicture(page)
    await expect(fieldLocator.getByRole('img').first()).toBeVisible()
  } else if (isLink(field) || input === 'choice') {
    await fieldLocator.getByRole('combobox').click()
    await page.getByRole('option').first().click()
    // The option list of a field with several values stays open; in a field with one value, Escape would
    // clear it.
    if (input === 'relatedList') await page.keyboard.press('Escape')
    await expect(page.getByRole('listbox')).toHaveCount(0)
  } else if (input === 'translations') {
    await fieldLocator.locator('input[lang="ru"]').fill(text)
  } else if (input === 'rich') {
    await fieldLocator.getByRole('textbox').fill(text)
  } else if (input === 'bool') {
    await fieldLocator.getByRole('switch').click()
  } else if (input !== 'slug') {
    // The server derives an empty key of a record from its title.
    await fieldLocator.getByRole('textbox').first().fill(text)
  }
}

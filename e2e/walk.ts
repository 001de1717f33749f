/** The journey through a screen that its declaration promises: look, add, change, translate, delete, or see why not. */
import { type Screen } from '@dala/model'
import type { Page } from '@playwright/test'
import { type FillOptions, fieldAt, fillForm } from './fill-form.ts'
import { expect, expectAccessible, type JourneyFixtures, unique } from './fixtures.ts'
import { manyOf, oneOf, t } from './words.ts'

export interface Walk extends Pick<JourneyFixtures, 'colleague' | 'newRecord'> {
  page: Page
  screen: Screen
}

/** What a screen needs besides its declaration. */
export interface WalkOptions {
  /** Values of fields that must be of one's own kind: a user name, an e-mail address. */
  values?: () => FillOptions['values']
  /** Why nothing can be added here. */
  closed?: true
  /** The name of the new record in the list, when it is not the title that was typed. */
  nameOf?: (title: string) => string
  /** How the page of one record is checked, beyond that it opens. */
  reading?: (walk: Walk, title: string) => Promise<void>
}

/** No finding on what is shown, dark and in Russian, then light and in Karakalpak. */
export async function expectAccessibleInEveryLook(page: Page): Promise<void> {
  await expectAccessible(page)
  await setLook(page, 'light.greenmoss', 'kaa')
  await expectAccessible(page)
  await setLook(page, 'dark.blueolympic', 'ru')
}

/** Changes the stored choices as another tab would: the page takes them over without a reload. */
async function setLook(page: Page, theme: string, language: string): Promise<void> {
  await page.evaluate(
    (choices) => {
      for (const [key, value] of Object.entries(choices)) {
        localStorage.setItem(key, value)
        dispatchEvent(new StorageEvent('storage', { key }))
      }
    },
    { theme, 'current-language': language },
  )
  await expect(page.locator('html')).toHaveAttribute('lang', language)
  await page.waitForLoadState('networkidle')
}

/** The list stands with its data, or with the words that there is none. */
export async function openList({ page, screen }: Walk, query = ''): Promise<void> {
  await page.goto(`/app/${screen.path}${query}`)
  await expect(page.getByRole('heading', { level: 1, name: manyOf(screen) })).toBeVisible()
  await expect(page.getByRole('main').locator('[aria-busy="false"]').first()).toBeVisible()
}

const save = (page: Page) => page.getByRole('button', { name: t('action.save'), exact: true })
const saveChanges = (page: Page) => page.getByRole('button', { name: t('form.saveChanges'), exact: true })

/** Saves a form with changes and waits until nothing is unsaved. */
export async function saveForm(page: Page, screen: Screen): Promise<void> {
  await saveChanges(page).click()
  await expect(page.getByText(t('message.updated', { resource: oneOf(screen) })).last()).toBeVisible()
  await expect(page.getByText(t('form.saved'))).toBeVisible()
}

/** Adds a record through the form. Out: its id. */
export async function addRecord(walk: Walk, title: string, options: WalkOptions): Promise<number> {
  const { page, screen } = walk
  await page
    .getByRole('main')
    .getByRole('link', { name: t('action.addNew') })
    .first()
    .click()
  await expect(page).toHaveURL(new RegExp(`/app/${screen.edited}/new`))
  await expect(save(page)).toBeVisible()
  await page.waitForLoadState('networkidle')
  await expectAccessibleInEveryLook(page)
  // Nothing was typed: what is missing is named in words, and the first of it has the focus.
  await save(page).click()
  await expect(page.locator('[aria-invalid="true"]').first()).toBeVisible()
  await fillForm(page, screen, title, { values: options.values?.() ?? {} })
  await save(page).click()
  await expect(page.getByText(t('message.created', { resource: oneOf(screen) }))).toBeVisible()
  await expect(page).toHaveURL(new RegExp(`/app/${screen.edited}/\\d+`))
  return Number(/\/(\d+)$/.exec(new URL(page.url()).pathname)?.[1])
}

/** Deletes through the menu of the form and ends on a list that no longer has the record. */
export async function deleteRecord({ page, screen }: Walk, name: string): Promise<void> {
  await page.getByRole('button', { name: t('form.more') }).click()
  await page.getByRole('menuitem', { name: t('action.delete') }).click()
  const question = page.getByRole('dialog', { name: t('dialog.delete.title') })
  await expect(question).toContainText(name)
  await expect(question.getByRole('button', { name: t('action.cancel') })).toBeFocused()
  await question.getByRole('button', { name: t('action.delete') }).click()
  await expect(page.getByText(t('message.deleted', { resource: oneOf(screen) }))).toBeVisible()
}

/** The whole journey of a screen that keeps records. */
export async function walkThrough(walk: Walk, options: WalkOptions = {}): Promise<void> {
  const { page, screen } = walk
  const { resource } = screen
  await openList(walk)
  await expectAccessibleInEveryLook(page)
  if (options.closed) {
    await expect(page.getByRole('main').getByRole('link', { name: t('action.addNew') })).toHaveCount(0)
    return
  }
  const title = unique('Проба')
  const id = await addRecord(walk, title, options)

  const name = options.nameOf?.(title) ?? title
  if (resource.fields[resource.title]?.kind === 'text') await changeTitle(walk, title)
  if (resource.localized) await translate(walk, title)

  if (screen.overview) {
    await page.goto(`/app/${screen.seen}/${id}`)
    await expect(page.getByRole('heading', { level: 1 })).toContainText(name)
    await page.waitForLoadState('networkidle')
    await expectAccessibleInEveryLook(page)
    await options.reading?.(walk, title)
    await page.goto(`/app/${screen.edited}/${id}${screen.seen === screen.edited ? '?view=edit' : ''}`)
  }

  if (resource.list?.search.includes(resource.title)) {
    await openList(walk, `?q=${encodeURIComponent(title)}`)
    await expect(page.getByRole('row').filter({ hasText: name })).toHaveCount(1)
    await page.goBack()
  }
  await expect(page.getByRole('button', { name: t('form.more') })).toBeVisible()
  await deleteRecord(walk, name)
}

/** Another name, saved and still there after a reload. */
async function changeTitle({ page, screen }: Walk, title: string): Promise<void> {
  const { resource } = screen
  const place = fieldAt(page, resource.title, resource.fields[resource.title]?.localized ? 'ru' : undefined)
  const input = place.getByRole('textbox')
  await input.fill(`${title} два`)
  await saveForm(page, screen)
  await page.reload()
  await expect(input).toHaveValue(`${title} два`)
}

/** The same record in Karakalpak. */
async function translate({ page, screen }: Walk, title: string): Promise<void> {
  const { resource } = screen
  await page.getByRole('combobox', { name: t('form.editingIn') }).click()
  await page.getByRole('option', { name: 'Qaraqalpaqsha' }).click()
  const place = fieldAt(page, resource.title, 'kaa')
  await expect(place).toBeVisible()
  await fillForm(page, screen, `${title} kaa`, { locale: 'kaa', translating: true })
  await saveForm(page, screen)
  await page.getByRole('combobox', { name: t('form.editingIn') }).click()
  await page.getByRole('option', { name: 'Русский' }).click()
}

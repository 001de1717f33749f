/** The journey through a screen that its declaration promises: look, add, change, translate, read, find, delete. */
import type { Screen } from '@dala/model'
import type { Browser, Page } from '@playwright/test'
import { fieldAt, fillForm, type Values } from './fill-form.ts'
import { expect, expectAccessible, type JourneyFixtures, unique } from './fixtures.ts'
import { manyOf, oneOf, t } from './words.ts'

export interface Walk extends Pick<JourneyFixtures, 'colleague' | 'newRecord' | 'login'> {
  page: Page
  /** For somebody at another desk. */
  browser: Browser
  screen: Screen
}

/** What a screen needs besides its declaration. */
export interface WalkOptions {
  /** Values of fields that must be of one's own kind: a user name, a key. */
  values?: (title: string) => Values
  /** The field that carries the name, when it is not the title of the declaration. */
  nameField?: string
  /** What a new record starts with, as the address says it. */
  preset?: Readonly<Record<string, string>>
  /** What the page of a record is called, when that is not its name. */
  heading?: RegExp
  /** What else there is to do on the page of a record. */
  reading?: (walk: Walk, record: { id: number; name: string }) => Promise<void>
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
  await expectSettled(page)
}

/** Whatever a choice has set going has come to its end: what was asked for is there, nothing fades in or out. */
async function expectSettled(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
  await page.evaluate(async () => {
    const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
    await Promise.allSettled(ending.map(({ finished }) => finished))
  })
}

/** The list stands with its data, or with the words that there is none. */
export async function openList({ page, screen }: Walk, query = ''): Promise<void> {
  await page.goto(`/app/${screen.path}${query}`)
  await expect(page.getByRole('heading', { level: 1, name: manyOf(screen) })).toBeVisible()
  await expect(page.getByRole('main').locator('[aria-busy="false"]').first()).toBeVisible()
  await expectSettled(page)
}

/** The page of a record stands with its name. */
export async function openRecord({ page, screen }: Walk, id: number, heading: string | RegExp): Promise<void> {
  await page.goto(`/app/${screen.seen}/${id}`)
  await expect(page.getByRole('heading', { level: 1 })).toContainText(heading)
  await page.waitForLoadState('networkidle')
}

/** The form of a record stands with its values. */
export async function openForm({ page, screen }: Walk, id: number): Promise<void> {
  await page.goto(`/app/${screen.edited}/${id}${screen.overview && screen.seen === screen.edited ? '?view=edit' : ''}`)
  await expect(page.getByText(t('form.saved'))).toBeVisible()
}

export const saveButton = (page: Page) => page.getByRole('button', { name: t('action.save'), exact: true })

/** Saves a form with changes and waits until nothing is unsaved. */
export async function saveForm(page: Page, screen: Screen): Promise<void> {
  await page.getByRole('button', { name: t('form.saveChanges'), exact: true }).click()
  await expect(page.getByText(t('message.updated', { resource: oneOf(screen) })).last()).toBeVisible()
  await expect(page.getByText(t('form.saved'))).toBeVisible()
}

/** Chooses the language whose texts the form shows. */
export async function editIn(page: Page, language: 'Русский' | 'Qaraqalpaqsha'): Promise<void> {
  await page.getByRole('combobox', { name: t('form.editingIn') }).click()
  await page.getByRole('option', { name: language }).click()
}

/** The form of a new record: looked at, refused while it is empty, filled in and saved. Out: the id of the record. */
async function addRecord(walk: Walk, title: string, { values, preset }: WalkOptions): Promise<number> {
  const { page, screen } = walk
  const add = page
    .getByRole('main')
    .getByRole('link', { name: t('action.addNew') })
    .first()
  if (preset) await page.goto(`/app/${screen.edited}/new?${new URLSearchParams(preset).toString()}`)
  else await add.click()
  await expect(page).toHaveURL(new RegExp(`/app/${screen.edited}/new`))
  await expect(saveButton(page)).toBeVisible()
  await page.waitForLoadState('networkidle')
  await expectAccessibleInEveryLook(page)
  // Nothing was typed: what is missing is said in words, and the first of it has the focus.
  await saveButton(page).click()
  await expect(page.locator('[data-field]:has(:focus)').locator('[id$="-error"]')).toBeVisible()
  await fillForm(page, screen, title, { values: values?.(title) ?? {} })
  await saveButton(page).click()
  await expect(page.getByText(t('message.created', { resource: oneOf(screen) }))).toBeVisible()
  await expect(page).toHaveURL(new RegExp(`/app/${screen.edited}/\\d+`))
  return Number(/\/(\d+)$/.exec(new URL(page.url()).pathname)?.[1])
}

/** Deletes through the menu of the form or of the page, with the question that comes before. */
export async function deleteRecord({ page, screen }: Walk, name: string): Promise<void> {
  await page.getByRole('button', { name: t('form.more') }).click()
  await page.getByRole('menuitem', { name: t('action.delete') }).click()
  const question = page.getByRole('dialog', { name: t('dialog.delete.title') })
  await expect(question).toContainText(name)
  await expect(question.getByRole('button', { name: t('action.cancel') })).toBeFocused()
  await question.getByRole('button', { name: t('action.delete') }).click()
  await expect(question).toBeHidden()
  await expect(page.getByText(t('message.deleted', { resource: oneOf(screen) })).last()).toBeVisible()
}

/** The whole journey of a screen that keeps records. */
export async function walkThrough(walk: Walk, options: WalkOptions = {}): Promise<void> {
  const { page, screen } = walk
  const { resource } = screen
  await openList(walk)
  await expectAccessibleInEveryLook(page)
  const name = unique('Проба')
  const id = await addRecord(walk, name, options)

  const nameField = options.nameField ?? resource.title
  const { kind, localized } = resource.fields[nameField] ?? {}
  if (kind === 'text' || kind === 'longText') {
    const input = fieldAt(page, nameField, localized ? 'ru' : undefined).getByRole('textbox')
    await input.fill(`${name} два`)
    await saveForm(page, screen)
    await page.reload()
    await expect(input).toHaveValue(`${name} два`)
  }
  if (resource.localized) {
    await editIn(page, 'Qaraqalpaqsha')
    await fillForm(page, screen, `${name} kaa`, { locale: 'kaa', translating: true })
    await saveForm(page, screen)
    await editIn(page, 'Русский')
  }

  if (resource.list?.search.includes(nameField)) {
    await openList(walk, `?q=${encodeURIComponent(name)}`)
    await expect(page.getByRole('row').filter({ hasText: name })).toHaveCount(1)
  }
  if (screen.overview) {
    await openRecord(walk, id, options.heading ?? name)
    await expectAccessibleInEveryLook(page)
    await options.reading?.(walk, { id, name })
  } else {
    await openForm(walk, id)
  }
  await deleteRecord(walk, name)
}

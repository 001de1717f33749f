/** The journey through a screen that its declaration promises: look, add, change, translate, read, find, delete. */
import type { Screen } from '@dala/model'
import type { Browser, Page } from '@playwright/test'
import { fieldAt, fillForm, type Values } from './fill-form.ts'
import { expect, expectAccessible, type JourneyFixtures, unique } from './fixtures.ts'
import { setAppearance } from './appearance.ts'
import { openWithin } from './open-within.ts'
import { expectSettled } from './settled.ts'
import { manyOf, oneOf, t } from './messages.ts'

export interface Walk extends Pick<JourneyFixtures, 'colleague' | 'newRecord' | 'login'> {
  page: Page
  /** For somebody at another desk. */
  browser: Browser
  screen: Screen
}

/** Details of a screen that its declaration does not have. */
export interface WalkOptions {
  /** Values of fields with a form of their own: a user name, a key. */
  values?: (title: string) => Values
  /** The field that carries the name, when it is not the title of the declaration. */
  nameField?: string
  /** Initial values of a new record, as parameters of the address. */
  preset?: Readonly<Record<string, string>>
  /** Heading of the page of a record, where it is not the name of the record. */
  heading?: RegExp
  /** Further steps on the page of a record. */
  reading?: (walk: Walk, record: { id: number; name: string }) => Promise<void>
}

/** No finding on what is shown once it has settled, dark and in Russian, then light and in Karakalpak. */
export async function expectAccessibleInEveryLook(page: Page): Promise<void> {
  await expectSettled(page)
  await expectAccessible(page)
  await setAppearance(page, { theme: 'light.greenmoss', language: 'kaa' })
  await expectSettled(page)
  await expectAccessible(page, 'repainted')
  await setAppearance(page, { theme: 'dark.blueolympic', language: 'ru' })
}

/** The list stands with its data, or with the words that there is none. */
export async function openList({ page, screen }: Walk, query = ''): Promise<void> {
  await openWithin(page, `${screen.path}${query}`)
  await expect(page.getByRole('heading', { level: 1, name: manyOf(screen) })).toBeVisible()
  await expect(page.getByRole('main').locator('[aria-busy="false"]').first()).toBeVisible()
}

/** The page of a record stands with its name. */
export async function openRecord({ page, screen }: Walk, id: number, heading: string | RegExp): Promise<void> {
  await openWithin(page, `${screen.readPath}/${id}`)
  await expect(page.getByRole('heading', { level: 1 })).toContainText(heading)
  await expectSettled(page)
}

/** The form of a record stands with its values. */
export async function openForm({ page, screen }: Walk, id: number): Promise<void> {
  const view = screen.overview && screen.readPath === screen.editPath ? '?view=edit' : ''
  await openWithin(page, `${screen.editPath}/${id}${view}`)
  await expect(page.getByText(t('form.saved'))).toBeVisible()
}

export const saveButton = (page: Page) => page.getByRole('button', { name: t('action.save'), exact: true })

/** Saves a form with changes and waits until nothing is unsaved. */
export async function saveForm(page: Page, screen: Screen): Promise<void> {
  await page.getByRole('button', { name: t('form.saveChanges'), exact: true }).click()
  await expect(page.getByText(t('message.updated', { resource: oneOf(screen) })).last()).toBeVisible()
  await expect(page.getByText(t('form.saved'))).toBeVisible()
}

/** Chooses the language whose texts the form shows: by keys, as the message of the last save may still lie over it. */
export async function editIn(page: Page, language: 'Русский' | 'Qaraqalpaqsha'): Promise<void> {
  await page.getByRole('combobox', { name: t('form.editingIn') }).press('Enter')
  await expect(page.getByRole('option', { selected: true })).toBeFocused()
  await page.getByRole('option', { name: language }).press('Enter')
}

/** Opens the form of a new record, saves it empty, which is refused, then fills it in and saves it; returns the id. */
async function addRecord(walk: Walk, title: string, { values, preset }: WalkOptions): Promise<number> {
  const { page, screen } = walk
  const add = page
    .getByRole('main')
    .getByRole('link', { name: t('action.addNew') })
    .first()
  if (preset) await openWithin(page, `${screen.editPath}/new?${new URLSearchParams(preset).toString()}`)
  else await add.click()
  await expect(page).toHaveURL(new RegExp(`/app/${screen.editPath}/new`))
  await expect(saveButton(page)).toBeVisible()
  await expectAccessibleInEveryLook(page)
  // Nothing was typed: what is missing is said in words, and the first of it has the focus.
  await saveButton(page).click()
  await expect(page.locator('[data-field]:has(:focus)').locator('[id$="-error"]')).toBeVisible()
  await fillForm(page, screen, title, { values: values?.(title) ?? {} })
  await saveButton(page).click()
  await expect(page.getByText(t('message.created', { resource: oneOf(screen) }))).toBeVisible()
  await expect(page).toHaveURL(new RegExp(`/app/${screen.editPath}/\\d+`))
  return Number(/\/(\d+)$/.exec(new URL(page.url()).pathname)?.[1])
}

/** Back to the list as people go, and there to the one row with that name. */
async function findInList({ page, screen }: Walk, name: string): Promise<void> {
  await page
    .getByRole('navigation', { name: t('a11y.breadcrumbs') })
    .getByRole('link', { name: manyOf(screen), exact: true })
    .click()
  await page.getByRole('main').getByRole('searchbox').fill(name)
  await expect(page.getByRole('row')).toHaveCount(2)
  await expect(page.getByRole('row').filter({ hasText: name })).toHaveCount(1)
}

/** Deletes through the menu of the form or of the page, by keys as in `editIn`, with the question that comes before. */
async function deleteRecord({ page, screen }: Walk, name: string): Promise<void> {
  await page.getByRole('button', { name: t('form.more') }).press('Enter')
  await expect(page.locator('[role="menu"]:focus-within')).toBeVisible()
  await page.getByRole('menuitem', { name: t('action.delete') }).press('Enter')
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

  const isSearched = resource.list?.search.includes(nameField) ?? false
  if (isSearched) await findInList(walk, name)
  if (screen.overview) {
    await openRecord(walk, id, options.heading ?? name)
    await expectAccessibleInEveryLook(page)
    await options.reading?.(walk, { id, name })
  } else if (isSearched) {
    await page.getByRole('row').getByRole('link', { name }).click()
    await expect(page.getByText(t('form.saved'))).toBeVisible()
    await expect(page).toHaveURL(new RegExp(`/app/${screen.editPath}/${id}`))
  } else {
    await openForm(walk, id)
  }
  await deleteRecord(walk, name)
}

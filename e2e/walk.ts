/**
 * Walks through a screen as its declaration promises: list, new record, change, translation, page and
 * deletion.
 */
import type { Screen } from '@dala/model'
import type { Browser, Page } from '@playwright/test'
import { findField, fillForm, type FieldTexts } from './fill-form.ts'
import { expect, expectAccessible, expectOverlayAccessible, type TestFixtures, makeUniqueName } from './fixtures.ts'
import { appearances, otherAppearance, setAppearance } from './appearance.ts'
import { openInsidePanel } from './open-within.ts'
import { expectSettledPage } from './settled.ts'
import { listTitleOf, titleOfOne, t } from './messages.ts'

export interface ScreenWalk extends Pick<TestFixtures, 'colleague' | 'newRecord' | 'login'> {
  page: Page
  /** Browser in which the test opens further windows for other users. */
  browser: Browser
  screen: Screen
  /** Whether the accessibility of the screen's list and form is checked in both appearances, not in one. */
  checksBoth: { list: boolean; form: boolean }
}

/** Options of a screen's test for everything that the screen's declaration does not contain. */
export interface WalkOptions {
  /** Values of fields that the test fills with a certain form: a user name, a key. */
  values?: (title: string) => FieldTexts
  /** The field with the record's name, when it is not the title in the declaration. */
  nameField?: string
  /** Initial values of a new record, as parameters of its form's address. */
  preset?: Readonly<Record<string, string>>
  /** Heading of a record's page, where it is not the name of the record. */
  heading?: RegExp
  /** Further steps of the test on the page of a record. */
  readRecord?: (walk: ScreenWalk, record: { id: number; name: string }) => Promise<void>
}

/** Checks the page for accessibility once it is idle: dark in Russian, then light in Karakalpak. */
export async function expectAccessibleInBothAppearances(page: Page): Promise<void> {
  await expectSettledPage(page)
  await expectAccessible(page)
  await setAppearance(page, appearances.light)
  await expectSettledPage(page)
  await expectAccessible(page, 'repainted')
  await setAppearance(page, appearances.dark)
}

/** Checks the page for accessibility once it is idle, as it is now. */
async function expectAccessibleNow(page: Page): Promise<void> {
  await expectSettledPage(page)
  await expectAccessible(page)
}

const expectAccessiblePage = (page: Page, inBoth: boolean): Promise<void> =>
  inBoth ? expectAccessibleInBothAppearances(page) : expectAccessibleNow(page)

type AccessibilityCheck = (page: Page, state?: 'recoloured') => Promise<void>

/** Runs a check once the page is idle, then for colours in a theme of the other family, light or dark, which stays. */
const checkInBothThemes = (check: AccessibilityCheck) => async (page: Page) => {
  await expectSettledPage(page)
  await check(page)
  const { theme } = await otherAppearance(page)
  await setAppearance(page, { theme })
  await check(page, 'recoloured')
}

/** Checks the page for accessibility in themes of both families; the second one stays. */
export const expectAccessibleInBothThemes = checkInBothThemes(expectAccessible)

/** Checks an open dialog or list for accessibility in themes of both families; the second one stays. */
export const expectOverlayAccessibleInBothThemes = checkInBothThemes(expectOverlayAccessible)

/** Opens the list and waits for its records, or for the message that it has none. */
export async function openList({ page, screen }: ScreenWalk, query = ''): Promise<void> {
  await openInsidePanel(page, `${screen.path}${query}`)
  await expect(page.getByRole('heading', { level: 1, name: listTitleOf(screen) })).toBeVisible()
  await expect(page.getByRole('main').locator('[aria-busy="false"]').first()).toBeVisible()
}

/** Opens the page of a record and waits for its name. */
export async function openRecord({ page, screen }: ScreenWalk, id: number, heading: string | RegExp): Promise<void> {
  await openInsidePanel(page, `${screen.readPath}/${id}`)
  await expect(page.getByRole('heading', { level: 1 })).toContainText(heading)
  await expectSettledPage(page)
}

/** Opens the form of a record and waits for its values. */
export async function openForm({ page, screen }: ScreenWalk, id: number): Promise<void> {
  const view = screen.overview && screen.readPath === screen.editPath ? '?view=edit' : ''
  await openInsidePanel(page, `${screen.editPath}/${id}${view}`)
  await expect(page.getByText(t('form.saved'))).toBeVisible()
}

export const saveButton = (page: Page) => page.getByRole('button', { name: t('action.save'), exact: true })

/** Saves a form with changes and waits until nothing is unsaved. */
export async function saveForm(page: Page, screen: Screen): Promise<void> {
  await page.getByRole('button', { name: t('form.saveChanges'), exact: true }).click()
  await expect(page.getByText(t('message.updated', { resource: titleOfOne(screen) })).last()).toBeVisible()
  await expect(page.getByText(t('form.saved'))).toBeVisible()
}

/**
 * Chooses the language of the form's texts, with the keyboard: a toast of the last save may cover the button.
 */
export async function editInLanguage(page: Page, language: 'Русский' | 'Qaraqalpaqsha'): Promise<void> {
  await page.getByRole('combobox', { name: t('form.editingIn') }).press('Enter')
  await expect(page.getByRole('option', { selected: true })).toBeFocused()
  await page.getByRole('option', { name: language }).press('Enter')
}

/** Opens the form of a new record by the link of the list, or with initial values by its address. */
export async function openNewForm({ page, screen }: ScreenWalk, preset?: WalkOptions['preset']): Promise<void> {
  const add = page
    .getByRole('main')
    .getByRole('link', { name: t('action.addNew') })
    .first()
  if (preset) await openInsidePanel(page, `${screen.editPath}/new?${new URLSearchParams(preset).toString()}`)
  else await add.click()
  await expect(page).toHaveURL(new RegExp(`/app/${screen.editPath}/new`))
  await expect(saveButton(page)).toBeVisible()
}

/** Saves a new record without any value: the form explains what is missing and focuses the first such field. */
export async function expectEmptyRefused(page: Page): Promise<void> {
  await saveButton(page).click()
  await expect(page.locator('[data-field]:has(:focus)').locator('[id$="-error"]')).toBeVisible()
}

/** Creates a record, after an empty one was refused; returns its id. */
async function addRecord(walk: ScreenWalk, title: string, { values, preset }: WalkOptions): Promise<number> {
  const { page, screen } = walk
  await openNewForm(walk, preset)
  await expectAccessiblePage(page, walk.checksBoth.form)
  await expectEmptyRefused(page)
  await fillForm(page, screen, title, { values: values?.(title) ?? {} })
  await saveButton(page).click()
  await expect(page.getByText(t('message.created', { resource: titleOfOne(screen) }))).toBeVisible()
  await expect(page).toHaveURL(new RegExp(`/app/${screen.editPath}/\\d+`))
  return Number(/\/(\d+)$/.exec(new URL(page.url()).pathname)?.[1])
}

/** Opens the list through the breadcrumbs and searches for the only record of that name. */
async function findRecordInList({ page, screen }: ScreenWalk, name: string): Promise<void> {
  await page
    .getByRole('navigation', { name: t('a11y.breadcrumbs') })
    .getByRole('link', { name: listTitleOf(screen), exact: true })
    .click()
  await page.getByRole('main').getByRole('searchbox').fill(name)
  await expect(page.getByRole('row')).toHaveCount(2)
  await expect(page.getByRole('row').filter({ hasText: name })).toHaveCount(1)
}

/** Deletes a record through the menu of its form or page, and confirms; with the keyboard, as in `editInLanguage`. */
async function deleteRecord({ page, screen }: ScreenWalk, name: string): Promise<void> {
  await page.getByRole('button', { name: t('form.more') }).press('Enter')
  await expect(page.locator('[role="menu"]:focus-within')).toBeVisible()
  await page.getByRole('menuitem', { name: t('action.delete') }).press('Enter')
  const question = page.getByRole('dialog', { name: t('dialog.delete.title') })
  await expect(question).toContainText(name)
  await expect(question.getByRole('button', { name: t('action.cancel') })).toBeFocused()
  await question.getByRole('button', { name: t('action.delete') }).click()
  await expect(question).toBeHidden()
  await expect(page.getByText(t('message.deleted', { resource: titleOfOne(screen) })).last()).toBeVisible()
}

/** Returns the id of a screen's first record, a sample: tests delete only records of their own. */
async function firstRecord({ screen, colleague }: ScreenWalk): Promise<number> {
  const fixedFilters = Object.entries(screen.fixedValues ?? {}).map(
    ([name, value]) => `&filters[${name}]=${String(value)}`,
  )
  const { data } = await colleague<{ data: { id: number }[] }>(
    'GET',
    `/${screen.resource.wire}?locale=ru&sort=id&pagination[pageSize]=1${fixedFilters.join('')}`,
  )
  return data[0]?.id ?? 0
}

/**
 * Opens the list of a screen, the form of a new record, which is refused when empty, and the form of an existing
 * record, which is light and in Karakalpak. Where the form is checked in both appearances, the refused one is dark
 * and in Russian.
 */
export async function walkListBriefly(walk: ScreenWalk): Promise<void> {
  const { page, checksBoth: inBoth } = walk
  await openList(walk)
  await expectAccessiblePage(page, inBoth.list)
  await openNewForm(walk)
  await expectEmptyRefused(page)
  if (inBoth.form) await expectAccessibleNow(page)
  await openForm(walk, await firstRecord(walk))
  await setAppearance(page, appearances.light)
  await expectAccessibleNow(page)
}

/**
 * Walks through the whole life of a record: a list, an empty form, which is refused, and a record that is
 * created, renamed, translated, found, read and deleted.
 */
export async function walkWholeScreen(walk: ScreenWalk, options: WalkOptions = {}): Promise<void> {
  const { page, screen } = walk
  const { resource } = screen
  await openList(walk)
  await expectAccessiblePage(page, walk.checksBoth.list)
  const name = makeUniqueName('Проба')
  const id = await addRecord(walk, name, options)

  const nameField = options.nameField ?? resource.title
  const { kind, localized } = resource.fields[nameField] ?? {}
  if (kind === 'text' || kind === 'longText') {
    const input = findField(page, nameField, localized ? 'ru' : undefined).getByRole('textbox')
    await input.fill(`${name} два`)
    await saveForm(page, screen)
    await page.reload()
    await expect(input).toHaveValue(`${name} два`)
  }
  if (resource.localized) {
    await editInLanguage(page, 'Qaraqalpaqsha')
    await fillForm(page, screen, `${name} kaa`, { locale: 'kaa', isTranslating: true })
    await saveForm(page, screen)
    await editInLanguage(page, 'Русский')
  }

  const isSearched = resource.list?.search.includes(nameField) ?? false
  if (isSearched) await findRecordInList(walk, name)
  if (screen.overview) {
    await openRecord(walk, id, options.heading ?? name)
    await expectAccessibleInBothAppearances(page)
    await options.readRecord?.(walk, { id, name })
  } else if (isSearched) {
    await page.getByRole('row').getByRole('link', { name }).click()
    await expect(page.getByText(t('form.saved'))).toBeVisible()
    await expect(page).toHaveURL(new RegExp(`/app/${screen.editPath}/${id}`))
  } else {
    await openForm(walk, id)
  }
  await deleteRecord(walk, name)
}

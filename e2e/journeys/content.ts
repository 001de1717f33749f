/** The page about the service, companies, and the two types of trading posts. */
import { findField, fillForm } from '../fill-form.ts'
import { expect, expectAccessible, makeUniqueName } from '../fixtures.ts'
import {
  editInLanguage,
  expectAccessibleInBothAppearances,
  openForm,
  openList,
  saveButton,
  saveForm,
  type ScreenWalk,
  walkListBriefly,
  walkWholeScreen,
} from '../walk.ts'
import { t } from '../messages.ts'

/** Changes, translates and restores the single page about the service. */
async function walkAboutPage({ page, screen }: ScreenWalk): Promise<void> {
  await page.goto('/app/about')
  const title = findField(page, 'title', 'ru').getByRole('textbox')
  await expect(title).not.toHaveValue('')
  await expectAccessibleInBothAppearances(page)
  const formerTitle = await title.inputValue()
  await title.fill('')
  await page.getByRole('button', { name: t('form.saveChanges'), exact: true }).click()
  await expect(title).toHaveAttribute('aria-invalid', 'true')
  await expect(title).toBeFocused()
  await title.fill(makeUniqueName('О службе'))
  await saveForm(page, screen)
  await editInLanguage(page, 'Qaraqalpaqsha')
  await findField(page, 'title', 'kaa').getByRole('textbox').fill(makeUniqueName('Xızmet haqqında'))
  await saveForm(page, screen)
  await editInLanguage(page, 'Русский')
  await title.fill(formerTitle)
  await saveForm(page, screen)
  // A single record has no button that adds another one, and none that deletes it.
  await expect(page.getByRole('button', { name: t('form.more') })).toHaveCount(0)
}

/**
 * Companies show their own messages for missing fields, and cards with a permanent badge (requirements §2).
 */
async function companies(walk: ScreenWalk): Promise<void> {
  const { page, screen } = walk
  await page.goto(`/app/${screen.editPath}/new`)
  await saveButton(page).click()
  await expect(findField(page, 'directions')).toContainText(t('validation.directions'))
  await expect(findField(page, 'address', 'ru')).toContainText(t('validation.address'))

  await openList(walk)
  await page
    .getByRole('group', { name: t('list.displayMode') })
    .getByRole('button', { name: t('list.mode.image') })
    .click()
  await expect(page.getByRole('table')).toHaveCount(0)
  const card = page.getByRole('main').getByRole('article').first()
  await expect(card).toContainText(t('status.active'))
  await expect(card.getByRole('list', { name: t('company.card.directions') })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: t('list.mode.list') }).click()
  await expect(page.getByRole('table')).toBeVisible()
  await walkWholeScreen(walk)
}

/** The list of pages has two addresses in the specification. */
async function pages(walk: ScreenWalk): Promise<void> {
  await openList({ ...walk, screen: { ...walk.screen, path: 'pages/pages' } })
  await walkListBriefly(walk)
}

/**
 * One type of trading posts is for selling and one for buying: a third is refused with a message, and the
 * typed text stays.
 */
async function tradingPostTypes(walk: ScreenWalk): Promise<void> {
  const { page, screen, colleague } = walk
  await openList(walk)
  await expectAccessibleInBothAppearances(page)
  await page
    .getByRole('main')
    .getByRole('link', { name: t('action.addNew') })
    .first()
    .click()
  await expect(saveButton(page)).toBeVisible()
  await expectAccessibleInBothAppearances(page)
  await saveButton(page).click()
  await expect(page.locator('[aria-invalid="true"]').first()).toBeFocused()
  const name = makeUniqueName('Обмен')
  await fillForm(page, screen, name)
  await saveButton(page).click()
  await expect(findField(page, 'code')).toContainText(t('validation.unique'))
  const nameInput = findField(page, 'name').locator('input[lang="ru"]')
  await expect(nameInput).toHaveValue(name)
  await page.getByRole('button', { name: t('form.discard'), exact: true }).click()

  const savedRecords = await colleague<{ data: { id: number }[] }>('GET', `/${screen.resource.wire}`)
  await openForm(walk, savedRecords.data[0]?.id ?? 0)
  const formerName = await nameInput.inputValue()
  await nameInput.fill(name)
  await saveForm(page, screen)
  await nameInput.fill(formerName)
  await saveForm(page, screen)
}

export const contentJourneys = {
  about: walkAboutPage,
  companies,
  pages,
  'settings/trading-post-type': tradingPostTypes,
}

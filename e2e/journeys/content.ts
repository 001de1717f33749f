/** The page about the service, companies, and the two types of trading posts. */
import { fieldAt, fillForm } from '../fill-form.ts'
import { expect, expectAccessible, unique } from '../fixtures.ts'
import {
  editIn,
  expectAccessibleInBothAppearances,
  openForm,
  openList,
  saveButton,
  saveForm,
  type Walk,
  walkBriefly,
  walkThrough,
} from '../walk.ts'
import { t } from '../messages.ts'

/** Changes, translates and restores the single page about the service. */
async function aboutPage({ page, screen }: Walk): Promise<void> {
  await page.goto('/app/about')
  const title = fieldAt(page, 'title', 'ru').getByRole('textbox')
  await expect(title).not.toHaveValue('')
  await expectAccessibleInBothAppearances(page)
  const before = await title.inputValue()
  await title.fill('')
  await page.getByRole('button', { name: t('form.saveChanges'), exact: true }).click()
  await expect(title).toHaveAttribute('aria-invalid', 'true')
  await expect(title).toBeFocused()
  await title.fill(unique('О службе'))
  await saveForm(page, screen)
  await editIn(page, 'Qaraqalpaqsha')
  await fieldAt(page, 'title', 'kaa').getByRole('textbox').fill(unique('Xızmet haqqında'))
  await saveForm(page, screen)
  await editIn(page, 'Русский')
  await title.fill(before)
  await saveForm(page, screen)
  // A single record has no button that adds another one, and none that deletes it.
  await expect(page.getByRole('button', { name: t('form.more') })).toHaveCount(0)
}

/**
 * Companies show their own messages for missing fields, and cards with a permanent badge (requirements §2).
 */
async function companies(walk: Walk): Promise<void> {
  const { page, screen } = walk
  await page.goto(`/app/${screen.editPath}/new`)
  await saveButton(page).click()
  await expect(fieldAt(page, 'directions')).toContainText(t('validation.directions'))
  await expect(fieldAt(page, 'address', 'ru')).toContainText(t('validation.address'))

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
  await walkThrough(walk)
}

/** The list of pages has two addresses in the specification. */
async function pages(walk: Walk): Promise<void> {
  await openList({ ...walk, screen: { ...walk.screen, path: 'pages/pages' } })
  await walkBriefly(walk)
}

/**
 * One type of trading posts is for selling and one for buying: a third is refused with a message, and the
 * typed text stays.
 */
async function tradingPostTypes(walk: Walk): Promise<void> {
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
  const name = unique('Обмен')
  await fillForm(page, screen, name)
  await saveButton(page).click()
  await expect(fieldAt(page, 'code')).toContainText(t('validation.unique'))
  const typed = fieldAt(page, 'name').locator('input[lang="ru"]')
  await expect(typed).toHaveValue(name)
  await page.getByRole('button', { name: t('form.discard'), exact: true }).click()

  const found = await colleague<{ data: { id: number }[] }>('GET', `/${screen.resource.wire}`)
  await openForm(walk, found.data[0]?.id ?? 0)
  const before = await typed.inputValue()
  await typed.fill(name)
  await saveForm(page, screen)
  await typed.fill(before)
  await saveForm(page, screen)
}

export const contentJourneys = {
  about: aboutPage,
  companies,
  pages,
  'settings/trading-post-type': tradingPostTypes,
}

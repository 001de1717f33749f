/** Journeys of the screens that need more than their declaration says; every other one is walked as declared. */
import { expect, expectAccessible, unique } from './fixtures.ts'
import { fieldAt } from './fill-form.ts'
import { expectAccessibleInEveryLook, saveForm, type Walk, walkThrough } from './walk.ts'
import { t } from './words.ts'

/** What an account must have of its own. */
const account = () => {
  const name = unique('grower').replace(' ', '-')
  return { username: name, email: `${name}@example.org`, password: 'abcd-567' }
}

/** The one page about the service: changed, translated, and put back. */
async function aboutPage({ page, screen }: Walk): Promise<void> {
  await page.goto('/app/about')
  const title = fieldAt(page, 'title', 'ru').getByRole('textbox')
  await expect(title).not.toHaveValue('')
  await page.waitForLoadState('networkidle')
  await expectAccessibleInEveryLook(page)
  const before = await title.inputValue()
  await title.fill('')
  await page.getByRole('button', { name: t('form.saveChanges'), exact: true }).click()
  await expect(title).toHaveAttribute('aria-invalid', 'true')
  await expect(title).toBeFocused()
  await title.fill(unique('О службе'))
  await saveForm(page, screen)
  await page.getByRole('combobox', { name: t('form.editingIn') }).click()
  await page.getByRole('option', { name: 'Qaraqalpaqsha' }).click()
  await fieldAt(page, 'title', 'kaa').getByRole('textbox').fill(unique('Xızmet haqqında'))
  await saveForm(page, screen)
  await page.getByRole('combobox', { name: t('form.editingIn') }).click()
  await page.getByRole('option', { name: 'Русский' }).click()
  await title.fill(before)
  await saveForm(page, screen)
  // It is one of its kind: nothing to add, nothing to delete.
  await expect(page.getByRole('button', { name: t('form.more') })).toHaveCount(0)
}

export const journeys: Readonly<Record<string, (walk: Walk) => Promise<void>>> = {
  about: aboutPage,
}

export { account, expectAccessible }

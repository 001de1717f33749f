/** Deleted records are listed in the trash and can be restored. */
import { expect, expectAccessible, test, makeUniqueName } from './fixtures.ts'
import { t } from './messages.ts'
import { expectAccessibleInBothThemes } from './walk.ts'

test('finds a deleted record in the trash, filters by its resource, and restores the record', async ({
  page,
  login,
  newRecord,
  colleague,
}) => {
  const title = makeUniqueName('В корзину')
  const { id } = await newRecord('news', { title })
  await colleague('DELETE', `/news/${id}?locale=all`)
  await login('owner')
  await page.goto('/app/trash')
  await expect(page.getByRole('heading', { level: 1, name: t('trash.title') })).toBeVisible()
  await expect(page.getByText(title)).toBeVisible()
  await expectAccessibleInBothThemes(page)
  await page.getByRole('combobox', { name: t('trash.kind') }).click()
  await page.getByRole('option', { name: t('news.many'), exact: true }).click()
  await expect(page).toHaveURL('/app/trash?kind=news')
  await page.getByRole('button', { name: t('trash.restoreNamed', { name: title }) }).click()
  await expect(page.getByText(t('message.restored', { resource: t('news.one') }))).toBeVisible()
  await expect(page.getByRole('button', { name: t('trash.restoreNamed', { name: title }) })).toBeHidden()
  await page.goto(`/app/news/${id}`)
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
  await expectAccessible(page)
})

/**
 * The audit log: found by user and action, read with before and after, exported; nothing can be added,
 * changed or deleted.
 */
import { expect, expectAccessible, makeUniqueName } from '../fixtures.ts'
import { expectSettledPage } from '../settled.ts'
import { expectAccessibleInBothAppearances, openList, type ScreenWalk } from '../walk.ts'
import { t } from '../messages.ts'

export async function auditJourney(walk: ScreenWalk): Promise<void> {
  const { page, colleague, newRecord } = walk
  const [formerName, newName] = [makeUniqueName('Тег'), makeUniqueName('Тег')]
  const tag = await newRecord('tags', { name: formerName })
  await colleague('PUT', `/tags/${tag.id}`, { data: { name: newName } })
  await openList(walk)
  await expectAccessibleInBothAppearances(page)
  await expect(page.getByRole('main').getByRole('link', { name: t('action.addNew') })).toHaveCount(0)

  const filter = new URLSearchParams({ 'f.resource': 'tags', 'f.entry': `${tag.id}..${tag.id}` })
  await openList(walk, `?${filter.toString()}`)
  await page
    .getByRole('row')
    .getByRole('link', { name: t('audit.values.action.record.update') })
    .first()
    .click()
  await expect(page).toHaveURL(/audit\/\d+/)
  const main = page.getByRole('main')
  await expect(main.getByText(formerName).first()).toBeVisible()
  await expect(main.getByText(newName).first()).toBeVisible()
  await expectSettledPage(page)
  await expectAccessibleInBothAppearances(page)
  for (const action of [t('action.edit'), t('action.delete')])
    await expect(main.getByRole('button', { name: action, exact: true })).toHaveCount(0)
  // Lines of the audit log are sealed within moments after they are written.
  const isSealed = async () => {
    await page.reload()
    await expectSettledPage(page)
    return main.getByText(/^[0-9a-f]{64}$/).count()
  }
  await expect.poll(isSealed).toBe(1)
  await main
    .getByRole('link', { name: newName })
    .or(main.getByRole('link', { name: 'Тег' }))
    .first()
    .click()
  await expect(page).toHaveURL(/settings\/tags\/\d+/)
  await expectAccessible(page)
}

import { expect, expectAccessible, test } from './fixtures.ts'
import { t } from './messages.ts'

test('fits the help and the tour on a phone', async ({ page, login }) => {
  await login('admin')
  await page.goto('/app/news')
  const account = page.getByRole('button', { name: /^Учётная запись/ })
  await account.tap()
  await page.getByRole('menuitem', { name: t('nav.help') }).tap()
  const sheet = page.getByRole('dialog', { name: t('guide.title') })
  await expect(sheet.getByRole('listitem')).toHaveCount(3)
  const box = await sheet.boundingBox()
  expect(box).toEqual({ x: 0, y: 0, width: 390, height: 844 })
  await expectAccessible(page)
  await sheet.getByRole('button', { name: t('nav.tour') }).tap()
  for (const name of ['menu', 'search', 'list', 'form', 'inbox', 'help'] as const) {
    const step = page.getByRole('dialog', { name: t(`tour.${name}.title`) })
    await expect(step).toBeVisible()
    await expect(step).toBeInViewport({ ratio: 1 })
    await test.step(name, () => expectAccessible(page))
    await step.getByRole('button', { name: t(name === 'help' ? 'tour.done' : 'tour.next'), exact: true }).tap()
  }
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

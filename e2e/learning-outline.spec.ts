/**
 * The page of a course for its authors: a lesson beside the outline, several selected rows, and conflicts.
 */
import { expect, expectAccessible, expectOverlayAccessible, test, makeUniqueName } from './fixtures.ts'
import { delayCalls } from './delayed-calls.ts'
import { findField } from './fill-form.ts'
import { t } from './messages.ts'

interface OutlineAnswer {
  data: { version: number; groups: { id: number; lessons: { id: number }[] }[]; lessons: { id: number }[] }
}

test('edits lessons beside the outline of their course', async ({ page, loginAsOwner, newRecord }) => {
  const course = await newRecord('courses', { title: makeUniqueName('Курс') })
  const [firstTitle, secondTitle] = [makeUniqueName('Урок'), makeUniqueName('Урок')]
  for (const [index, title] of [firstTitle, secondTitle].entries())
    await newRecord('lessons', { title, course: course.id, position: index + 1, content: '<p>Текст</p>' })
  await loginAsOwner()
  await page.goto(`/app/e-learning/${course.id}`)
  const outline = page.getByRole('region', { name: t('learning.outline') })
  const link = (name: string) => outline.getByRole('link', { name })
  const title = findField(page, 'title', 'ru').getByRole('textbox')

  await link(firstTitle).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('region', { name: firstTitle })).toBeFocused()
  await expect(title).toHaveValue(firstTitle)
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(link(firstTitle)).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(link(secondTitle)).toBeFocused()

  // Text typed in the form of a lesson stays as a draft while another lesson is open, and after a reload.
  await title.fill(`${firstTitle} новый`)
  await link(secondTitle).click()
  const question = page.getByRole('dialog', { name: t('dialog.unsaved.title') })
  await question.getByRole('button', { name: t('dialog.unsaved.keep') }).click()
  await expect(title).toHaveValue(secondTitle)
  await page.goBack()
  await expect(title).toHaveValue(`${firstTitle} новый`)
  await page.reload()
  await expect(title).toHaveValue(`${firstTitle} новый`)
  await page.getByRole('button', { name: t('form.saveChanges'), exact: true }).click()
  await expect(link(`${firstTitle} новый`)).toBeVisible()
  await page.goForward()
  await expect(title).toHaveValue(secondTitle)
})

test('changes all selected lessons, and compares orders after a conflict', async ({
  page,
  loginAsOwner,
  newRecord,
  colleague,
}) => {
  const course = await newRecord('courses', { title: makeUniqueName('Курс') })
  const titles = [makeUniqueName('Урок'), makeUniqueName('Урок'), makeUniqueName('Урок')]
  for (const [index, title] of titles.entries())
    await newRecord('lessons', { title, course: course.id, position: index + 1, content: '<p>Текст</p>' })
  await loginAsOwner()
  await page.goto(`/app/e-learning/${course.id}`)
  const outline = page.getByRole('region', { name: t('learning.outline') })
  const link = (index: number) => outline.getByRole('link', { name: titles[index] ?? '' })
  const hiddenLabel = outline.getByText(t('value.state.hidden'))

  await link(0).click({ modifiers: ['Control'] })
  await link(1).click({ modifiers: ['Shift'] })
  await expectAccessible(page)
  await outline.getByRole('button', { name: t('learning.hide') }).click()
  await expect(hiddenLabel).toHaveCount(2)
  await page.getByRole('button', { name: t('action.undo') }).click()
  await expect(hiddenLabel).toHaveCount(0)

  const { data } = await colleague<OutlineAnswer>('GET', `/courses/${course.id}/outline?locale=ru`)
  const ids = data.lessons.map(({ id }) => id).toReversed()
  // The panel learns of a colleague's order at once, and on a busy machine before the user's move.
  const releaseOutline = await delayCalls(page, '**/api/courses/*/outline*', 'GET')
  await colleague('PUT', `/courses/${course.id}/outline`, { data: { version: data.version, groups: [], lessons: ids } })
  await link(0).focus()
  await page.keyboard.press('Alt+ArrowDown')
  const dialog = page.getByRole('dialog', { name: t('learning.conflict') })
  await expect(dialog.getByRole('region', { name: t('learning.yourOrder') })).toContainText(t('learning.order.moved'))
  releaseOutline()
  await expectOverlayAccessible(page)
  await dialog.getByRole('button', { name: t('learning.keepTheirs') }).click()
  await expect(outline.getByRole('link', { name: /^Урок / })).toHaveText(titles.toReversed())
})

/** Courses with their outline, lessons and lesson groups. */
import { findField } from '../fill-form.ts'
import { expect, expectAccessible, expectOverlayAccessible, makeUniqueName } from '../fixtures.ts'
import { expectSettledPage } from '../settled.ts'
import {
  editInLanguage,
  expectAccessibleInBothThemes,
  expectEmptyRefused,
  openForm,
  openList,
  openNewForm,
  openRecord,
  saveButton,
  saveForm,
  type ScreenWalk,
  walkWholeScreen,
} from '../walk.ts'
import { t } from '../messages.ts'

const text = '<p>Полив весной и летом.</p>'

/** The outline of the course page: its rows in order. */
const outlineOf = ({ page }: ScreenWalk) => page.getByRole('region', { name: t('learning.outline') })

async function course(walk: ScreenWalk, { id, name }: { id: number; name: string }): Promise<void> {
  const { page, newRecord } = walk
  const outline = outlineOf(walk)
  const publishButton = page.getByRole('button', { name: t('action.publish'), exact: true })
  const dialog = page.getByRole('dialog', { name: t('learning.publish') })
  await publishButton.click()
  await expect(dialog.getByText(t('learning.problem.noLesson')).first()).toBeVisible()
  await expect(dialog.getByRole('button', { name: t('action.publish') })).toBeDisabled()
  await expectOverlayAccessible(page)
  await dialog.getByRole('button', { name: t('learning.notNow') }).click()
  await expect(dialog).toBeHidden()

  const group = makeUniqueName('Группа')
  await outline.getByRole('link', { name: t('learning.addGroup') }).click()
  await findField(page, 'title', 'ru').getByRole('textbox').fill(group)
  await expect(findField(page, 'course').getByRole('combobox')).toHaveValue(new RegExp(name))
  await saveButton(page).click()
  await expect(page.getByText(t('message.created', { resource: t('lessongroups.one') }))).toBeVisible()

  await openRecord(walk, id, name)
  const firstTitle = makeUniqueName('Урок')
  await outline
    .getByRole('link', { name: t('action.addLesson'), exact: true })
    .first()
    .click()
  await findField(page, 'title', 'ru').getByRole('textbox').fill(firstTitle)
  await findField(page, 'content', 'ru').getByRole('textbox').fill('Поливайте на рассвете.')
  await saveButton(page).click()
  await expect(page.getByText(t('message.created', { resource: t('lessons.one') }))).toBeVisible()
  // Saving a new lesson opens the form of the stored lesson.
  await expect(page.getByText(t('form.saved'))).toBeVisible()
  await editInLanguage(page, 'Qaraqalpaqsha')
  await findField(page, 'title', 'kaa').getByRole('textbox').fill(`${firstTitle} kaa`)
  await findField(page, 'content', 'kaa').getByRole('textbox').fill('Tańda suwǵarıń.')
  await page.getByRole('button', { name: t('form.saveChanges'), exact: true }).click()
  await expect(page.getByText(t('form.saved'))).toBeVisible()

  const secondTitle = makeUniqueName('Урок')
  await newRecord('lessons', { title: secondTitle, content: text, course: id, position: 9 })
  await openRecord(walk, id, name)
  const lessons = outline.getByRole('link', { name: /^Урок / })
  await expect(lessons).toHaveText([firstTitle, secondTitle])

  // Drags lessons of the outline with the keyboard, then with the mouse.
  const findGrip = (name: string) => outline.getByRole('button', { name: t('bulk.drag', { name }) })
  await findGrip(secondTitle).focus()
  await page.keyboard.press('Space')
  await expect(findGrip(secondTitle)).toHaveAttribute('aria-pressed', 'true')
  // The grip listens to the arrows from the next task of the page on.
  await page.evaluate(() => new Promise((resolve) => void setTimeout(resolve)))
  await page.keyboard.press('ArrowUp')
  await expect(outline.locator('[data-drop="before"]')).toHaveCount(1)
  await page.keyboard.press('Space')
  await expect(lessons).toHaveText([secondTitle, firstTitle])
  // A row that moves between hovering and pressing would leave the pointer beside its grip.
  await expectSettledPage(page)
  await findGrip(firstTitle).hover()
  await page.mouse.down()
  // The middle of the dragged row ends just above the middle of the other row.
  const secondRow = outline.locator('[data-row^="lesson-"]').filter({ hasText: secondTitle })
  const target = await secondRow.boundingBox()
  if (!target) throw new Error('The row of the lesson has no place')
  await page.mouse.move(target.x + 20, target.y + target.height / 2 - 6, { steps: 6 })
  // The row is dropped at the line, which is drawn some time after the last move on a busy machine.
  await expect(secondRow).toHaveAttribute('data-drop', 'before')
  await page.mouse.up()
  await expect(lessons).toHaveText([firstTitle, secondTitle])
  await expect(outline.getByText(t('learning.groupEmpty'))).toBeVisible()
  await page.reload()
  await expect(lessons).toHaveText([firstTitle, secondTitle])

  const row = async (lesson: string, action: string) => {
    await outline.getByRole('button', { name: t('list.actionsFor', { name: lesson }) }).click()
    await page.getByRole('menuitem', { name: action }).click()
  }
  await row(secondTitle, t('learning.moveToGroup'))
  const question = page.getByRole('dialog', { name: t('learning.moveToGroup') })
  await question.getByRole('button', { name: t('learning.move'), exact: true }).click()
  await expect(outline.getByRole('listitem').filter({ hasText: group })).toContainText(secondTitle)
  await expectSettledPage(page)
  await expectAccessible(page)

  // The unit test deletion.test covers the lessons of a deleted group; this test covers the dialog only.
  await row(group, t('action.delete'))
  const deletionDialog = page.getByRole('dialog', { name: t('dialog.delete.title') })
  await expect(deletionDialog.getByRole('radio', { name: t('learning.groupDeletion.delete') })).toBeVisible()
  await expectOverlayAccessible(page)
  await deletionDialog.getByRole('button', { name: t('action.cancel') }).click()
  await expect(deletionDialog).toBeHidden()

  // The keyboard reaches the buttons and links at the top, which a toast covers for two seconds.
  await publishButton.press('Enter')
  await expect(dialog.getByRole('listitem').filter({ hasText: firstTitle })).toBeVisible()
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText(t('learning.published'))).toBeVisible()
  await expect(page.getByRole('button', { name: t('action.unpublish') })).toBeVisible()
  await page.getByRole('link', { name: t('learning.progressPage') }).press('Enter')
  await expect(page.getByText(t('learning.progressOf.nobody'))).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: t('learning.toOutline') }).press('Enter')
  await page.getByRole('button', { name: t('action.unpublish') }).press('Enter')
  await expect(page.getByRole('button', { name: t('action.unpublish') })).toBeHidden()
  await page.getByRole('link', { name: t('learning.allLessons') }).press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toContainText(t('learning.lessonsOf', { name }))
  await expect(page.getByRole('row')).toHaveCount(3)
  await page.getByRole('link', { name: t('learning.toOutline') }).press('Enter')
  await expect(page).toHaveURL(new RegExp(`e-learning/${id}`))
}

async function courses(walk: ScreenWalk): Promise<void> {
  await walkWholeScreen(walk, { readRecord: course })
}

/** Creates a course for the lessons and groups of one test. */
async function walkInCourse(walk: ScreenWalk, steps: (id: number, title: string) => Promise<void>): Promise<void> {
  const title = makeUniqueName('Курс')
  const { id } = await walk.newRecord('courses', { title })
  await steps(id, title)
  await walk.colleague('DELETE', `/courses/${id}`)
}

/** Previews a lesson as learners see it, with its languages and video; then divides it into several parts. */
async function lesson(walk: ScreenWalk, { id, name }: { id: number; name: string }): Promise<void> {
  const { page, screen } = walk
  await expect(page.getByRole('button', { name: t('video.play') })).toBeVisible()
  const languages = page.getByRole('group', { name: t('learning.lessonLanguage') })
  await languages.getByRole('button', { name: 'Qaraqalpaqsha' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('kaa')
  await openForm(walk, id)
  await findField(page, 'videourl', 'ru').getByRole('textbox').fill('')
  await findField(page, 'kind').getByRole('combobox').click()
  await page.getByRole('option', { name: t('learning.lesson.multi') }).click()
  await page.getByRole('button', { name: t('learning.addPart') }).click()
  await page.getByRole('textbox', { name: t('learning.partTitle') }).fill('Первая часть')
  await saveForm(page, screen)
  await openRecord(walk, id, name)
  await expect(page.getByRole('heading', { level: 2, name: /Первая часть/ })).toBeVisible()
  await expectAccessible(page)
}

async function lessons(walk: ScreenWalk): Promise<void> {
  const { page, screen } = walk
  await walkInCourse(walk, async (id, title) => {
    await page.goto(`/app/${screen.path}/${id}`)
    await expect(page.getByRole('heading', { level: 1 })).toContainText(t('learning.lessonsOf', { name: title }))
    await expect(page.getByText(t('empty.noData'))).toBeVisible()
    await expectAccessible(page)
    const videourl = 'https://www.youtube.com/watch?v=aqz-KE-bpKQ'
    const values = () => ({ course: null, videourl })
    await walkWholeScreen(walk, { preset: { 'set.course': String(id) }, values, readRecord: lesson })
  })
}

/** Opens the forms of lesson groups. The test of the outline creates, renames, moves and deletes groups. */
async function lessonGroups(walk: ScreenWalk): Promise<void> {
  const { page, newRecord } = walk
  await walkInCourse(walk, async (id) => {
    const group = await newRecord('lessongroups', { title: makeUniqueName('Группа'), course: id })
    await openList(walk)
    await openNewForm(walk, { 'set.course': String(id) })
    await expectAccessibleInBothThemes(page)
    await expectEmptyRefused(page)
    await openForm(walk, group.id)
  })
}

export const learningJourneys = {
  'e-learning': courses,
  'e-learning/lessons': lessons,
  'e-learning/lesson-groups-create': lessonGroups,
}

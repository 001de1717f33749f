/**
 * Consultations and chats: a question is assigned, answered and finished; a room gets messages and is taken
 * over.
 */
import type { Page } from '@playwright/test'
import { send } from '../desk.ts'
import { expect, expectAccessible, expectOverlayAccessible, makeUniqueName } from '../fixtures.ts'
import {
  expectAccessibleInBothAppearances,
  openList,
  openRecord,
  type ScreenWalk,
  walkListBriefly,
  walkWholeScreen,
} from '../walk.ts'
import { t } from '../messages.ts'

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** Types into a search box and chooses the matching person. */
async function choosePerson(page: Page, label: RegExp | string, name: string): Promise<void> {
  await page.getByRole('combobox', { name: label }).fill(name)
  await page.getByRole('option', { name }).click()
}

/** Finishes or reopens a consultation: the dialog demands a reason. */
async function stepWithReason(page: Page, step: string, question: string): Promise<void> {
  // The keyboard reaches the button, which a toast covers for two seconds.
  await button(page, step).press('Enter')
  const dialog = page.getByRole('dialog', { name: question })
  await dialog.getByRole('button', { name: step, exact: true }).click()
  await expect(dialog.getByText(t('validation.reason'))).toBeVisible()
  await dialog.getByRole('textbox', { name: t('consultation.reason') }).fill('Решено по телефону')
  await dialog.getByRole('button', { name: step, exact: true }).click()
  await expect(dialog).toBeHidden()
}

/** A consultant takes an unassigned question. */
async function takeConsultation({ browser, login, screen }: ScreenWalk, id: number): Promise<void> {
  const context = await browser.newContext()
  const consultantPage = await context.newPage()
  await login('consultant', { page: consultantPage, language: 'ru' })
  await consultantPage.goto(`/app/${screen.readPath}/${id}`)
  await expect(consultantPage.getByText(t('consultation.lockedFree'))).toBeVisible()
  await button(consultantPage, t('consultation.take')).click()
  await expect(consultantPage.getByRole('textbox', { name: 'Ответ' })).toBeVisible()
  await expectAccessible(consultantPage)
  await context.close()
}

async function answerConsultation(walk: ScreenWalk, { id, name }: { id: number; name: string }): Promise<void> {
  const { page } = walk
  await takeConsultation(walk, id)
  await page.reload()
  await button(page, t('action.reassign')).click()
  const dialog = page.getByRole('dialog', { name: t('consultation.assignTitle') })
  await choosePerson(page, /^Консультант/, 'Nodira')
  await dialog.getByRole('textbox', { name: t('chat.handOverNote') }).fill('Знает хлопок')
  await expectOverlayAccessible(page)
  await dialog.getByRole('button', { name: t('action.assign'), exact: true }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByText('Знает хлопок')).toBeVisible()
  await expect(page.getByRole('main').getByText('Nodira T.', { exact: true })).toBeVisible()
  const answer = page.getByRole('textbox', { name: 'Ответ' })

  await stepWithReason(page, t('action.finish'), t('consultation.finishTitle'))
  await expect(page.getByText(t('consultation.lockedFinished'))).toBeVisible()
  await stepWithReason(page, t('action.reopen'), t('consultation.reopenTitle'))
  await answer.fill('Поливайте через день.')
  // A quick reply is inserted by keyboard; the editor takes the focus behind it.
  const replies = page.getByRole('combobox', { name: t('chat.quickReplies') })
  await replies.press('ArrowDown')
  await expect(page.getByRole('option').first()).toBeVisible()
  await replies.press('Enter')
  await expect(answer).toBeFocused()
  await expect(answer.locator('p')).not.toHaveCount(1)
  await answer.fill('Поливайте через день.')
  await button(page, t('consultation.saveAnswer')).click()
  await expect(page.getByText(t('consultation.answerSaved'))).toBeVisible()

  // Filters of the list of consultations, and the number of rows with this question that each must find.
  await openList(walk, `?q=${encodeURIComponent(name)}`)
  const row = page.getByRole('row').filter({ hasText: name })
  for (const [filter, count] of [
    ['label.unfinished', 1],
    ['label.completed', 0],
    ['label.answered', 1],
    ['label.notAnswered', 0],
    ['segment.free', 0],
    ['label.all', 1],
  ] as const) {
    await page
      .getByRole('main')
      .getByRole('group', { name: t(filter === 'segment.free' ? 'consultation.openQuestions' : 'field.status') })
      .getByRole('button', { name: new RegExp(`^${t(`consultation.${filter}`)}`) })
      .click()
    await expect(row, filter).toHaveCount(count)
  }
  await openRecord(walk, id, /^Консультация №/)
}

async function consultations(walk: ScreenWalk): Promise<void> {
  await walkWholeScreen(walk, { heading: /^Консультация №/, readRecord: answerConsultation })
}

interface Grower {
  id: number
  name: string
  identifier: string
}

const password = 'abcd-5671'

/** A grower that no other test writes to. */
async function newGrower({ colleague }: ScreenWalk): Promise<Grower> {
  const name = makeUniqueName('Фермер')
  const { data: roles } = await colleague<{ data: { id: number; attributes: { type: string } }[] }>('GET', '/roles')
  const role = roles.find(({ attributes }) => attributes.type === 'authenticated')?.id
  const username = makeUniqueName('grower').replace(' ', '-')
  const account = { username, email: `${username}@example.org`, password, name, role }
  const { id } = await colleague<{ id: number }>('POST', '/users', account)
  return { id, name, identifier: username }
}

async function chats(walk: ScreenWalk): Promise<void> {
  const { page, screen, colleague } = walk
  const grower = await newGrower(walk)
  await page.goto(`/app/${screen.path}`)
  await expect(page.getByRole('heading', { level: 1, name: t('chatrooms.many') })).toBeVisible()
  await expect(page.getByText(t('validation.selectChat'))).toBeVisible()
  await button(page, t('list.filters')).press('Enter')
  await expect(page.getByRole('combobox', { name: t('chat.over') })).toBeVisible()
  await expectAccessibleInBothAppearances(page)

  await page.getByRole('link', { name: t('chat.newTitle') }).click()
  await button(page, t('action.open')).click()
  await expect(page.getByText(t('validation.relation'))).toBeVisible()
  await expectAccessible(page)
  await choosePerson(page, /^Кому/, grower.name)
  await button(page, t('action.open')).click()
  await expect(page).toHaveURL(/chats\/\d+/)
  await expect(page.getByRole('log', { name: t('chat.log', { name: grower.name }) })).toBeVisible()

  await send(page, 'Здравствуйте', 'key')
  await send(page, 'Как урожай?', 'button')
  await expectAccessibleInBothAppearances(page)

  await takeOverConsultation(walk, grower)
  await colleague('DELETE', `/users/${grower.id}`)
}

/**
 * A consultant writes in their room; staff may not write in the consultant's name, take the room over, and
 * then the consultant may not write.
 */
async function takeOverConsultation({ page, browser, login, colleague, screen }: ScreenWalk, grower: Grower) {
  const context = await browser.newContext()
  const consultantPage = await context.newPage()
  await login('consultant', { page: consultantPage, language: 'ru' })
  await consultantPage.goto(`/app/${screen.path}`)
  const me = await colleague<{ id: number }[]>('GET', '/users?filters[username][$eq]=gulshat-m')
  const { data: room } = await colleague('POST', '/chatrooms', { data: { sender: grower.id, receiver: me[0]?.id } })
  // A message from the grower's phone stays unread until the consultant opens the room.
  const answer = await page.request.post('/api/auth/local', { data: { identifier: grower.identifier, password } })
  const { jwt } = (await answer.json()) as { jwt: string }
  await page.request.post('/api/chatmessages', {
    headers: { authorization: `Bearer ${jwt}` },
    data: { data: { room: room.id, text: 'Листья желтеют' } },
  })
  await consultantPage.goto(`/app/${screen.path}?q=${encodeURIComponent(grower.name)}`)
  await consultantPage.getByRole('link').filter({ hasText: grower.name }).click()
  await expect(consultantPage.getByRole('log').getByText('Листья желтеют')).toBeVisible()
  await send(consultantPage, 'Я консультант', 'key')

  await page.goto(`/app/${screen.path}/${room.id}`)
  await expect(page.getByText(t('validation.otherConsultant'))).toBeVisible()
  await expect(page.getByRole('textbox', { name: t('chat.message'), exact: true })).toHaveCount(0)
  await button(page, t('chat.takeOver')).click()
  await send(page, 'Теперь отвечаю я', 'key')

  await consultantPage.reload()
  await expect(consultantPage.getByText(t('validation.otherConsultant'))).toBeVisible()
  await expect(button(consultantPage, t('chat.takeOver'))).toHaveCount(0)
  await expectAccessible(consultantPage)
  await context.close()
}

/** Opens the rules of routing with one that is not active, since an active one would move other tests' questions. */
async function routingRules(walk: ScreenWalk): Promise<void> {
  await walk.newRecord('routingrules', { name: makeUniqueName('Правило'), action: 'queue', active: false })
  await walkListBriefly(walk)
}

/** Opens the absences with one of the past. */
async function walkAbsences(walk: ScreenWalk): Promise<void> {
  const people = await walk.colleague<{ id: number }[]>(
    'GET',
    '/users?filters[is_consultant]=true&pagination[pageSize]=1',
  )
  const [starts_at, ends_at] = ['2025-01-05T04:00:00.000Z', '2025-01-06T04:00:00.000Z']
  await walk.newRecord('absences', { user: people[0]?.id, starts_at, ends_at })
  await walkListBriefly(walk)
}

export const adviceJourneys = {
  'settings/routing-rules': routingRules,
  'settings/absences': walkAbsences,
  consultation: consultations,
  chats,
}

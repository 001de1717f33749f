/**
 * Fixtures for tests of the chat desk: people, their rooms, messages through the API, and locators of the
 * thread.
 */
import { type BrowserContext, expect, type Locator, type Page } from '@playwright/test'
import { test as base, makeUniqueName } from './fixtures.ts'
import { openWithToken } from './sign-in.ts'
import { t } from './messages.ts'

/** A person that no other test knows. */
export interface DeskPerson {
  id: number
  name: string
  username: string
  token: string
  /**
   * Calls the API as a person of the chat desk's tests.
   *
   * @returns The status and the body of the answer, also of a refusal.
   */
  ask: (method: string, path: string, data?: object) => Promise<{ status: number; body: Answer }>
}

interface Answer {
  id?: number
  jwt?: string
  seq?: number
  data?: { id: number; attributes: Record<string, unknown> }
  results?: { id: number; text: string | null; kind: string; seq: number; unread_message?: number }[]
}

export interface Desk {
  /** Creates an account for a chat test; it is deleted with its rooms when the test ends. */
  person: (kind: 'grower' | 'consultant') => Promise<DeskPerson>
  /** Opens a room between a grower and a consultant, or one that waits for any consultant. */
  room: (grower: DeskPerson, consultant?: DeskPerson) => Promise<number>
  /**
   * Sends a message to a room.
   *
   * @returns Its sequence number in the room.
   */
  sendMessage: (person: DeskPerson, room: number, text: string, extraFields?: object) => Promise<number>
  /** The messages of a room that a person sees, oldest first. */
  readTexts: (person: DeskPerson, room: number) => Promise<(string | null)[]>
  /** Opens an address of the panel as a person, on the test's page or in a new browser context. */
  open: (person: DeskPerson, path: string, page?: Page) => Promise<Page>
}

export const password = 'abcd-5671'

export const test = base.extend<{ desk: Desk }>({
  desk: async ({ request, browser, colleague }, provide) => {
    const people: number[] = []
    const rooms: number[] = []
    const contexts: BrowserContext[] = []
    const makeCaller = (token: string): DeskPerson['ask'] => {
      const headers = { authorization: `Bearer ${token}` }
      return async (method, path, data) => {
        const answer = await request.fetch(`/api${path}`, { method, headers, ...(data && { data }) })
        return { status: answer.status(), body: (await answer.json()) as Answer }
      }
    }
    const { data: roles } = await colleague<{ data: { id: number; attributes: { type: string } }[] }>('GET', '/roles')
    const role = roles.find(({ attributes }) => attributes.type === 'authenticated')?.id
    const desk: Desk = {
      person: async (kind) => {
        const name = makeUniqueName(kind === 'grower' ? 'Фермер' : 'Консультант')
        const username = makeUniqueName(kind).replace(' ', '-')
        const profileFields = { name, role, active: true, is_consultant: kind === 'consultant', language: 'ru' }
        const account = { username, email: `${username}@example.org`, password, ...profileFields }
        const { id } = await colleague<{ id: number }>('POST', '/users', account)
        people.push(id)
        const answer = await request.post('/api/auth/local', { data: { identifier: username, password } })
        const { jwt: token = '' } = (await answer.json()) as Answer
        return { id, name, username, token, ask: makeCaller(token) }
      },
      room: async (grower, consultant) => {
        const { body } = await grower.ask('POST', '/chatrooms', {
          data: { sender: grower.id, ...(consultant && { receiver: consultant.id }) },
        })
        expect(body.data, JSON.stringify(body)).toBeDefined()
        const id = body.data?.id ?? 0
        rooms.push(id)
        return id
      },
      sendMessage: async (person, room, text, otherFields = {}) => {
        const { status, body } = await person.ask('POST', '/chatmessages', { data: { room, text, ...otherFields } })
        expect(status, JSON.stringify(body)).toBeLessThan(300)
        return Number(body.data?.attributes?.['seq'] ?? body.seq)
      },
      readTexts: async (person, room) => {
        const { body } = await person.ask('GET', `/chatmessages?filters[room]=${room}&after=0&limit=100`)
        return (body.results ?? []).map(({ text }) => text)
      },
      open: async (person, path, givenPage) => {
        const context = givenPage ? undefined : await browser.newContext()
        if (context) contexts.push(context)
        const page = givenPage ?? (await context?.newPage())
        if (!page) throw new Error('There is no page to open the desk on.')
        await openWithToken(page, person.token, { 'current-language': 'ru' })
        await page.goto(`/app/${path}`)
        return page
      },
    }
    await provide(desk)
    for (const context of contexts) await context.close()
    // An account cannot be deleted while it has a room.
    for (const id of rooms) await colleague('DELETE', `/chatrooms/${id}`)
    for (const id of people) await colleague('DELETE', `/users/${id}`)
  },
})

export const findLog = (page: Page): Locator => page.getByRole('log')

/** A message of the chat thread, found by its text. */
export const messageOf = (page: Page, text: string): Locator =>
  findLog(page).getByRole('article').filter({ hasText: text })

export const fieldOf = (page: Page, kind: 'message' | 'note' = 'message'): Locator =>
  page.getByRole('textbox', { name: t(kind === 'note' ? 'chat.internalNote' : 'chat.message'), exact: true })

/** Types and sends a chat message once the thread is complete. The message appears in the thread immediately. */
export async function send(page: Page, text: string, sendMethod: 'key' | 'button' = 'key'): Promise<void> {
  const sendButton = page.getByRole('button', { name: t('action.send'), exact: true })
  await fieldOf(page).fill(text)
  await expect(sendButton).toBeEnabled()
  if (sendMethod === 'key') await fieldOf(page).press('Enter')
  else await sendButton.click()
  await expect(messageOf(page, text)).toBeVisible()
}

/** Chooses an action in the menu of the chat message with a text. */
export async function onMessage(page: Page, text: string, action: string): Promise<void> {
  const message = messageOf(page, text)
  await message.hover()
  await message.getByRole('button', { name: /^Действия с сообщением за/ }).click()
  await page.getByRole('menuitem', { name: action }).click()
}

/** The row of a room in the list of chat rooms, found by the name of the other person. */
export const roomRowOf = (page: Page, { name }: DeskPerson): Locator =>
  page
    .getByRole('list', { name: t('chatrooms.many') })
    .getByRole('link')
    .filter({ hasText: name })

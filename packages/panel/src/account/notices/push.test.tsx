import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { storageKeys } from '../../lib/storage-keys.ts'
import { fakeApi, owner } from '../../testing/fake-api.ts'
import { fakePush } from '../../testing/fake-push.ts'
import { renderApp } from '../../testing/render-app.tsx'
import { renewPush } from './push.ts'

const key = `BA${'A'.repeat(85)}`
let browser: ReturnType<typeof fakePush> | undefined
beforeEach(() => localStorage.setItem('token', 'a'))
afterEach(() => {
  browser?.end()
  browser = undefined
})

/** An API that stores whether the browser of the session is subscribed. */
function fakeServer({ offered = true } = {}) {
  let isSubscribed = false
  const kind = { kind: 'chat.assigned', inbox: true, letter: 'off', push: true }
  return fakeApi({
    'GET /api/users/me': owner,
    'GET /api/notices/choices': { data: { kinds: [kind] } },
    'GET /api/notices/push': () => Response.json({ data: { key: offered ? key : null, subscribed: isSubscribed } }),
    'POST /api/notices/push': () => {
      isSubscribed = true
      return Response.json({ ok: true })
    },
    'DELETE /api/notices/push': () => {
      isSubscribed = false
      return Response.json({ ok: true })
    },
  })
}
const listSentMethods = (calls: ReturnType<typeof fakeServer>) =>
  calls.filter(({ method, path }) => method !== 'GET' && path === '/api/notices/push').map(({ method }) => method)
const findSwitch = () => screen.findByRole('switch', { name: /^Show notifications while the panel is closed/ })

it('turns notifications of this device on and off', async () => {
  browser = fakePush({ permission: 'default', answer: 'granted' })
  const calls = fakeServer()
  renderApp('/app/profile/notifications')
  expect((await findSwitch()).getAttribute('aria-checked')).toBe('false')
  await userEvent.click(await findSwitch())
  await waitFor(() => expect(localStorage.getItem(storageKeys.push)).toBe(String(owner.id)))
  const post = calls.find(({ method }) => method === 'POST')
  expect(post?.body).toMatchObject({ data: { endpoint: 'https://push.example.org/send/1' } })
  await waitFor(async () => expect((await findSwitch()).getAttribute('aria-checked')).toBe('true'))
  await userEvent.click(await findSwitch())
  await waitFor(async () => expect((await findSwitch()).getAttribute('aria-checked')).toBe('false'))
  expect(listSentMethods(calls)).toEqual(['POST', 'DELETE'])
  expect(localStorage.getItem(storageKeys.push)).toBeNull()
})

it('explains that the browser blocks notifications after the user has answered its question with no', async () => {
  browser = fakePush({ permission: 'default', answer: 'denied' })
  const calls = fakeServer()
  renderApp('/app/profile/notifications')
  await userEvent.click(await findSwitch())
  expect(await screen.findByText(/^The browser does not allow notifications of this page/)).toBeTruthy()
  expect(listSentMethods(calls)).toEqual([])
})

it('explains that the browser does not reach its push service, and stays off', async () => {
  browser = fakePush({ permission: 'granted', isCutOff: true })
  const calls = fakeServer()
  renderApp('/app/profile/notifications')
  await userEvent.click(await findSwitch())
  expect((await screen.findByRole('alert')).textContent).toMatch(/^The browser did not reach the push service/)
  expect((await findSwitch()).getAttribute('aria-checked')).toBe('false')
  expect(listSentMethods(calls)).toEqual([])
  expect(localStorage.getItem(storageKeys.push)).toBeNull()
})

it('explains that a browser has no notifications of a closed page', async () => {
  fakeServer()
  renderApp('/app/profile/notifications')
  expect(await screen.findByText(/^This browser cannot show notifications/)).toBeTruthy()
})

it('explains that the installation sends no notifications', async () => {
  browser = fakePush({ permission: 'granted' })
  fakeServer({ offered: false })
  renderApp('/app/profile/notifications')
  expect(await screen.findByText('This installation sends no notifications to devices.')).toBeTruthy()
})

it('switches the notifications of a kind', async () => {
  browser = fakePush({ permission: 'granted' })
  const calls = fakeServer()
  renderApp('/app/profile/notifications')
  await userEvent.click(await screen.findByRole('switch', { name: 'On devices: A chat is assigned to you' }))
  await waitFor(() =>
    expect(calls.find(({ method }) => method === 'PUT')?.body).toEqual({
      data: { kinds: { 'chat.assigned': { push: false } } },
    }),
  )
})

it('renews the subscription for a new session of the same user only', async () => {
  browser = fakePush({ permission: 'granted' })
  const calls = fakeServer()
  await renewPush(7)
  expect(listSentMethods(calls)).toEqual([])
  localStorage.setItem(storageKeys.push, '7')
  await renewPush(7)
  await renewPush(7)
  expect(listSentMethods(calls)).toEqual(['POST', 'POST'])
  const endpoints = calls.flatMap(({ method, body }) =>
    method === 'POST' ? [(body as { data: { endpoint: string } }).data.endpoint] : [],
  )
  expect(new Set(endpoints).size).toBe(1)
  await renewPush(8)
  expect(listSentMethods(calls)).toEqual(['POST', 'POST'])
  expect(localStorage.getItem(storageKeys.push)).toBeNull()
  expect(await (await navigator.serviceWorker.ready).pushManager.getSubscription()).toBeNull()
})

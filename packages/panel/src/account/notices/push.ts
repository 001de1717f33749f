/** Notices that this browser shows while the panel is closed: their state, turned on and off. */
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { meQuery } from '../../api/session.ts'
import { callRoute } from '../../api/route.ts'
import { viewedRole } from '../../api/viewing.ts'
import { useT } from '../../lib/i18n.ts'
import { readStorage, storageKeys, writeStorage } from '../../lib/storage-keys.ts'

/** Milliseconds after which the page has no service worker: it starts when the first page is quiet. */
const maxWorkerWait = 5_000

/** Whether this browser shows notices, or why it cannot. */
export type PushState =
  | { state: 'on' | 'off'; key: string }
  /** Why the browser receives no notices: it cannot, the server sends none, or the user has refused them. */
  | { state: 'unsupported' | 'unavailable' | 'denied' }

/** The service worker of the panel; undefined where the browser has none that receives messages. */
async function pushWorker(): Promise<ServiceWorkerRegistration | undefined> {
  if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window)) return undefined
  const timeLimit = new Promise<undefined>((resolve) => void setTimeout(() => resolve(undefined), maxWorkerWait))
  return Promise.race([navigator.serviceWorker.ready, timeLimit])
}

const readServer = async (signal?: AbortSignal) =>
  (await callRoute('GET /api/notices/push', { ...(signal && { signal }) })).data

export const pushQuery = queryOptions({
  queryKey: ['notice-push'],
  queryFn: async ({ signal }): Promise<PushState> => {
    const worker = await pushWorker()
    if (!worker) return { state: 'unsupported' }
    const { key, subscribed } = await readServer(signal)
    if (key === null) return { state: 'unavailable' }
    if (Notification.permission === 'denied') return { state: 'denied' }
    const isOn = subscribed && (await worker.pushManager.getSubscription()) !== null
    return { state: isOn ? 'on' : 'off', key }
  },
  meta: { inPlace: true },
})

const toText = (key: ArrayBuffer | null) =>
  key === null
    ? ''
    : btoa(String.fromCharCode(...new Uint8Array(key))).replace(/[+/=]/g, (sign) => addressSigns[sign] ?? '')
/** Signs of Base64 that addresses spell differently. */
const addressSigns: Readonly<Record<string, string>> = { '+': '-', '/': '_' }

/** Subscribes the browser with the key of the server, and sends the subscription to it. */
async function subscribe({ pushManager }: ServiceWorkerRegistration, key: string): Promise<void> {
  const formerSubscription = await pushManager.getSubscription()
  const isCurrent = formerSubscription !== null && toText(formerSubscription.options.applicationServerKey) === key
  if (formerSubscription && !isCurrent) await formerSubscription.unsubscribe()
  const subscribeOptions = { userVisibleOnly: true, applicationServerKey: key }
  const subscription =
    formerSubscription && isCurrent ? formerSubscription : await pushManager.subscribe(subscribeOptions)
  const keys = { p256dh: toText(subscription.getKey('p256dh')), auth: toText(subscription.getKey('auth')) }
  await callRoute('POST /api/notices/push', { body: { data: { endpoint: subscription.endpoint, keys } } })
}

/** Turns notices on in this browser, once the user has allowed it in the question of the browser. */
async function turnOnPush(user: number, key: string): Promise<void> {
  const worker = await pushWorker()
  if (!worker || (await Notification.requestPermission()) !== 'granted') return
  await subscribe(worker, key)
  writeStorage(storageKeys.push, String(user))
}

async function turnOffPush(): Promise<void> {
  await callRoute('DELETE /api/notices/push', {})
  writeStorage(storageKeys.push, null)
  const subscription = await (await pushWorker())?.pushManager.getSubscription()
  await subscription?.unsubscribe()
}

/**
 * Continues to show the notices of a user who has turned them on in this browser: a new session or a new key
 * needs the subscription again. After another user has signed in, the browser shows no notices.
 */
export async function renewPush(user: number): Promise<void> {
  const owner = readStorage(storageKeys.push)
  if (owner === null || viewedRole() !== undefined) return
  const worker = await pushWorker()
  if (!worker) return
  if (owner === String(user)) {
    if (Notification.permission !== 'granted') return
    const { key } = await readServer()
    if (key !== null) await subscribe(worker, key)
    return
  }
  writeStorage(storageKeys.push, null)
  await (await worker.pushManager.getSubscription())?.unsubscribe()
}

/** Returns the mutation of the switch for this browser. */
export function useSwitchPush() {
  const t = useT()
  const cache = useQueryClient()
  return useMutation({
    meta: { inPlace: true, missed: t('account.notices.here') },
    mutationFn: async (key: string | undefined) => {
      const user = cache.getQueryData(meQuery.queryKey)?.id
      if (key === undefined) await turnOffPush()
      else if (user !== undefined) await turnOnPush(user, key)
    },
    onSettled: () => cache.invalidateQueries({ queryKey: pushQuery.queryKey }),
  })
}

/** A browser with a service worker that receives messages; jsdom has none. */

interface FakePush {
  /** Sends messages of the worker to the page. */
  worker: EventTarget
  /** Notifications that the worker has shown. */
  shown: { title: string; options: NotificationOptions }[]
  /** Ends the fake: the browser has no service worker again. */
  end: () => void
}

const bytes = (length: number) => Uint8Array.from({ length }, (_, index) => (index === 0 ? 4 : index)).buffer
const keyBytes = (key: string) =>
  Uint8Array.from(atob(key.replaceAll('-', '+').replaceAll('_', '/')), (sign) => sign.charCodeAt(0)).buffer

/**
 * Adds push messages to the browser of a test.
 *
 * @param answers - The present permission, and the answer of the user to the question about it.
 */
export function fakePush(answers: {
  permission: NotificationPermission
  answer?: NotificationPermission
  /** Whether the browser cannot reach its push service. */
  isCutOff?: boolean
}): FakePush {
  const shownNotices: FakePush['shown'] = []
  let madeCount = 0
  let current: object | null = null
  const pushManager = {
    getSubscription: async () => current,
    subscribe: async ({ applicationServerKey }: { applicationServerKey: string }) => {
      if (answers.isCutOff) throw new DOMException('Registration failed', 'AbortError')
      madeCount += 1
      current = {
        endpoint: `https://push.example.org/send/${madeCount}`,
        options: { applicationServerKey: keyBytes(applicationServerKey) },
        getKey: (name: string) => bytes(name === 'auth' ? 16 : 65),
        unsubscribe: async () => {
          current = null
          return true
        },
      }
      return current
    },
  }
  const registration = {
    // A worker that has stored all files of the panel.
    active: { postMessage: (_question: unknown, [port]: [MessagePort]) => port.postMessage(0) },
    pushManager,
    showNotification: async (title: string, options: NotificationOptions) => void shownNotices.push({ title, options }),
  }
  const worker = new EventTarget()
  const container = Object.assign(worker, {
    ready: Promise.resolve(registration),
    getRegistration: async () => registration,
  })
  const notification = {
    permission: answers.permission,
    requestPermission: async () => (notification.permission = answers.answer ?? answers.permission),
  }
  Object.defineProperty(navigator, 'serviceWorker', { configurable: true, value: container })
  Object.assign(window, { PushManager: class {}, Notification: notification })
  return {
    worker,
    shown: shownNotices,
    end: () => {
      Reflect.deleteProperty(navigator, 'serviceWorker')
      Reflect.deleteProperty(window, 'PushManager')
      Reflect.deleteProperty(window, 'Notification')
    },
  }
}

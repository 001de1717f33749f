/**
 * Stores the files of the panel on the device, so that a reload without a connection shows the panel.
 * `service-worker.js` does the work; the page chooses the moments.
 */
import type { WrittenLocale } from '@dala/model'
import { t } from '../lib/i18n.ts'
import { waitForQuiet } from '../lib/quiet.ts'
import { workerAddress } from '../lib/trusted-types.ts'
import { showToast } from '../ui/feedback/toast.ts'

/** Service workers exist only with https or on the local machine. */
const workers = () => ('serviceWorker' in navigator ? navigator.serviceWorker : undefined)

/**
 * Registers the worker once the page has its data, and checks for a new build when the page becomes visible
 * again.
 */
export async function registerShellWorker(): Promise<void> {
  const container = workers()
  if (!container) return
  await waitForQuiet()
  let isReplacing = container.controller !== null
  container.addEventListener('controllerchange', () => {
    // The files of the open page stay available after a new build, so the user can continue without a loss.
    if (isReplacing) {
      const action = { label: t('error.chunk.reload'), run: () => location.reload() }
      showToast({ kind: 'success', title: t('app.newVersion'), action })
    }
    isReplacing = true
  })
  void container.register(workerAddress)
  const registration = await container.ready
  const checkForUpdate = () => {
    if (document.visibilityState === 'visible' && navigator.onLine) registration.update().catch(() => undefined)
  }
  window.addEventListener('online', checkForUpdate)
  document.addEventListener('visibilitychange', checkForUpdate)
}

/** Longest wait for the answer of a worker, in milliseconds: one of another build may never answer. */
const maxAnswerWait = 60_000

/** Asks a worker to store files, and returns how many remain: none where it does not answer. */
async function postToWorker(worker: ServiceWorker, question: { locale: WrittenLocale; all: boolean }): Promise<number> {
  const { port1, port2 } = new MessageChannel()
  const { promise, resolve } = Promise.withResolvers<number>()
  const timer = setTimeout(() => resolve(0), maxAnswerWait)
  try {
    port1.addEventListener('message', ({ data }: MessageEvent<number>) => resolve(data))
    port1.start()
    worker.postMessage(question, [port2])
    return await promise
  } finally {
    clearTimeout(timer)
    port1.close()
  }
}

/**
 * Stores the messages of a language, and with `all` the screens that were not opened yet, a few files in each
 * idle moment.
 *
 * @param locale - The language shown.
 * @param isWholePanel - Whether to store the whole panel; the sign-in page does not need it.
 */
export async function storeShell(locale: WrittenLocale, isWholePanel: boolean): Promise<void> {
  const container = workers()
  if (!container) return
  const { active } = await container.ready
  let remainingWorkers = active ? 1 : 0
  while (active && remainingWorkers > 0) {
    await waitForQuiet()
    remainingWorkers = await postToWorker(active, { locale, all: isWholePanel })
  }
}

/** The setup of every panel test: English messages, empty storage, and browser features that jsdom lacks. */
import { cleanup, configure, getConfig, prettyDOM } from '@testing-library/react'
import { afterEach, beforeEach } from 'vitest'
import { activateLanguage, loadFeatureMessages } from '../lib/i18n.ts'
import { pageReload, reloadPreferences } from '../lib/preferences.ts'
import { takeQueuedToasts } from '../ui/feedback/toast.ts'
import { assertContracts } from './fake-api.ts'
import { setWindowWidth } from './window-width.ts'

/** Whether a query is one of the attempts of `waitFor` or `findBy`: only the last one is reported, with the document. */
function isAttempt(): boolean {
  const settings: object = getConfig()
  return '_disableExpensiveErrorDiagnostics' in settings && settings._disableExpensiveErrorDiagnostics === true
}

configure({
  // Tests wait longer for screens, which load when first shown and take time on a busy machine.
  asyncUtilTimeout: 10_000,
  // Printing the document at each failed attempt took a thirteenth of the time of the tests.
  getElementError: (message, container) => {
    const parts = isAttempt() ? [message] : [message, prettyDOM(container)]
    const error = new Error(parts.filter(Boolean).join('\n\n'))
    error.name = 'TestingLibraryElementError'
    return error
  },
})

beforeEach(async () => {
  localStorage.clear()
  sessionStorage.clear()
  takeQueuedToasts()
  window.scrollTo = () => undefined
  // Reloading is replaced, because jsdom cannot reload a document.
  pageReload.run = () => undefined
  // Observer of sizes that never reports: elements have no layout in tests.
  window.ResizeObserver = class {
    observe() {}
    unobserve() {}
    disconnect() {}
  }
  // Virtual lists need a height to draw rows.
  Object.defineProperty(Element.prototype, 'clientHeight', {
    configurable: true,
    get(this: Element) {
      return this.getAttribute('role') === 'log' ? 600 : 0
    },
  })
  setWindowWidth(1440)
  localStorage.setItem('current-language', 'en')
  reloadPreferences()
  await activateLanguage('en')
  await loadFeatureMessages()
})

// This hook is registered for each test file, because the setup runs for each of them in a shared worker.
afterEach(assertContracts)

afterEach(() => {
  cleanup()
  // Some elements stay outside the containers of tests, e.g. empty tables with a text direction.
  document.body.replaceChildren()
})

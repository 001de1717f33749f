/** The setup of every panel test: English messages, empty storage, and browser features that jsdom lacks. */
import { cleanup, configure } from '@testing-library/react'
import { afterEach, beforeEach } from 'vitest'
import { activateLanguage, loadFeatureMessages } from '../lib/i18n.ts'
import { pageReload, reloadPreferences } from '../lib/preferences.ts'
import { takeQueuedToasts } from '../ui/feedback/toast.ts'
import { assertContracts } from './fake-api.ts'
import { setWindowWidth } from './window-width.ts'

// Tests wait longer for screens, which load when first shown and take time on a busy machine.
configure({ asyncUtilTimeout: 10_000 })

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

/** The setup of every panel test: English messages, empty storage, and browser features that jsdom lacks. */
import { cleanup, configure } from '@testing-library/react'
import { afterEach, beforeEach } from 'vitest'
import { activateLanguage, loadFeatureMessages } from '../lib/i18n.ts'
import { pageReload, reloadPreferences } from '../lib/preferences.ts'
import { takeQueued } from '../ui/feedback/toast.ts'
import { assertContracts } from './fake-api.ts'
import { setWindowWidth } from './window-width.ts'

// Screens are loaded when first shown, which takes time on a busy machine.
configure({ asyncUtilTimeout: 10_000 })

beforeEach(async () => {
  localStorage.clear()
  sessionStorage.clear()
  takeQueued()
  window.scrollTo = () => undefined
  // jsdom cannot reload a document.
  pageReload.run = () => undefined
  // Sizes of elements never change without a layout.
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

// The hook is registered for each test file, because this file runs for each of them in a shared worker.
afterEach(assertContracts)

afterEach(() => {
  cleanup()
  // Some elements stay outside the containers of tests, e.g. empty tables with a text direction.
  document.body.replaceChildren()
})

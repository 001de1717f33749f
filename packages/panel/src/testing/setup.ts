/** What every panel test starts from: English words, an empty storage, and the browser parts jsdom lacks. */
import { cleanup, configure } from '@testing-library/react'
import { afterEach, beforeEach } from 'vitest'
import { activateLanguage, loadFeatureWords } from '../lib/i18n.ts'
import { pageReload, reloadPreferences } from '../lib/preferences.ts'
import { assertContracts } from './fake-api.ts'
import { setWindowWidth } from './window-width.ts'

// Screens are loaded when first shown; a busy machine takes its time over that.
configure({ asyncUtilTimeout: 10_000 })

beforeEach(async () => {
  localStorage.clear()
  sessionStorage.clear()
  window.scrollTo = () => undefined
  // A document cannot be reloaded here.
  pageReload.run = () => undefined
  // Without layout no size ever changes.
  window.ResizeObserver = class {
    observe() {}
    unobserve() {}
    disconnect() {}
  }
  // A list that draws only what is in sight needs a height to draw anything.
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
  await loadFeatureWords()
})

// Modules are shared by the files of a worker, and this file runs for each of them.
afterEach(assertContracts)

afterEach(() => cleanup())

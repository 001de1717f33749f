import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInThisContext } from 'node:vm'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  chooseLanguage,
  getPreferences,
  pageReload,
  reloadDelay,
  reloadPreferences,
  setPreferences,
  suggestLanguage,
} from './preferences.ts'

const reloadSpy = vi.fn<() => void>()

beforeEach(() => {
  vi.useFakeTimers()
  localStorage.clear()
  delete document.documentElement.dataset['frame']
  delete document.documentElement.dataset['theme']
  reloadPreferences()
  pageReload.run = reloadSpy
  reloadSpy.mockClear()
})
afterEach(() => vi.useRealTimers())

const makeAppearance = () => {
  const { dir, lang, dataset } = document.documentElement
  return { dir, lang, ...Object.fromEntries(Object.entries(dataset)) }
}

describe('the preferences store', () => {
  it('uses the light mode in print', () => {
    window.dispatchEvent(new Event('beforeprint'))
    expect([makeAppearance(), getPreferences().mode]).toMatchObject([{ mode: 'light' }, 'dark'])
    window.dispatchEvent(new Event('afterprint'))
    expect(makeAppearance()).toMatchObject({ mode: 'dark' })
  })

  it('starts the preferences of a new browser with dark.blueolympic, rounded, ltr and Russian', () => {
    expect(makeAppearance()).toEqual({
      dir: 'ltr',
      lang: 'ru',
      palette: 'blueolympic',
      mode: 'dark',
      radius: 'rounded',
      density: 'comfortable',
    })
  })

  it('starts with the colours of the organisation, which a choice of the user replaces', () => {
    document.documentElement.dataset['theme'] = 'light.greenmoss'
    reloadPreferences()
    expect(getPreferences()).toMatchObject({ palette: 'greenmoss', mode: 'light' })
    setPreferences({ mode: 'dark' })
    expect(localStorage.getItem('theme')).toBe('dark.greenmoss')
    document.documentElement.dataset['theme'] = 'light.redruby'
    reloadPreferences()
    expect(getPreferences()).toMatchObject({ palette: 'greenmoss', mode: 'dark' })
    localStorage.clear()
    document.documentElement.dataset['theme'] = 'dark.mauve'
    reloadPreferences()
    expect(getPreferences()).toMatchObject({ palette: 'blueolympic', mode: 'dark' })
  })

  it('stores a colour, applies the colour immediately and reloads the page 500 ms later', () => {
    setPreferences({ palette: 'greenmoss' })
    expect(localStorage.getItem('theme')).toBe('dark.greenmoss')
    expect(document.documentElement.dataset['palette']).toBe('greenmoss')
    vi.advanceTimersByTime(reloadDelay - 1)
    expect(reloadSpy).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(reloadSpy).toHaveBeenCalledTimes(1)
  })

  it('reloads the page after a change of colour or mode only', () => {
    setPreferences({ mode: 'light' })
    expect(localStorage.getItem('theme')).toBe('light.blueolympic')
    vi.advanceTimersByTime(reloadDelay)
    expect(reloadSpy).toHaveBeenCalledTimes(1)
    setPreferences({ mode: 'light', radius: 'flat', density: 'compact' })
    vi.advanceTimersByTime(10 * reloadDelay)
    expect(reloadSpy).toHaveBeenCalledTimes(1)
  })

  it.each([
    ['radius', 'flat', 'radius'],
    ['direction', 'rtl', 'direction'],
    ['language', 'kaa', 'current-language'],
    ['script', 'cyrillic', 'script'],
    ['displayMode', 'thumb', 'display-mode'],
    ['menuState', 'hidden-main', 'menu-state'],
  ] as const)('stores the preference %s=%s under the key %s', (name, value, key) => {
    setPreferences({ [name]: value })
    expect(localStorage.getItem(key)).toBe(value)
    reloadPreferences()
    expect(getPreferences()[name]).toBe(value)
  })

  it('falls back to the default for unknown values of preferences', () => {
    localStorage.setItem('theme', 'dark.pink')
    localStorage.setItem('radius', '12px')
    localStorage.setItem('current-language', 'xx')
    reloadPreferences()
    expect(makeAppearance()).toMatchObject({ palette: 'blueolympic', mode: 'dark', radius: 'rounded', lang: 'ru' })
  })
})

describe('the script of the interface', () => {
  it('is a part of the language of the page where the language has two scripts', () => {
    chooseLanguage('uz-Cyrl')
    expect([makeAppearance().lang, getPreferences().script]).toEqual(['uz-Cyrl', 'cyrillic'])
    chooseLanguage('ru')
    expect([makeAppearance().lang, getPreferences().script]).toEqual(['ru', 'cyrillic'])
    chooseLanguage('kaa')
    expect([makeAppearance().lang, getPreferences().script]).toEqual(['kaa', 'latin'])
  })

  it('is that of the account in a browser without a chosen language only', () => {
    suggestLanguage('kaa', 'cyrillic')
    expect(makeAppearance().lang).toBe('kaa-Cyrl')
    suggestLanguage('uz', 'latin')
    expect(makeAppearance().lang).toBe('kaa-Cyrl')
  })
})

describe('first-paint.js', () => {
  const script = readFileSync(join(import.meta.dirname, '../first-paint.js'), 'utf8')

  it.each<[string, Record<string, string>]>([
    ['nothing stored', {}],
    [
      'everything stored',
      { theme: 'light.orangecarrot', radius: 'flat', direction: 'rtl', 'current-language': 'uz', density: 'compact' },
    ],
    ['a script stored', { 'current-language': 'kaa', script: 'cyrillic' }],
    ['a script stored for a language with one', { 'current-language': 'ru', script: 'cyrillic' }],
    [
      'rubbish stored',
      { script: 'greek', theme: 'dark.pink', radius: '1', direction: 'up', 'current-language': 'fr', density: '' },
    ],
  ])('applies before the first paint what the preferences store applies: %s', (_what, storedValues) => {
    for (const [key, value] of Object.entries(storedValues)) localStorage.setItem(key, value)
    reloadPreferences()
    const expectedAppearance = makeAppearance()
    for (const key of Object.keys(document.documentElement.dataset)) delete document.documentElement.dataset[key]
    document.documentElement.removeAttribute('dir')
    document.documentElement.removeAttribute('lang')
    runInThisContext(script)
    expect(makeAppearance()).toEqual({ ...expectedAppearance, frame: 'login' })
  })

  it.each([
    ['light.redruby', null, { palette: 'redruby', mode: 'light' }],
    ['light.redruby', 'dark.greenmoss', { palette: 'greenmoss', mode: 'dark' }],
    ['dark.mauve', null, { palette: 'blueolympic', mode: 'dark' }],
  ])('paints the page with the theme %s for the stored theme %s', (pageTheme, storedTheme, expectedTheme) => {
    document.documentElement.dataset['theme'] = pageTheme
    if (storedTheme !== null) localStorage.setItem('theme', storedTheme)
    runInThisContext(script)
    expect(makeAppearance()).toMatchObject(expectedTheme)
    reloadPreferences()
    expect(makeAppearance()).toMatchObject(expectedTheme)
  })

  it.each([
    ['/', null, 'login'],
    ['/app/news', null, 'login'],
    ['/user/login', null, 'login'],
    ['/user/register', null, 'user'],
    ['/user/login', 'a token', undefined],
    ['/app/news', 'a token', undefined],
  ])('sets the static frame of the page at %s with the token %s', (path, token, frame) => {
    if (token !== null) localStorage.setItem('token', token)
    history.replaceState(null, '', path)
    runInThisContext(script)
    expect(document.documentElement.dataset['frame']).toBe(frame)
    history.replaceState(null, '', '/')
  })
})

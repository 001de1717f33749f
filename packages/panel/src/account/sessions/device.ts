/** Device of a session, as far as its browser identifies the device. */

export interface Device {
  /** Names of browsers and systems are the same in every language. */
  browser: string | undefined
  system: string | undefined
  isHandheld: boolean
}

// Browsers are tried in this order: most of them also claim to be Chrome, and Chrome claims to be Safari.
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\bOPR\/|\bOpera\b/, 'Opera'],
  [/\bYaBrowser\//, 'Yandex Browser'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bUCBrowser\//, 'UC Browser'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(HeadlessChrome|Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bVersion\/[\d.]+.* Safari\//, 'Safari'],
]

const systems: readonly (readonly [RegExp, string])[] = [
  [/\bWindows\b/, 'Windows'],
  [/\bAndroid\b/, 'Android'],
  [/\biPad\b/, 'iPad'],
  [/\biPhone\b/, 'iPhone'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b|\bX11\b/, 'Linux'],
]

const findDeviceName = (names: readonly (readonly [RegExp, string])[], agent: string) =>
  names.find(([pattern]) => pattern.test(agent))?.[1]

/**
 * Detects the device. A program that is no browser is named by its own first word.
 *
 * @param agent - The user agent.
 */
export function deviceOf(agent: string | null): Device {
  const text = agent ?? ''
  const system = findDeviceName(systems, text)
  const programName = /^(?!Mozilla\b)([\w.-]{2,40})(\/|$)/.exec(text)?.[1]
  return {
    browser: findDeviceName(browsers, text) ?? programName,
    system,
    isHandheld: /\b(Mobile|Android|iPhone|iPad)\b/.test(text),
  }
}
